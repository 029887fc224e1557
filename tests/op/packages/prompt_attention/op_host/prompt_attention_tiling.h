#pragma once
#include "register/tilingdata_base.h"
#include "tiling/tiling_api.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(PromptAttentionBaseParams)
  TILING_DATA_FIELD_DEF(uint32_t, batch);
  TILING_DATA_FIELD_DEF(uint32_t, heads);
  TILING_DATA_FIELD_DEF(uint32_t, seq);
  TILING_DATA_FIELD_DEF(uint32_t, kvSeq);
  TILING_DATA_FIELD_DEF(uint32_t, headDim);
  TILING_DATA_FIELD_DEF(float, scale);
  TILING_DATA_FIELD_DEF(uint32_t, causal);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(PromptAttentionBaseParamsOp, PromptAttentionBaseParams)

BEGIN_TILING_DATA_DEF(PromptAttentionSplit)
  TILING_DATA_FIELD_DEF(uint32_t, blockM);
  TILING_DATA_FIELD_DEF(uint32_t, tasks);
  TILING_DATA_FIELD_DEF_ARR(uint32_t, 25, coreStart);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(PromptAttentionSplitOp, PromptAttentionSplit)

BEGIN_TILING_DATA_DEF(PromptAttentionTilingData)
  TILING_DATA_FIELD_DEF_STRUCT(PromptAttentionBaseParams, base);
  TILING_DATA_FIELD_DEF_STRUCT(PromptAttentionSplit, split);
  TILING_DATA_FIELD_DEF_STRUCT(TCubeTiling, bmm1TilingDataRect);
  TILING_DATA_FIELD_DEF_STRUCT(TCubeTiling, bmm2TilingDataRect);
  TILING_DATA_FIELD_DEF_STRUCT(SoftMaxTiling, softmaxTilingDataRect);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(PromptAttention, PromptAttentionTilingData)
REGISTER_TILING_DATA_CLASS(PromptAttention_1001, PromptAttentionTilingData)
}
