// MatmulConfig, its ready-made values and its builders. Most of it is about speed on the chip and
// changes nothing here; docs/spec/matmul.md says what does.
#pragma once

#include <cstdint>

enum class CubeFormat {
  ND = 0,
  NZ,
  ZN,
  ZZ,
  NN,
  ND_ALIGN,
  SCALAR,
  VECTOR,
  ROW_MAJOR = ND,
  COLUMN_MAJOR = 8,
};
enum class LayoutMode { NONE = 0, BSNGD, SBNGD, BNGS1S2, NORMAL };
enum class BatchMode {
  NONE = 0,
  BATCH_LESS_THAN_L1,
  BATCH_LARGE_THAN_L1,
  SINGLE_LARGE_THAN_L1,
};
enum class BatchOutMode { SINGLE_BATCH = 0, MULTI_BATCH, DYNAMIC };
enum class IterateOrder { ORDER_M = 0, ORDER_N = 1, UNDEF };
enum class ScheduleType { INNER_PRODUCT = 0, OUTER_PRODUCT };
enum class DecompressionMode { DECOMP_NONE = 0 };
enum IterateMode : uint8_t {
  ITERATE_MODE_NORMAL = 1,
  ITERATE_MODE_ALL = 2,
  ITERATE_MODE_BATCH = 4,
  ITERATE_MODE_N_BATCH = 8,
  ITERATE_MODE_DEFAULT = 0xFF,
};
enum class MatmulConfigMode { CONFIG_NORM, CONFIG_MDL, CONFIG_SPECIALMDL, CONFIG_IBSHARE };

struct MatmulConfig {
  bool doNorm = false;
  bool doBasicBlock = false;
  bool doMultiDataLoad = false;
  uint32_t basicM = 0;
  uint32_t basicN = 0;
  uint32_t basicK = 0;
  bool intrinsicsCheck = false;
  bool isNBatch = false;
  bool enVecND2NZ = false;
  bool doSpecialBasicBlock = false;
  uint32_t doMTE2Preload = 0;
  uint32_t singleCoreM = 0;
  uint32_t singleCoreN = 0;
  uint32_t singleCoreK = 0;
  uint32_t stepM = 0;
  uint32_t stepN = 0;
  uint32_t baseMN = 0;
  uint32_t singleCoreMN = 0;
  bool enUnitFlag = false;
  bool isPerTensor = false;
  bool hasAntiQuantOffset = false;
  bool doIBShareNorm = false;
  bool doSpecialMDL = false;
  bool enableInit = true;
  BatchMode batchMode = BatchMode::NONE;
  bool enableEnd = true;
  bool enableGetTensorC = true;
  bool enableSetOrgShape = true;
  bool enableSetBias = true;
  bool enableSetTail = true;
  bool enableQuantVector = true;
  bool enableSetDefineData = true;
  uint8_t iterateMode = IterateMode::ITERATE_MODE_DEFAULT;
  bool enableReuse = true;
  bool enableUBReuse = true;
  bool enableL1CacheUB = false;
  bool intraBlockPartSum = false;
  IterateOrder iterateOrder = IterateOrder::UNDEF;
  ScheduleType scheduleType = ScheduleType::INNER_PRODUCT;
  bool enableDoubleCache = false;
  bool isBiasBatch = true;
  bool enableStaticPadZeros = false;
  bool isPartialOutput = false;
  bool enableMixDualMaster = false;
  bool isA2B2Shared = false;
  bool isEnableChannelSplit = false;
  bool enableKdimReorderLoad = false;
  bool isCO1Shared = false;
  uint32_t sharedCO1BufferSize = 65536;
  BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH;
  bool enableL1BankConflictOptimise = false;
  bool enableRelu = false;
  DecompressionMode decompMode = DecompressionMode::DECOMP_NONE;
};

// What GetMMConfig takes, in any order.
struct MatmulShapeParams {
  uint32_t singleCoreM = 0, singleCoreN = 0, singleCoreK = 0;
  uint32_t basicM = 0, basicN = 0, basicK = 0;
};
struct MatmulQuantParams {
  bool isPerTensor = false, hasAntiQuantOffset = false;
};
struct MatmulBatchParams {
  bool isNBatch = false;
  BatchMode batchMode = BatchMode::BATCH_LESS_THAN_L1;
  bool isBiasBatch = true;
  BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH;
};
struct MatmulBiasParams {
  bool enableSetBias = true;
};
struct MatmulFuncParams {
  bool intrinsicsLimit = false;
  bool enVecND2NZ = false;
  bool enableDoubleCache = false;
  bool enableL1CacheUB = false;
  uint32_t doMTE2Preload = 0;
  IterateOrder iterateOrder = IterateOrder::UNDEF;
  ScheduleType scheduleType = ScheduleType::INNER_PRODUCT;
  bool enableReuse = true;
  bool enableUBReuse = true;
  bool isPartialOutput = false;
  bool isA2B2Shared = false;
  bool isEnableChannelSplit = false;
  bool enableKdimReorderLoad = false;
};

