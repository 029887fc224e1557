// LayerNorm and its kin, their gradients, and WelfordUpdate and WelfordFinalize.
#pragma once

#include "ascendc/elementwise.h"
#include "kernel_tiling/norm_tiling.h"
#include "kernel_tiling/reduce_pattern.h"

namespace vinci::isa {
extern const Instruction batch_norm, deep_norm, group_norm, layer_norm, layer_norm_grad;
extern const Instruction layer_norm_grad_beta, layer_norm_rstd, normalize, rms_norm;
extern const Instruction welford_finalize, welford_update;
}  // namespace vinci::isa

namespace AscendC {

struct LayerNormConfig {
  bool isNoBeta = false;
  bool isNoGamma = false;
  bool isOnlyOutput = false;
  bool isOutputRstd = true;
};
constexpr LayerNormConfig LNCFG_NORM{};
constexpr LayerNormConfig LNCFG_NOBETA{true, false, false};
constexpr LayerNormConfig LNCFG_NOGAMMA{false, true, false};
constexpr LayerNormConfig LNCFG_NOOPT{true, true, false};
struct LayerNormPara {
  uint32_t aLength;
  uint32_t rLength;
  uint32_t rLengthWithPadding;
};
struct NormalizeConfig {
  ReducePattern reducePattern = ReducePattern::AR;
  int32_t aLength = -1;
  bool isNoBeta = false;
  bool isNoGamma = false;
  bool isOnlyOutput = false;
};
constexpr NormalizeConfig NLCFG_NORM{};
constexpr NormalizeConfig NLCFG_NOBETA{ReducePattern::AR, -1, true, false, false};
constexpr NormalizeConfig NLCFG_NOGAMMA{ReducePattern::AR, -1, false, true, false};
constexpr NormalizeConfig NLCFG_NOOPT{ReducePattern::AR, -1, true, true, false};
struct NormalizePara {
  uint32_t aLength;
  uint32_t rLength;
  uint32_t rLengthWithPadding;
};
struct LayerNormGradShapeInfo {
  DataFormat dataFormat = DataFormat::ND;
};
struct WelfordUpdateConfig {
  bool isInplace = false;
};
constexpr WelfordUpdateConfig WFUPDATE_DEFAULT_CFG{};
struct WelfordUpdateParam {
  uint32_t rnLength;
  uint32_t abLength;
  uint32_t abComputeLength;
  float nRec;
};
struct WelfordFinalizeConfig {
  bool isCorrection = false;
};
constexpr WelfordFinalizeConfig WFFINALIZE_DEFAULT_CFG{};
struct WelfordFinalizePara {
  uint32_t rnLength;
  uint32_t abLength;
  uint32_t headCount;
  uint32_t headCountLength;
  uint32_t tailCount;
  uint32_t tailCountLength;
  float abRec;
  float rRec;
  float rRecWithCorrection;  // of later chips
};

namespace in_api {

// A call on rows: results, then sources as the instruction has them.
inline vinci::LibraryRecord norm_record(const vinci::Instruction& instruction, uint32_t rows,
                                        uint32_t columns, uint32_t counted, float epsilon,
                                        bool basic_block = false) {
  vinci::LibraryRecord record;
  record.instruction = &instruction;
  record.size[0] = rows;
  record.size[1] = columns;
  record.size[2] = counted;
  record.size[3] = basic_block;
  record.number[0] = epsilon;
  return record;
}
template <class... Tensors>
void set_dst(vinci::LibraryRecord& record, const Tensors&... tensors) {
  int next = 0;
  ((record.dst[next++] = tensors.operand()), ...);
}
template <class... Tensors>
void set_src(vinci::LibraryRecord& record, const Tensors&... tensors) {
  int next = 0;
  ((record.src[next++] = tensors.operand()), ...);
}
// With scratch memory for one row at least, and for those that the tiling has at once; or none.
inline void issue_norm(vinci::LibraryRecord record, const LocalTensor<uint8_t>* scratch,
                       NormScratch need, uint32_t rows = 1, uint32_t columns = 0) {
  if (scratch != nullptr) {
    if (columns == 0) columns = record.size[1];
    record = with_scratch(record, *scratch, need.bytes(rows == 0 ? 1 : rows, columns));
  }
  vinci::issue(record);
}
inline void issue_welford(vinci::LibraryRecord record, const LocalTensor<uint8_t>* scratch,
                          uint32_t bytes) {
  if (scratch != nullptr) record = with_scratch(record, *scratch, bytes);
  vinci::issue(record);
}

}  // namespace in_api

// Of [B, S, H]: along H.
#define VINCI_LAYER_NORM(parameter, scratch)                                                       \
  template <class T, bool isReuseSource = false>                                                   \
  void LayerNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,                   \
                 const LocalTensor<T>& outputVariance, const LocalTensor<T>& inputX,               \
                 const LocalTensor<T>& gamma, const LocalTensor<T>& beta,                          \
                 parameter const in_api::as_is<T> epsilon, const LayerNormTiling& tiling) {        \
    auto record = in_api::norm_record(vinci::isa::layer_norm, tiling.bLength * tiling.sLength,     \
                                      tiling.hLength, tiling.originalHLength, float(epsilon));     \
    in_api::set_dst(record, output, outputMean, outputVariance);                                   \
    in_api::set_src(record, inputX, gamma, beta);                                                  \
    record.used_up = isReuseSource && sizeof(T) == 4;                                              \
    in_api::issue_norm(record, scratch, in_api::norm_scratch(sizeof(T) == 2),                      \
                       in_api::rows_at_once(tiling));                                              \
  }                                                                                                \
  template <class T, bool isBasicBlock = false>                                                    \
  void RmsNorm(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,                     \
               const LocalTensor<T>& gammaLocal, parameter const in_api::as_is<T> epsilon,         \
               const RmsNormTiling& tiling) {                                                      \
    auto record =                                                                                  \
        in_api::norm_record(vinci::isa::rms_norm, tiling.bLength * tiling.sLength, tiling.hLength, \
                            tiling.originalHLength, float(epsilon), isBasicBlock);                 \
    in_api::set_dst(record, dstLocal);                                                             \
    in_api::set_src(record, srcLocal, gammaLocal);                                                 \
    in_api::issue_norm(record, scratch, in_api::rms_norm_scratch(sizeof(T) == 2),                  \
                       in_api::rows_at_once(tiling));                                              \
  }                                                                                                \
  template <class T, bool isReuseSrc = false, bool isBasicBlock = false>                           \
  void DeepNorm(const LocalTensor<T>& dstLocal, const LocalTensor<T>& meanLocal,                   \
                const LocalTensor<T>& rstdLocal, const LocalTensor<T>& srcLocal,                   \
                const LocalTensor<T>& gxLocal, const LocalTensor<T>& betaLocal,                    \
                const LocalTensor<T>& gammaLocal, parameter const in_api::as_is<T> alpha,          \
                const in_api::as_is<T> epsilon, const DeepNormTiling& tiling) {                    \
    auto record =                                                                                  \
        in_api::norm_record(vinci::isa::deep_norm, tiling.bLength * tiling.sLength,                \
                            tiling.hLength, tiling.originalHLength, float(epsilon), isBasicBlock); \
    record.number[1] = float(alpha);                                                               \
    record.size[4] = isReuseSrc;                                                                   \
    in_api::set_dst(record, dstLocal, meanLocal, rstdLocal);                                       \
    in_api::set_src(record, srcLocal, gammaLocal, betaLocal, gxLocal);                             \
    record.used_up = isReuseSrc && sizeof(T) == 4;                                                 \
    in_api::issue_norm(record, scratch, in_api::norm_scratch(sizeof(T) == 2),                      \
                       in_api::rows_at_once(tiling));                                              \
  }                                                                                                \
  template <class T, bool isReuseSource = false, bool isBasicBlock = false>                        \
  void BatchNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,                   \
                 const LocalTensor<T>& outputVariance, const LocalTensor<T>& inputX,               \
                 const LocalTensor<T>& gamm, const LocalTensor<T>& beta,                           \
                 parameter const in_api::as_is<T> epsilon, const BatchNormTiling& tiling) {        \
    auto record =                                                                                  \
        in_api::norm_record(vinci::isa::batch_norm, tiling.originalBLength, tiling.meanVarSize,    \
                            tiling.meanVarSize, float(epsilon), isBasicBlock);                     \
    in_api::set_dst(record, output, outputMean, outputVariance);                                   \
    in_api::set_src(record, inputX, gamm, beta);                                                   \
    in_api::issue_norm(record, scratch, in_api::norm_scratch(sizeof(T) == 2));                     \
  }                                                                                                \
  template <class T, bool isReuseSource = false>                                                   \
  void GroupNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,                   \
                 const LocalTensor<T>& outputVariance, const LocalTensor<T>& inputX,               \
                 const LocalTensor<T>& gamma, const LocalTensor<T>& beta,                          \
                 parameter const in_api::as_is<T> epsilon, const GroupNormTiling& tiling) {        \
    auto record = in_api::norm_record(vinci::isa::group_norm, tiling.n * tiling.c,                 \
                                      tiling.hwAlignSize, tiling.hw, float(epsilon));              \
    record.size[4] = tiling.d == 0 ? 1 : tiling.d;                                                 \
    record.size[5] = tiling.c;                                                                     \
    record.size[6] = tiling.g;                                                                     \
    in_api::set_dst(record, output, outputMean, outputVariance);                                   \
    in_api::set_src(record, inputX, gamma, beta);                                                  \
    record.used_up = isReuseSource && sizeof(T) == 4;                                              \
    in_api::issue_norm(record, scratch, in_api::norm_scratch(sizeof(T) == 2),                      \
                       in_api::rows_at_once(tiling), tiling.dhwAlignSize);                         \
  }                                                                                                \
  template <class T, bool isReuseSource = false>                                                   \
  void LayerNormGrad(const LocalTensor<T>& outputPdX, const LocalTensor<T>& resForGamma,           \
                     const LocalTensor<T>& inputDy, const LocalTensor<T>& inputX,                  \
                     const LocalTensor<T>& inputVariance, const LocalTensor<T>& inputMean,         \
                     const LocalTensor<T>& inputGamma, parameter const in_api::as_is<T> epsilon,   \
                     const LayerNormGradTiling& tiling,                                            \
                     const LayerNormGradShapeInfo& shapeInfo = {}) {                               \
    if (shapeInfo.dataFormat != DataFormat::ND) {                                                  \
      vinci::bad_argument("LayerNormGrad", "dataFormat", int64_t(shapeInfo.dataFormat), "ND");     \
    }                                                                                              \
    auto record =                                                                                  \
        in_api::norm_record(vinci::isa::layer_norm_grad, tiling.bLength * tiling.sLength,          \
                            tiling.hLength, tiling.originalHLength, float(epsilon));               \
    in_api::set_dst(record, outputPdX, resForGamma);                                               \
    in_api::set_src(record, inputDy, inputX, inputVariance, inputMean, inputGamma);                \
    record.used_up = isReuseSource && sizeof(T) == 4 ? 2 : 0; /* inputX */                         \
    in_api::issue_norm(record, scratch, in_api::norm_grad_scratch(sizeof(T) == 2),                 \
                       in_api::rows_at_once(tiling));                                              \
  }                                                                                                \
  template <class T, bool isReuseSource = false>                                                   \
  void LayerNormGradBeta(const LocalTensor<T>& outputPdGamma, const LocalTensor<T>& outputPdBeta,  \
                         const LocalTensor<T>& resForGamma, const LocalTensor<T>& inputDy,         \
                         parameter const LayerNormGradBetaTiling& tiling) {                        \
    auto record =                                                                                  \
        in_api::norm_record(vinci::isa::layer_norm_grad_beta, tiling.bLength * tiling.sLength,     \
                            tiling.hLength, tiling.originalHLength, 0);                            \
    in_api::set_dst(record, outputPdGamma, outputPdBeta);                                          \
    in_api::set_src(record, resForGamma, inputDy);                                                 \
    record.used_up = isReuseSource && sizeof(T) == 4 ? 2 : 0; /* inputDy */                        \
    in_api::issue_norm(record, scratch, in_api::norm_grad_beta_scratch(sizeof(T) == 2),            \
                       in_api::rows_at_once(tiling));                                              \
  }
