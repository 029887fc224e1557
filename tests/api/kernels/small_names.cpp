// Constants and small functions that published kernels import by name.
#include <cstring>

#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using AscendC::AIC_TYPE;
using AscendC::AIV_TYPE;
using AscendC::DROPOUT_MODE_BIT_ALIGN;
using AscendC::DROPOUT_MODE_BIT_MISALIGN;
using AscendC::DROPOUT_MODE_BYTE_ALIGN;
using AscendC::DROPOUT_MODE_BYTE_MISALIGN;
using AscendC::InitDump;
using AscendC::ProcessLock;
using AscendC::ReduceLastND;
using namespace AscendC;

static_assert(DROPOUT_MODE_BYTE_MISALIGN == 1 && DROPOUT_MODE_BYTE_ALIGN == 2 && DROPOUT_MODE_BIT_ALIGN == 3 &&
              DROPOUT_MODE_BIT_MISALIGN == 4);
static_assert(B16_BYTE_SIZE == 2 && B32_BYTE_SIZE == 4 && ONE_BLK_FLOAT_NUM == 8 && FLOAT_NUM_PER_BLK == 8 &&
              FLOAT_REPEAT_SIZE == 64 && HALF_FACTOR == 2 && HALF_REPEAT_STRIDE == 4 && BRCB_BROADCAST_NUMBER == 8 &&
              ONE_FOURTH_DEFAULT_REPEAT_STRIDE == 2);
static_assert(std::is_same_v<Std::remove_cvref_t<const int&>, int> && Std::bool_constant<true>::value);
static_assert(AscendCUtils::GetC0Size() == 32 && AscendCUtils::GetC0Count(sizeof(half)) == 16);
static_assert(GetSpecialBasicConfig(16, 32, 64, 128, 256, 512, 1, 2).doSpecialBasicBlock &&
              GetSpecialBasicConfig(16, 32, 64, 128, 256, 512, 1, 2).singleCoreN == 256);

static_assert(Std::is_tuple_v<const Std::tuple<int, half>> && !Std::is_tuple_v<half> &&
              !Std::is_tuple<int>::value);

constexpr TPosition kNobody[8] = {};
constexpr TQueConfig kStatic = GetTQueConfig(false, false, false, 0, 2, 0, kNobody, true);
static_assert(kStatic.bufferNumber == 2 && kStatic.enableStaticEvtId && !kStatic.enableLoopQueue);

extern "C" __global__ __aicore__ void small_names(GM_ADDR in, GM_ADDR out) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1, &kStatic> rows;
  TQue<TPosition::VECOUT, 1> results;
  pipe.InitBuffer(rows, 2, 256);
  pipe.InitBuffer(results, 1, 256);
  GlobalTensor<uint32_t> from, to;
  from.SetGlobalBuffer((__gm__ uint32_t*)in);
  to.SetGlobalBuffer((__gm__ uint32_t*)out);
  auto x = rows.AllocTensor<uint32_t>();
  DataCopy(x, from, 64);
  rows.EnQue(x);
  x = rows.DeQue<uint32_t>();
  auto y = results.AllocTensor<uint32_t>();
  Duplicate(y, 0u, 64);
  uint64_t count = 0;
  GatherMask(y, x, 1, false, 0, {1, 1, 8, 0}, count);
  auto ones = x.ReinterpretCast<float>();
  AscendCUtils::SetMaskCount<float>();
  SetVectorMask<float>(0, 10);
  Adds<float, false>(ones, ones, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
  AscendCUtils::SetMaskNorm<float>();
  ResetMask();
  results.EnQue(y);
  y = results.DeQue<uint32_t>();
  DataCopy(to, y, 64);
  const uint32_t shape[3] = {2, 3, 5};
  const LastAxisShapeND rows_of = GetLastAxisShapeND(ShapeInfo(3, shape));
  ReduceLastND reduced;
  to.SetValue(64, uint32_t(GetGatherMaskRemainCount()));
  to.SetValue(65, GetScalarBitcodeValue<float, uint32_t>(half(1.5f).ToFloat()));
  to.SetValue(66, rows_of.m * 100 + rows_of.k + reduced.srcM);
  to.SetValue(67, g_coreType == AIV_TYPE ? 2 : g_coreType == AIC_TYPE ? 1 : 0);
  to.SetValue(68, uint32_t(sub_block_idx));
  KfcWorkspace messages(out);
  messages.UpdateKfcWorkspace(64);
  messages.UpdateKfcWorkspace(8);
  to.SetValue(69, uint32_t(messages.GetKfcWorkspace() - out));
  results.FreeTensor(y);
  rows.FreeTensor(x);
}
