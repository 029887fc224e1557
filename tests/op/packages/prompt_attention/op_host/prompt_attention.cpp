#include <cmath>
#include <cstdio>
#include "prompt_attention_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "platform/platform_info.h"

#define LOG_ERR(ctx, fmt, ...) std::fprintf(stderr, "[%s] " fmt "\n", (ctx)->GetNodeName(), ##__VA_ARGS__)

namespace optiling {
class PromptAttentionTiling {
 public:
  ge::graphStatus Run(gert::TilingContext* ctx) {
    ctx_ = ctx;
    platform_ascendc::PlatformAscendC plat(ctx->GetPlatformInfo());
    aic_ = plat.GetCoreNumAic();
    aiv_ = plat.GetCoreNumAiv();
    if (aic_ > 24) aic_ = 24;
    plat.GetCoreMemSize(platform_ascendc::CoreMemType::L1, l1_);
    plat.GetCoreMemSize(platform_ascendc::CoreMemType::L0_C, l0c_);
    sys_ = plat.GetLibApiWorkSpaceSize();
    if (!Shapes()) return ge::GRAPH_FAILED;
    Split();
    if (!Cubes(plat)) return ge::GRAPH_FAILED;
    const auto softmaxShape = ge::Shape({8, kv_});
    AscendC::SoftMaxTilingFunc(softmaxShape, sizeof(float), AscendC::GetSoftMaxMaxTmpSize(softmaxShape, 4, true),
                               data_.softmaxTilingDataRect);
    ctx->SetBlockDim(blocks_);
    ctx->SetTilingKey(ctx->GetInputDesc(0)->GetDataType() == ge::DT_FLOAT16 ? 1001 : 1002);
    data_.SaveToBuffer(ctx->GetRawTilingData()->GetData(), ctx->GetRawTilingData()->GetCapacity());
    ctx->GetRawTilingData()->SetDataSize(data_.GetDataSize());
    size_t* ws = ctx->GetWorkspaceSizes(1);
    ws[0] = sys_ + static_cast<size_t>(blocks_) * m_ * kv_ * (4 + 2);
    return ge::GRAPH_SUCCESS;
  }

 private:
  bool Shapes() {
    const auto& q = ctx_->GetInputShape(0)->GetStorageShape();
    const auto& k = ctx_->GetInputShape(1)->GetStorageShape();
    if (q.GetDimNum() != 4 || k.GetDimNum() != 4) { LOG_ERR(ctx_, "BNSD only, not %zu", q.GetDimNum()); return false; }
    seq_ = q.GetDim(2); kv_ = k.GetDim(2); d_ = q.GetDim(3);
    data_.base.set_batch(q.GetDim(0));
    data_.base.set_heads(q.GetDim(1));
    data_.base.set_seq(seq_);
    data_.base.set_kvSeq(kv_);
    data_.base.set_headDim(d_);
    auto attrs = ctx_->GetAttrs();
    const float* scale = attrs->GetFloat(0);
    data_.base.set_scale(*scale == 0.0f ? 1.0f / std::sqrt(static_cast<float>(d_)) : *scale);
    const char* layout = attrs->GetStr(1);
    data_.base.set_causal(std::string(layout) == "causal");
    bn_ = q.GetDim(0) * q.GetDim(1);
    return seq_ % 16 == 0 && kv_ % 16 == 0 && d_ % 16 == 0;
  }
  void Split() {
    m_ = seq_ < 64 ? seq_ : 64;
    uint32_t tasks = bn_ * ((seq_ + m_ - 1) / m_);
    blocks_ = tasks < aic_ ? tasks : aic_;
    uint32_t start[25] = {0};
    for (uint32_t i = 0; i <= blocks_; ++i) start[i] = tasks * i / blocks_;
    data_.split.set_blockM(m_);
    data_.split.set_tasks(tasks);
    data_.split.set_coreStart(start);
  }
  bool Cubes(platform_ascendc::PlatformAscendC& plat) {
    matmul_tiling::MatmulApiTiling bmm1(plat);
    auto h = matmul_tiling::DataType::DT_FLOAT16;
    bmm1.SetAType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, h, false);
    bmm1.SetBType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, h, true);
    bmm1.SetCType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, matmul_tiling::DataType::DT_FLOAT);
    bmm1.SetShape(m_, kv_, d_);
    bmm1.SetOrgShape(m_, kv_, d_);
    bmm1.SetBias(false);
    bmm1.SetBufferSpace(l1_, l0c_);
    if (bmm1.GetTiling(data_.bmm1TilingDataRect) == -1) return false;
    matmul_tiling::MatmulApiTiling bmm2(plat);
    bmm2.SetAType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, h);
    bmm2.SetBType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, h);
    bmm2.SetCType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, h);
    bmm2.SetShape(m_, d_, kv_);
    bmm2.SetOrgShape(m_, d_, kv_);
    bmm2.SetBias(false);
    bmm2.SetBufferSpace(-1, -1);
    return bmm2.GetTiling(data_.bmm2TilingDataRect) != -1;
  }
  gert::TilingContext* ctx_ = nullptr;
  PromptAttentionTilingData data_;
  uint32_t aic_ = 0, aiv_ = 0, blocks_ = 0, bn_ = 0, m_ = 0;
  int64_t seq_ = 0, kv_ = 0, d_ = 0;
  uint64_t l1_ = 0, l0c_ = 0;
  size_t sys_ = 0;
};
static ge::graphStatus Tile(gert::TilingContext* ctx) { PromptAttentionTiling t; return t.Run(ctx); }
}  // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext* ctx) { *ctx->GetOutputShape(0) = *ctx->GetInputShape(0); return GRAPH_SUCCESS; }
static graphStatus InferType(gert::InferDataTypeContext* ctx) { return ctx->SetOutputDataType(0, ctx->GetInputDataType(0)); }
}
namespace ops {
class PromptAttention : public OpDef {
 public:
  explicit PromptAttention(const char* name) : OpDef(name) {
    for (const char* each : {"query", "key", "value"}) {
      this->Input(each).ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND}).AutoContiguous();
    }
    this->Input("atten_mask").ParamType(OPTIONAL).DataType({ge::DT_BOOL}).Format({ge::FORMAT_ND}).AutoContiguous();
    this->Output("attention_out").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});
    this->Attr("scale_value").AttrType(OPTIONAL).Float(0.0);
    this->Attr("mode").AttrType(OPTIONAL).String("full");
    this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferType);
    this->AICore().SetTiling(optiling::Tile).AddConfig("ascend910b").AddConfig("ascend910_93");
  }
};
OP_ADD(PromptAttention, PromptAttentionCompileInfo);
}