VINCI_BOTH_SCRATCHES(VINCI_LAYER_NORM)
#undef VINCI_LAYER_NORM

namespace in_api {

// Of [A, R]: along R. gamma and beta are left out as the configuration says.
template <class T, class U>
vinci::LibraryRecord row_norm_record(const vinci::Instruction& instruction,
                                     const LocalTensor<T>& output, const LocalTensor<T>& x,
                                     const LocalTensor<U>& gamma, const LocalTensor<U>& beta,
                                     bool no_gamma, bool no_beta, float epsilon, uint32_t rows,
                                     uint32_t columns, uint32_t counted) {
  auto record = norm_record(instruction, rows, columns, counted, epsilon);
  record.dst[0] = output.operand();
  record.src[0] = x.operand();
  if (!no_gamma) record.src[1] = gamma.operand();
  if (!no_beta) record.src[2] = beta.operand();
  return record;
}

template <class T, class U>
void layer_norm(const LocalTensor<T>& output, const LocalTensor<float>& mean,
                const LocalTensor<float>& rstd, const LocalTensor<T>& x,
                const LocalTensor<U>& gamma, const LocalTensor<U>& beta, float epsilon,
                const LayerNormPara& para, const LayerNormSeparateTiling& tiling,
                const LayerNormConfig& config, const LocalTensor<uint8_t>* scratch) {
  if (config.isOnlyOutput) {
    vinci::bad_argument("LayerNorm", "isOnlyOutput", 1, "false: mean and rstd are results");
  }
  if (!config.isOutputRstd) {
    vinci::bad_argument("LayerNorm", "isOutputRstd", 0, "true on this chip");
  }
  auto record = row_norm_record(vinci::isa::layer_norm_rstd, output, x, gamma, beta,
                                config.isNoGamma, config.isNoBeta, epsilon, para.aLength,
                                para.rLengthWithPadding, para.rLength);
  record.dst[1] = mean.operand();
  record.dst[2] = rstd.operand();
  issue_norm(record, scratch, norm_scratch(sizeof(T) == 2), rows_at_once(tiling));
}
template <class T, class U>
void normalize(const LocalTensor<T>& output, const LocalTensor<float>& rstd,
               const LocalTensor<float>& mean, const LocalTensor<float>& variance,
               const LocalTensor<T>& x, const LocalTensor<U>& gamma, const LocalTensor<U>& beta,
               float epsilon, const NormalizePara& para, const NormalizeConfig& config,
               const LocalTensor<uint8_t>* scratch) {
  if (config.reducePattern != ReducePattern::AR) {
    vinci::bad_argument("Normalize", "reducePattern", int64_t(config.reducePattern), "AR");
  }
  if (config.isOnlyOutput) {
    vinci::bad_argument("Normalize", "isOnlyOutput", 1, "false: rstd is a result");
  }
  if (config.aLength != -1 && uint32_t(config.aLength) != para.aLength) {
    vinci::bad_argument("Normalize", "config.aLength", config.aLength, "-1, or para.aLength");
  }
  auto record = row_norm_record(vinci::isa::normalize, output, x, gamma, beta, config.isNoGamma,
                                config.isNoBeta, epsilon, para.aLength, para.rLengthWithPadding,
                                para.rLength);
  if (!config.isOnlyOutput) record.dst[1] = rstd.operand();
  record.src[3] = mean.operand();
  record.src[4] = variance.operand();
  issue_norm(record, scratch, normalize_scratch(sizeof(T) == 2));
}

inline vinci::LibraryRecord welford_record(const WelfordFinalizePara& para) {
  vinci::LibraryRecord record;
  record.instruction = &vinci::isa::welford_finalize;
  const uint32_t sizes[] = {para.rnLength,        para.abLength,  para.headCount,
                            para.headCountLength, para.tailCount, para.tailCountLength};
  for (int i = 0; i < 6; ++i) record.size[i] = sizes[i];
  record.number[0] = para.abRec;
  record.number[1] = para.rRec;
  return record;
}

}  // namespace in_api