constexpr MatmulConfig GetNormalConfig(bool intrinsicsLimit = false, bool batchLoop = false,
                                       bool isVecND2NZ = false,
                                       BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1,
                                       bool isMsgReuse = true,
                                       IterateOrder iterateOrder = IterateOrder::UNDEF,
                                       ScheduleType scheduleType = ScheduleType::INNER_PRODUCT,
                                       bool enUnitFlag = true, bool enableMixDualMaster = false,
                                       BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH) {
  MatmulConfig config;
  config.doNorm = true;
  config.intrinsicsCheck = intrinsicsLimit;
  config.isNBatch = batchLoop;
  config.enVecND2NZ = isVecND2NZ;
  config.batchMode = bmmMode;
  config.enableReuse = isMsgReuse;
  config.iterateOrder = iterateOrder;
  config.scheduleType = scheduleType;
  config.enUnitFlag = enUnitFlag;
  config.enableMixDualMaster = enableMixDualMaster;
  config.bmmOutMode = bmmOutMode;
  return config;
}

constexpr MatmulConfig GetMDLConfig(bool intrinsicsLimit = false, bool batchLoop = false,
                                    uint32_t doMTE2Preload = 0, bool isVecND2NZ = false,
                                    bool isPerTensor = false, bool hasAntiQuantOffset = false,
                                    bool enUnitFlag = false, bool isMsgReuse = true,
                                    bool enableUBReuse = true, bool enableL1CacheUB = false,
                                    bool enableMixDualMaster = false,
                                    bool enableKdimReorderLoad = false,
                                    bool enableL1BankConflictOptimise = false) {
  MatmulConfig config;
  config.doMultiDataLoad = true;
  config.intrinsicsCheck = intrinsicsLimit;
  config.isNBatch = batchLoop;
  config.doMTE2Preload = doMTE2Preload;
  config.enVecND2NZ = isVecND2NZ;
  config.isPerTensor = isPerTensor;
  config.hasAntiQuantOffset = hasAntiQuantOffset;
  config.enUnitFlag = enUnitFlag;
  config.enableReuse = isMsgReuse;
  config.enableUBReuse = enableUBReuse;
  config.enableL1CacheUB = enableL1CacheUB;
  config.enableMixDualMaster = enableMixDualMaster;
  config.enableKdimReorderLoad = enableKdimReorderLoad;
  config.enableL1BankConflictOptimise = enableL1BankConflictOptimise;
  return config;
}

constexpr MatmulConfig GetSpecialMDLConfig(bool intrinsicsLimit = false, bool batchLoop = false,
                                           uint32_t doMTE2Preload = 0, bool isVecND2NZ = false,
                                           bool isPerTensor = false,
                                           bool hasAntiQuantOffset = false) {
  MatmulConfig config = GetMDLConfig(intrinsicsLimit, batchLoop, doMTE2Preload, isVecND2NZ,
                                     isPerTensor, hasAntiQuantOffset);
  config.doMultiDataLoad = false;
  config.doSpecialMDL = true;
  return config;
}

constexpr MatmulConfig GetBasicConfig(uint32_t basicM, uint32_t basicN, uint32_t basicK,
                                      bool intrinsicsLimit = false, bool batchLoop = false,
                                      BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1) {
  MatmulConfig config;
  config.doBasicBlock = true;
  config.basicM = basicM;
  config.basicN = basicN;
  config.basicK = basicK;
  config.intrinsicsCheck = intrinsicsLimit;
  config.isNBatch = batchLoop;
  config.batchMode = bmmMode;
  return config;
}

// The same for sizes of a core's part that are known, too.
constexpr MatmulConfig GetSpecialBasicConfig(uint32_t basicM, uint32_t basicN, uint32_t basicK,
                                             uint32_t singleCoreM, uint32_t singleCoreN,
                                             uint32_t singleCoreK, uint32_t stepM, uint32_t stepN,
                                             bool intrinsicsLimit = false, bool batchLoop = false,
                                             BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1) {
  MatmulConfig config = GetBasicConfig(basicM, basicN, basicK, intrinsicsLimit, batchLoop, bmmMode);
  config.doBasicBlock = false;
  config.doSpecialBasicBlock = true;
  config.singleCoreM = singleCoreM;
  config.singleCoreN = singleCoreN;
  config.singleCoreK = singleCoreK;
  config.stepM = stepM;
  config.stepN = stepN;
  return config;
}

