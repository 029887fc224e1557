// SoftMax and its kin. Rows of numbers, and for each row a sum and a largest number.
#pragma once

#include "ascendc/duplicate.h"
#include "ascendc/elementwise.h"
#include "ascendc/sync.h"
#include "kernel_tiling/softmax_tiling.h"

namespace vinci::isa {
extern const Instruction soft_max, simple_soft_max, log_soft_max, softmax_flash, softmax_flash_v2;
extern const Instruction softmax_flash_v3, softmax_grad, softmax_grad_front;
}  // namespace vinci::isa

namespace AscendC {

// Rows and columns of a tensor, whose last axis has the columns.
struct LastAxisShapeND {
  uint32_t m = 0;
  uint32_t k = 0;
};
// The same of a reduction's source, as it was and as it is padded, and of its result.
struct ReduceLastND {
  uint32_t originalSrcM = 0, originalSrcK = 0;
  uint32_t srcM = 0, srcK = 0;
  uint32_t dstM = 0, dstK = 0;
};

namespace in_api {

inline LastAxisShapeND rows_and_columns(const uint32_t* sizes, uint8_t dimensions) {
  LastAxisShapeND shape;
  if (dimensions == 0 || sizes[dimensions - 1] == 0) return shape;
  shape.m = 1;
  for (int i = 0; i + 1 < dimensions; ++i) shape.m *= sizes[i];
  shape.k = sizes[dimensions - 1];
  return shape;
}

}  // namespace in_api

inline LastAxisShapeND GetLastAxisShapeND(const ShapeInfo& shapeInfo) {
  return in_api::rows_and_columns(shapeInfo.shape, shapeInfo.shapeDim);
}
inline LastAxisShapeND GetLastAxisOriginShapeND(const ShapeInfo& shapeInfo) {
  return in_api::rows_and_columns(shapeInfo.originalShape, shapeInfo.originalShapeDim);
}

// Zeros: as the tensor's ShapeInfo says, or else the tiling.
struct SoftMaxShapeInfo {
  uint32_t srcM = 0, srcK = 0;
  uint32_t oriSrcM = 0, oriSrcK = 0;
};
enum class SoftmaxMode { SOFTMAX_NORMAL = 0, SOFTMAX_OUTPUT_WITHOUT_BRC = 1 };
struct SoftmaxConfig {
  bool isCheckTiling = true;
  uint32_t oriSrcM = 0;
  uint32_t oriSrcK = 0;
  SoftmaxMode mode = SoftmaxMode::SOFTMAX_NORMAL;
};
constexpr SoftmaxConfig SOFTMAX_DEFAULT_CFG{};
struct SoftMaxParams {
  uint32_t srcM{0};
  uint32_t srcK{0};
  uint32_t oriSrcM{0};
  uint32_t oriSrcK{0};
  uint32_t loopCnt{1};
  uint32_t splitMeanCnt{8};
  float alpha{0.9375f};
};

namespace in_api {

struct SoftMaxFlags {
  static constexpr uint32_t kNz = 1, kUpdate = 2, kOneEach = 4, kFront = 8, kShifts = 16,
                            kBasicBlock = 32;
};

// Rows, columns, and columns that count.
template <class T>
void set_shape(vinci::LibraryRecord& record, const LocalTensor<T>& src, const SoftMaxTiling& tiling,
               const SoftMaxShapeInfo& given, const SoftmaxConfig& config) {
  SoftMaxShapeInfo shape = given;
  const ShapeInfo info = src.GetShapeInfo();
  if (shape.srcM == 0 && shape.srcK == 0) {
    shape.srcM = tiling.srcM;
    shape.srcK = tiling.srcK;
    if (info.shapeDim != 0) {
      const LastAxisShapeND axes = GetLastAxisShapeND(info);
      shape.srcM = axes.m;
      shape.srcK = axes.k;
    }
  }
  if (shape.oriSrcK == 0 && info.originalShapeDim != 0) {
    shape.oriSrcK = info.originalShape[info.originalShapeDim - 1];
  }
  if (config.oriSrcK != 0) shape.oriSrcK = config.oriSrcK;
  record.size[0] = shape.srcM;
  record.size[1] = shape.srcK;
  record.size[2] = shape.oriSrcK == 0 ? shape.srcK : shape.oriSrcK;
}

// T: void where the call does not name it.
template <class T, class D, class U>
constexpr void check_softmax_types() {
  constexpr bool kMixed = std::is_same_v<D, half> && std::is_same_v<U, float>;
  static_assert(kMixed || (std::is_same_v<D, U> && (std::is_void_v<T> || std::is_same_v<T, D>)),
                "SoftMax and its kin: tensors of T, or data of half with sums and maxima of float");
  static_assert(!kMixed || !std::is_void_v<T>,
                "SoftMax and its kin: data of half with sums and maxima of float have to name T");
}

struct SoftMaxCall {
  const vinci::Instruction& instruction;
  SoftMaxKind kind;
  uint32_t flags;
  bool basic_block = false;
};

// dst, sum, max, expMax; src, inSum, inMax: those that the function does not have are empty.
template <class T, class U>
vinci::LibraryRecord softmax_record(const SoftMaxCall& call, const LocalTensor<T>& src,
                                    const SoftMaxTiling& tiling, const SoftMaxShapeInfo& shape,
                                    const SoftmaxConfig& config,
                                    const LocalTensor<uint8_t>* scratch) {
  vinci::LibraryRecord record;
  record.instruction = &call.instruction;
  record.src[0] = src.operand();
  set_shape(record, src, tiling, shape, config);
  record.size[3] = call.flags;
  if (call.basic_block && (call.flags & SoftMaxFlags::kNz) == 0) {
    record.size[3] |= SoftMaxFlags::kBasicBlock;
  }
  if (config.mode == SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC) {
    record.size[3] |= SoftMaxFlags::kOneEach;
  }
  if (scratch != nullptr) {
    const uint32_t words = softmax_row(call.kind, record.size[1], 32 / sizeof(U),
                                       (call.flags & SoftMaxFlags::kUpdate) != 0, sizeof(T) == 2);
    // A tiling for another shape is made anew, for the memory that there is.
    const bool counts = tiling.srcM == record.size[0] && tiling.srcK == record.size[1];
    record = with_scratch(record, *scratch,
                          uint64_t(4) * words * (counts && tiling.splitM > 1 ? tiling.splitM : 1));
  }
  return record;
}

template <class... Tensors>
void set_results(vinci::LibraryRecord& record, const Tensors&... tensors) {
  int next = 0;
  ((record.dst[next++] = tensors.operand()), ...);
}
template <class... Tensors>
void set_columns(vinci::LibraryRecord& record, const Tensors&... tensors) {
  int next = 1;
  ((record.src[next++] = tensors.operand()), ...);
}

}  // namespace in_api

// T is what the call names: the type of all, or any where data of half (D) has sums and maxima of
// float (U).
#define VINCI_SOFTMAX(parameter, scratch)                                                          \
  template <class T = void, bool isReuseSource = false, bool isBasicBlock = false,                 \
            bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG,        \
            class D, class U>                                                                      \
  void SoftMax(const LocalTensor<D>& dstTensor, const LocalTensor<U>& sumTensor,                   \
               const LocalTensor<U>& maxTensor, const LocalTensor<D>& srcTensor,                   \
               parameter const SoftMaxTiling& tiling,                                              \
               const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                                    \
    in_api::check_softmax_types<T, D, U>();                                                        \
    auto record = in_api::softmax_record<D, U>(                                                    \
        {vinci::isa::soft_max, in_api::SoftMaxKind::kPlain, isDataFormatNZ, isBasicBlock},         \
        srcTensor, tiling, softmaxShapeInfo, config, scratch);                                     \
    in_api::set_results(record, dstTensor, sumTensor, maxTensor);                                  \
    vinci::issue(record);                                                                          \
  }                                                                                                \
  template <class T, bool isReuseSource = false, bool isBasicBlock = false,                        \
            const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>                                     \
  void SoftMax(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,                   \
               parameter const SoftMaxTiling& tiling,                                              \
               const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                                    \
    auto record = in_api::softmax_record<T, T>(                                                    \
        {vinci::isa::soft_max, in_api::SoftMaxKind::kPlain, 0, isBasicBlock}, srcTensor, tiling,   \
        softmaxShapeInfo, config, scratch);                                                        \
    in_api::set_results(record, dstTensor);                                                        \
    vinci::issue(record);                                                                          \
  }                                                                                                \
  template <class T = void, bool isReuseSource = false, bool isBasicBlock = false,                 \
            bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG,        \
            class D, class U>                                                                      \
  void SimpleSoftMax(const LocalTensor<D>& dstTensor, const LocalTensor<U>& inSumTensor,           \
                     const LocalTensor<U>& inMaxTensor, const LocalTensor<D>& srcTensor,           \
                     parameter const SoftMaxTiling& tiling,                                        \
                     const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                              \
    in_api::check_softmax_types<T, D, U>();                                                        \
    auto record = in_api::softmax_record<D, U>(                                                    \
        {vinci::isa::simple_soft_max, in_api::SoftMaxKind::kPlain, isDataFormatNZ, isBasicBlock},  \
        srcTensor, tiling, softmaxShapeInfo, config, scratch);                                     \
    in_api::set_results(record, dstTensor);                                                        \
    in_api::set_columns(record, inSumTensor, inMaxTensor);                                         \
    vinci::issue(record);                                                                          \
  }                                                                                                \
  template <class T, bool isReuseSource = false, bool isDataFormatNZ = false>                      \
  void LogSoftMax(const LocalTensor<T>& dst, const LocalTensor<T>& sum, const LocalTensor<T>& max, \
                  const LocalTensor<T>& src, parameter const LogSoftMaxTiling& tiling,             \
                  const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                                 \
    auto record = in_api::softmax_record<T, T>(                                                    \
        {vinci::isa::log_soft_max, in_api::SoftMaxKind::kPlain, isDataFormatNZ}, src, tiling,      \
        softmaxShapeInfo, SOFTMAX_DEFAULT_CFG, scratch);                                           \
    in_api::set_results(record, dst, sum, max);                                                    \
    vinci::issue(record);                                                                          \
  }                                                                                                \
  template <class T = void, bool isReuseSource = false, bool isBasicBlock = false, class D,        \
            class U>                                                                               \
  void SoftmaxFlash(const LocalTensor<D>& dstTensor, const LocalTensor<U>& sumTensor,              \
                    const LocalTensor<U>& maxTensor, const LocalTensor<D>& srcTensor,              \
                    const LocalTensor<D>& expMaxTensor, const LocalTensor<U>& inSumTensor,         \
                    const LocalTensor<U>& inMaxTensor, parameter const SoftMaxTiling& tiling,      \
                    bool isUpdate = false, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {        \
    in_api::check_softmax_types<T, D, U>();                                                        \
    auto record = in_api::softmax_record<D, U>(                                                    \
        {vinci::isa::softmax_flash, in_api::SoftMaxKind::kFlash,                                   \
         isUpdate ? in_api::SoftMaxFlags::kUpdate : 0, isBasicBlock},                              \
        srcTensor, tiling, softmaxShapeInfo, SOFTMAX_DEFAULT_CFG, scratch);                        \
    in_api::set_results(record, dstTensor, sumTensor, maxTensor);                                  \
    if (isUpdate) {                                                                                \
      record.dst[3] = expMaxTensor.operand();                                                      \
      in_api::set_columns(record, inSumTensor, inMaxTensor);                                       \
    }                                                                                              \
    vinci::issue(record);                                                                          \
  }                                                                                                \
  template <class T = void, bool isUpdate = false, bool isReuseSource = false,                     \
            bool isBasicBlock = false, bool isDataFormatNZ = false,                                \
            const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG, class D, class U>                   \
  void SoftmaxFlashV2(const LocalTensor<D>& dstTensor, const LocalTensor<U>& expSumTensor,         \
                      const LocalTensor<U>& maxTensor, const LocalTensor<D>& srcTensor,            \
                      const LocalTensor<D>& expMaxTensor, const LocalTensor<U>& inExpSumTensor,    \
                      const LocalTensor<U>& inMaxTensor, parameter const SoftMaxTiling& tiling,    \
                      const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                             \
    in_api::check_softmax_types<T, D, U>();                                                        \
    auto record = in_api::softmax_record<D, U>(                                                    \
        {vinci::isa::softmax_flash_v2, in_api::SoftMaxKind::kFlashV2,                              \
         uint32_t(isDataFormatNZ) | (isUpdate ? in_api::SoftMaxFlags::kUpdate : 0), isBasicBlock}, \
        srcTensor, tiling, softmaxShapeInfo, config, scratch);                                     \
    in_api::set_results(record, dstTensor, expSumTensor, maxTensor);                               \
    if (isUpdate) {                                                                                \
      record.dst[3] = expMaxTensor.operand();                                                      \
      in_api::set_columns(record, inExpSumTensor, inMaxTensor);                                    \
    }                                                                                              \
    vinci::issue(record);                                                                          \
  }                                                                                                \
  template <class T, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false, \
            bool isDataFormatNZ = false, const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>        \
  void SoftmaxFlashV2(const LocalTensor<T>& dstTensor, const LocalTensor<T>& outReduceMax,         \
                      const LocalTensor<T>& outExpSum, const LocalTensor<T>& outMax,               \
                      const LocalTensor<T>& srcTensor, const LocalTensor<T>& outExpMax,            \
                      const LocalTensor<T>& inExpSum, const LocalTensor<T>& inMax,                 \
                      parameter const SoftMaxTiling& tiling,                                       \
                      const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                             \
    if (config.mode != SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC) {                                  \
      return vinci::bad_argument("SoftmaxFlashV2", "config.mode", int64_t(config.mode),            \
                                 "SOFTMAX_OUTPUT_WITHOUT_BRC where outReduceMax is a result");     \
    }                                                                                              \
    auto record =                                                                                  \
        in_api::softmax_record<T, T>({vinci::isa::softmax_flash_v2, in_api::SoftMaxKind::kFlashV2, \
                                      isUpdate ? in_api::SoftMaxFlags::kUpdate : 0, isBasicBlock}, \
                                     srcTensor, tiling, softmaxShapeInfo, config, scratch);        \
    in_api::set_results(record, dstTensor, outExpSum, outMax);                                     \
    if (isUpdate) {                                                                                \
      record.dst[3] = outExpMax.operand();                                                         \
      record.dst[4] = outReduceMax.operand();                                                      \
      in_api::set_columns(record, inExpSum, inMax);                                                \
    }                                                                                              \
    vinci::issue(record);                                                                          \
  }                                                                                                \
  template <class T, class U, bool isUpdate = false, bool isReuseSource = false,                   \
            bool isBasicBlock = false, bool isDataFormatNZ = false,                                \
            const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>                                     \
  void SoftmaxFlashV3(const LocalTensor<T>& dstTensor, const LocalTensor<U>& meanTensor,           \
                      const LocalTensor<U>& expSumTensor, const LocalTensor<U>& maxTensor,         \
                      const LocalTensor<T>& srcTensor, const LocalTensor<T>& expMaxTensor,         \
                      const LocalTensor<U>& inMeanTensor, const LocalTensor<U>& inExpSumTensor,    \
                      const LocalTensor<U>& inMaxTensor, parameter const SoftMaxTiling& tiling,    \
                      const SoftMaxParams& params) {                                               \
    const SoftMaxShapeInfo shape{params.srcM, params.srcK, params.oriSrcM, params.oriSrcK};        \
    auto record = in_api::softmax_record<T, U>(                                                    \
        {vinci::isa::softmax_flash_v3, in_api::SoftMaxKind::kFlashV3,                              \
         in_api::SoftMaxFlags::kShifts | (isUpdate ? in_api::SoftMaxFlags::kUpdate : 0)},          \
        srcTensor, tiling, shape, config, scratch);                                                \
    record.size[4] = params.loopCnt;                                                               \
    record.size[5] = params.splitMeanCnt;                                                          \
    record.number[0] = params.alpha;                                                               \
    in_api::set_results(record, dstTensor, expSumTensor, maxTensor);                               \
    record.dst[4] = meanTensor.operand();                                                          \
    if (isUpdate) {                                                                                \
      record.dst[3] = expMaxTensor.operand();                                                      \
      in_api::set_columns(record, inExpSumTensor, inMaxTensor, inMeanTensor);                      \
    }                                                                                              \
    vinci::issue(record);                                                                          \
  }                                                                                                \
  template <class T, bool isReuseSource = false, bool isDataFormatNZ = false>                      \
  void SoftmaxGrad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& gradTensor,              \
                   const LocalTensor<T>& srcTensor, parameter const SoftMaxTiling& tiling,         \
                   bool isFront = false, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {          \
    auto record = in_api::softmax_record<T, T>(                                                    \
        {vinci::isa::softmax_grad,                                                                 \
         isFront ? in_api::SoftMaxKind::kGradFront : in_api::SoftMaxKind::kGrad,                   \
         uint32_t(isDataFormatNZ) | (isFront ? in_api::SoftMaxFlags::kFront : 0)},                 \
        gradTensor, tiling, softmaxShapeInfo, SOFTMAX_DEFAULT_CFG, scratch);                       \
    in_api::set_results(record, dstTensor);                                                        \
    in_api::set_columns(record, srcTensor);                                                        \
    vinci::issue(record);                                                                          \
  }                                                                                                \
  template <class T, bool isBasicBlock = false, bool isDataFormatNZ = false>                       \
  void SoftmaxGradFront(const LocalTensor<T>& dstTensor, const LocalTensor<T>& gradTensor,         \
                        const LocalTensor<T>& srcTensor, parameter const SoftMaxTiling& tiling,    \
                        const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                           \
    auto record = in_api::softmax_record<T, T>(                                                    \
        {vinci::isa::softmax_grad_front, in_api::SoftMaxKind::kGradFront,                          \
         uint32_t(isDataFormatNZ) | in_api::SoftMaxFlags::kFront, isBasicBlock},                   \
        gradTensor, tiling, softmaxShapeInfo, SOFTMAX_DEFAULT_CFG, scratch);                       \
    in_api::set_results(record, dstTensor);                                                        \
    in_api::set_columns(record, srcTensor);                                                        \
    vinci::issue(record);                                                                          \
  }
VINCI_BOTH_SCRATCHES(VINCI_SOFTMAX)
#undef VINCI_SOFTMAX

// A tiling at compile time.
constexpr SoftMaxTiling SoftMaxFlashV2TilingFunc(
    const SoftMaxShapeInfo& shapeInfo, const uint32_t dataTypeSize1, const uint32_t dataTypeSize2,
    const uint32_t localWorkSpaceSize, const bool isUpdate = false, const bool isBasicBlock = false,
    const bool /*isDataFormatNZ*/ = false, const bool /*isFlashOutputBrc*/ = false) {
  const uint32_t block = 32 / dataTypeSize2;
  return in_api::softmax_tiling(shapeInfo.srcM, shapeInfo.srcK, block, localWorkSpaceSize / 4,
                                in_api::softmax_row(in_api::SoftMaxKind::kFlashV2, shapeInfo.srcK,
                                                    block, isUpdate, dataTypeSize1 == 2),
                                isBasicBlock);
}

// Fills the rows whose largest number has the bits `from` with `to`; whether there was one.
template <class T1, class T2, bool isDataFormatNZ = false, uint8_t stepSizeMode = 0>
bool AdjustSoftMaxRes(const LocalTensor<T1>& softMaxRes, const LocalTensor<T2>& maxTensor,
                      const uint32_t from, const T1 to, const SoftMaxShapeInfo& softmaxShapeInfo) {
  const auto before = int32_t(vinci::event_alloc(uint32_t(HardEvent::V_S)));
  SetFlag<HardEvent::V_S>(before);
  WaitFlag<HardEvent::V_S>(before);
  vinci::event_release(uint32_t(HardEvent::V_S), before);
  const uint32_t step = stepSizeMode == 0 ? 32 / sizeof(T2) : 1;
  const uint32_t rows = softmaxShapeInfo.srcM, columns = softmaxShapeInfo.srcK;
  bool found = false;
  for (uint32_t row = 0; row < rows; ++row) {
    if (uint32_t(in_api::scalar_bits(maxTensor.GetValue(row * step))) != from) continue;
    found = true;
    if constexpr (isDataFormatNZ) {
      for (uint32_t i = 0; i < columns / 16; ++i) {
        Duplicate(softMaxRes[(i * rows + row) * 16], to, 16);
      }
    } else {
      Duplicate(softMaxRes[row * columns], to, int32_t(columns));
    }
  }
  return found;
}

}  // namespace AscendC