template <class U, class T, bool isReuseSource = false, const LayerNormConfig& config = LNCFG_NORM>
void LayerNorm(const LocalTensor<T>& output, const LocalTensor<float>& outputMean,
               const LocalTensor<float>& outputRstd, const LocalTensor<T>& inputX,
               const LocalTensor<U>& gamma, const LocalTensor<U>& beta, const float epsilon,
               const LocalTensor<uint8_t>& sharedTmpBuffer, const LayerNormPara& para,
               const LayerNormSeparateTiling& tiling) {
  in_api::layer_norm(output, outputMean, outputRstd, inputX, gamma, beta, epsilon, para, tiling,
                     config, &sharedTmpBuffer);
}
template <class U, class T, bool isReuseSource = false, const LayerNormConfig& config = LNCFG_NORM>
void LayerNorm(const LocalTensor<T>& output, const LocalTensor<float>& outputMean,
               const LocalTensor<float>& outputRstd, const LocalTensor<T>& inputX,
               const LocalTensor<U>& gamma, const LocalTensor<U>& beta, const float epsilon,
               const LayerNormPara& para, const LayerNormSeparateTiling& tiling) {
  in_api::layer_norm(output, outputMean, outputRstd, inputX, gamma, beta, epsilon, para, tiling,
                     config, nullptr);
}