constexpr MatmulConfig GetIBShareNormConfig(bool intrinsicsLimit = false, bool batchLoop = false,
                                            bool isVecND2NZ = false,
                                            BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1,
                                            bool isDoubleCache = false, bool enUnitFlag = true) {
  MatmulConfig config;
  config.doIBShareNorm = true;
  config.intrinsicsCheck = intrinsicsLimit;
  config.isNBatch = batchLoop;
  config.enVecND2NZ = isVecND2NZ;
  config.batchMode = bmmMode;
  config.enableDoubleCache = isDoubleCache;
  config.enUnitFlag = enUnitFlag;
  return config;
}

namespace vinci::matmul_config {

constexpr void set(MatmulConfig& config, const MatmulShapeParams& params) {
  config.singleCoreM = params.singleCoreM;
  config.singleCoreN = params.singleCoreN;
  config.singleCoreK = params.singleCoreK;
  config.basicM = params.basicM;
  config.basicN = params.basicN;
  config.basicK = params.basicK;
}
constexpr void set(MatmulConfig& config, const MatmulQuantParams& params) {
  config.isPerTensor = params.isPerTensor;
  config.hasAntiQuantOffset = params.hasAntiQuantOffset;
}
constexpr void set(MatmulConfig& config, const MatmulBatchParams& params) {
  config.isNBatch = params.isNBatch;
  config.batchMode = params.batchMode;
  config.isBiasBatch = params.isBiasBatch;
  config.bmmOutMode = params.bmmOutMode;
}
constexpr void set(MatmulConfig& config, const MatmulBiasParams& params) {
  config.enableSetBias = params.enableSetBias;
}
constexpr void set(MatmulConfig& config, const MatmulFuncParams& params) {
  config.intrinsicsCheck = params.intrinsicsLimit;
  config.enVecND2NZ = params.enVecND2NZ;
  config.enableDoubleCache = params.enableDoubleCache;
  config.enableL1CacheUB = params.enableL1CacheUB;
  config.doMTE2Preload = params.doMTE2Preload;
  config.iterateOrder = params.iterateOrder;
  config.scheduleType = params.scheduleType;
  config.enableReuse = params.enableReuse;
  config.enableUBReuse = params.enableUBReuse;
  config.isPartialOutput = params.isPartialOutput;
  config.isA2B2Shared = params.isA2B2Shared;
  config.isEnableChannelSplit = params.isEnableChannelSplit;
  config.enableKdimReorderLoad = params.enableKdimReorderLoad;
}

}  // namespace vinci::matmul_config

template <MatmulConfigMode configMode, class... Params>
constexpr MatmulConfig GetMMConfig(Params&&... params) {
  MatmulConfig config = configMode == MatmulConfigMode::CONFIG_NORM  ? GetNormalConfig()
                        : configMode == MatmulConfigMode::CONFIG_MDL ? GetMDLConfig()
                        : configMode == MatmulConfigMode::CONFIG_SPECIALMDL
                            ? GetSpecialMDLConfig()
                            : GetIBShareNormConfig();
  (vinci::matmul_config::set(config, params), ...);
  return config;
}

inline constexpr MatmulConfig CFG_NORM = GetNormalConfig();
inline constexpr MatmulConfig CFG_MDL = GetMDLConfig();
inline constexpr MatmulConfig MM_CFG_BB = GetBasicConfig(128, 128, 128);
inline constexpr MatmulConfig CFG_IBSHARE_NORM = GetIBShareNormConfig();

namespace AscendC {

using ::BatchMode;
using ::BatchOutMode;
using ::CFG_IBSHARE_NORM;
using ::CFG_MDL;
using ::CFG_NORM;
using ::CubeFormat;
using ::GetBasicConfig;
using ::GetIBShareNormConfig;
using ::GetMDLConfig;
using ::GetMMConfig;
using ::GetNormalConfig;
using ::GetSpecialBasicConfig;
using ::GetSpecialMDLConfig;
using ::IterateMode;
using ::IterateOrder;
using ::LayoutMode;
using ::MatmulBatchParams;
using ::MatmulBiasParams;
using ::MatmulConfig;
using ::MatmulConfigMode;
using ::MatmulFuncParams;
using ::MatmulQuantParams;
using ::MatmulShapeParams;
using ::MM_CFG_BB;
using ::ScheduleType;

}  // namespace AscendC