#define VINCI_NORMALIZE(parameter, scratch)                                                       \
  template <class U, class T, bool isReuseSource = false,                                         \
            const NormalizeConfig& config = NLCFG_NORM>                                           \
  void Normalize(const LocalTensor<T>& output, const LocalTensor<float>& outputRstd,              \
                 const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance,    \
                 const LocalTensor<T>& inputX, const LocalTensor<U>& gamma,                       \
                 const LocalTensor<U>& beta, parameter const float epsilon,                       \
                 const NormalizePara& para) {                                                     \
    in_api::normalize(output, outputRstd, inputMean, inputVariance, inputX, gamma, beta, epsilon, \
                      para, config, scratch);                                                     \
  }                                                                                               \
  template <class T, class U, bool isReuseSource = false,                                         \
            const WelfordUpdateConfig& config = WFUPDATE_DEFAULT_CFG>                             \
  void WelfordUpdate(const LocalTensor<U>& outputMean, const LocalTensor<U>& outputVariance,      \
                     const LocalTensor<U>& inputMean, const LocalTensor<U>& inputVariance,        \
                     const LocalTensor<T>& inputX, parameter const WelfordUpdateParam& para) {    \
    vinci::LibraryRecord record;                                                                  \
    record.instruction = &vinci::isa::welford_update;                                             \
    record.size[0] = para.abLength;                                                               \
    record.size[1] = para.abComputeLength;                                                        \
    record.size[2] = config.isInplace;                                                            \
    record.size[3] = para.rnLength;                                                               \
    record.number[0] = para.nRec;                                                                 \
    in_api::set_dst(record, outputMean, outputVariance);                                          \
    in_api::set_src(record, inputX, inputMean, inputVariance);                                    \
    record.used_up = isReuseSource && sizeof(T) == 4;                                             \
    in_api::issue_welford(record, scratch, in_api::welford_update_scratch(sizeof(T) == 2));       \
  }                                                                                               \
  template <bool isReuseSource = false,                                                           \
            const WelfordFinalizeConfig& config = WFFINALIZE_DEFAULT_CFG>                         \
  void WelfordFinalize(                                                                           \
      const LocalTensor<float>& outputMean, const LocalTensor<float>& outputVariance,             \
      const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance,               \
      parameter const WelfordFinalizePara& para) {                                                \
    auto record = in_api::welford_record(para);                                                   \
    in_api::set_dst(record, outputMean, outputVariance);                                          \
    in_api::set_src(record, inputMean, inputVariance);                                            \
    in_api::issue_welford(record, scratch, in_api::welford_finalize_scratch(para.abLength));      \
  }                                                                                               \
  template <bool isReuseSource = false,                                                           \
            const WelfordFinalizeConfig& config = WFFINALIZE_DEFAULT_CFG>                         \
  void WelfordFinalize(                                                                           \
      const LocalTensor<float>& outputMean, const LocalTensor<float>& outputVariance,             \
      const LocalTensor<float>& inputMean, const LocalTensor<float>& inputVariance,               \
      const LocalTensor<int32_t>& counts, parameter const WelfordFinalizePara& para) {            \
    auto record = in_api::welford_record(para);                                                   \
    in_api::set_dst(record, outputMean, outputVariance);                                          \
    in_api::set_src(record, inputMean, inputVariance, counts);                                    \
    in_api::issue_welford(record, scratch, in_api::welford_finalize_scratch(para.abLength));      \
  }
VINCI_BOTH_SCRATCHES(VINCI_NORMALIZE)
#undef VINCI_NORMALIZE

}  // namespace AscendC
