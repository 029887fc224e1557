// matmul_tiling: host code says what it multiplies, and gets how it is divided.
#pragma once

#include <cstdint>
#include <cstdio>

#include "ascendc/matmul/config.h"
#include "tiling/matmul/tiling_data.h"
#include "tiling/platform/platform_ascendc.h"
#include "vinci/op/names.h"
#include "vinci/position.h"

namespace matmul_tiling {

using TPosition = vinci::Position;
using CubeFormat = ::CubeFormat;
enum class DataType {
#define VINCI_TYPE(name, number, bytes) DT_##name = number,
  VINCI_GE_TYPES(VINCI_TYPE)
#undef VINCI_TYPE
      DT_BFLOAT16 = DT_BF16
};
enum class MatrixTraverse { NOSET = 0, FIRSTM = 1, FIRSTN = 2 };
enum class DequantType { SCALAR = 0, TENSOR = 1 };
enum class ScheduleType { INNER_PRODUCT = 0, OUTER_PRODUCT, N_BUFFER_33 };
enum class MatrixMadType { NORMAL = 0, HF32 = 1, MXMODE = 2 };

struct MatmulConfigParams {
  int32_t mmConfigType;  // 0: Norm, 1: MDL
  bool enableL1CacheUB;
  ScheduleType scheduleType;
  MatrixTraverse traverse;
  bool enVecND2NZ;

  MatmulConfigParams(int32_t type = 1, bool cache = false,
                     ScheduleType schedule = ScheduleType::INNER_PRODUCT,
                     MatrixTraverse order = MatrixTraverse::NOSET, bool vector_nz = false)
      : mmConfigType(type),
        enableL1CacheUB(cache),
        scheduleType(schedule),
        traverse(order),
        enVecND2NZ(vector_nz) {}
};

struct PlatformInfo {
  platform_ascendc::SocVersion socVersion;
  uint64_t l1Size = 0, l0CSize = 0, ubSize = 0, l0ASize = 0, l0BSize = 0;
};

struct SysTilingTempBufSize {
  int32_t ubSize = 0, l1Size = 0, l0cSize = 0;
};

// All setters return 0, or -1 for what is not legal.
class MatmulApiTilingBase {
 public:
  MatmulApiTilingBase() { use({512 * 1024, 64 * 1024, 64 * 1024, 128 * 1024, 192 * 1024, 1024}); }
  explicit MatmulApiTilingBase(const platform_ascendc::PlatformAscendC& platform) {
    using Type = platform_ascendc::CoreMemType;
    Sizes sizes{};
    const Type types[] = {Type::L1, Type::L0_A, Type::L0_B, Type::L0_C, Type::UB, Type::BT};
    for (int i = 0; i < 6; ++i) {
      uint64_t bytes = 0;
      platform.GetCoreMemSize(types[i], bytes);
      sizes.of[i] = int64_t(bytes);
    }
    use(sizes);
  }
  explicit MatmulApiTilingBase(const PlatformInfo& info) {
    use({int64_t(info.l1Size), int64_t(info.l0ASize), int64_t(info.l0BSize), int64_t(info.l0CSize),
         int64_t(info.ubSize),
         info.socVersion == platform_ascendc::SocVersion::ASCEND310P ? 0 : 1024});
  }
  virtual ~MatmulApiTilingBase() = default;

  int32_t SetAType(TPosition pos, CubeFormat type, DataType dataType, bool isTrans = false) {
    return set(request_.a, pos, type, dataType, isTrans);
  }
  int32_t SetBType(TPosition pos, CubeFormat type, DataType dataType, bool isTrans = false) {
    return set(request_.b, pos, type, dataType, isTrans);
  }
  int32_t SetCType(TPosition pos, CubeFormat type, DataType dataType) {
    return set(request_.c, pos, type, dataType, false);
  }
  int32_t SetBiasType(TPosition pos, CubeFormat type, DataType dataType) {
    return set(request_.bias, pos, type, dataType, false);
  }
  int32_t SetShape(int32_t m, int32_t n, int32_t k) {
    keep(request_.m, m);
    keep(request_.n, n);
    keep(request_.k, k);
    if (!has_org_) set_org(m, n, k, k);
    return m == 0 || n == 0 || k == 0 ? -1 : 0;
  }
  int32_t SetOrgShape(int32_t orgM, int32_t orgN, int32_t orgK) {
    return SetOrgShape(orgM, orgN, orgK, orgK);
  }
  int32_t SetOrgShape(int32_t orgM, int32_t orgN, int32_t orgKa, int32_t orgKb) {
    if (orgM <= 0 || orgN <= 0 || orgKa <= 0 || orgKb <= 0) return -1;
    has_org_ = true;
    set_org(orgM, orgN, orgKa, orgKb);
    return 0;
  }
  int32_t SetBias(bool isBias = false) {
    request_.has_bias = isBias;
    return 0;
  }
  int32_t EnableBias(bool isBias = false) { return SetBias(isBias); }
  // -1: all that the chip has.
  int32_t SetBufferSpace(int32_t l1Size = -1, int32_t l0CSize = -1, int32_t ubSize = -1,
                         int32_t btSize = -1) {
    return take(request_.l1, l1Size, most_.of[0]) | take(request_.l0c, l0CSize, most_.of[3]) |
           take(request_.ub, ubSize, most_.of[4]) | take(request_.bias_table, btSize, most_.of[5]);
  }
  int32_t SetFixSplit(int32_t baseMIn = -1, int32_t baseNIn = -1, int32_t baseKIn = -1) {
    const int32_t unit = 256 / request_.a.bits;
    const auto wrong = [](int32_t value, int32_t of) {
      return value != -1 && (value <= 0 || value % of != 0);
    };
    if (wrong(baseMIn, 16) || wrong(baseNIn, 16) || wrong(baseKIn, unit)) return -1;
    request_.base_m = baseMIn;
    request_.base_n = baseNIn;
    request_.base_k = baseKIn;
    return 0;
  }
  // Only reserved: sizes of tiles follow SetFixSplit.
  int32_t SetSplitRange(int32_t = -1, int32_t = -1, int32_t = -1, int32_t = -1, int32_t = -1,
                        int32_t = -1) {
    return 0;
  }
  int32_t SetTraverse(MatrixTraverse traverse) {
    request_.traverse = int32_t(traverse);
    return 0;
  }
  int32_t SetDequantType(DequantType) { return 0; }
  // B has two of each four elements of K.
  int32_t SetSparse(bool isSparse = false) {
    request_.sparse = isSparse;
    return 0;
  }
  int32_t SetMadType(MatrixMadType) { return 0; }
  // What the factors of newer chips' microscaling types have beside them: taken, and of no effect.
  int32_t SetScaleAType(TPosition, CubeFormat, bool = false) { return 0; }
  int32_t SetScaleBType(TPosition, CubeFormat, bool = true) { return 0; }
  // Only reserved.
  int32_t SetDoubleBuffer(bool, bool, bool, bool, bool = true, bool = true) { return 0; }
  // Whether MatmulConfig may say enableL1BankConflictOptimise: it has an effect on newer chips
  // alone.
  bool EnableL1BankConflictOptimise() const { return false; }
  void SetMatmulConfigParams(int32_t mmConfigType = 1, bool = false,
                             ScheduleType scheduleType = ScheduleType::INNER_PRODUCT,
                             MatrixTraverse traverse = MatrixTraverse::NOSET, bool = false) {
    SetMatmulConfigParams(MatmulConfigParams(mmConfigType, false, scheduleType, traverse));
  }
  void SetMatmulConfigParams(const MatmulConfigParams& params) {
    request_.mdl = params.mmConfigType == 1;
    request_.schedule = vinci::MatmulTilingRequest::Schedule(params.scheduleType);
    if (params.traverse != MatrixTraverse::NOSET) SetTraverse(params.traverse);
  }

  // The axes of a batch.
  int32_t SetALayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    batch_.ALayoutInfoB = b;
    batch_.ALayoutInfoS = s;
    batch_.ALayoutInfoN = n;
    batch_.ALayoutInfoG = g;
    batch_.ALayoutInfoD = d;
    return 0;
  }
  int32_t SetBLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    batch_.BLayoutInfoB = b;
    batch_.BLayoutInfoS = s;
    batch_.BLayoutInfoN = n;
    batch_.BLayoutInfoG = g;
    batch_.BLayoutInfoD = d;
    return 0;
  }
  int32_t SetCLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    batch_.CLayoutInfoB = b;
    batch_.CLayoutInfoS1 = s;
    batch_.CLayoutInfoN = n;
    batch_.CLayoutInfoG = g;
    batch_.CLayoutInfoS2 = d;
    return 0;
  }
  int32_t SetBatchNum(int32_t batch) {
    batch_.BatchNum = batch;
    return 0;
  }
  // Matrices that lie one after the other.
  int32_t SetBatchInfoForNormal(int32_t batchA, int32_t batchB, int32_t m, int32_t n, int32_t k) {
    SetALayout(batchA, m, 1, 1, k);
    SetBLayout(batchB, n, 1, 1, k);
    return SetCLayout(batchA > batchB ? batchA : batchB, m, 1, 1, n);
  }

  int64_t GetTiling(optiling::TCubeTiling& tiling) {
    AscendC::tiling::TCubeTiling made;
    const int64_t result = GetTiling(made);
    if (result != 0) return result;
#define VINCI_FIELD(name) tiling.set_##name(made.name);
    VINCI_MATMUL_TILING_FIELDS(VINCI_FIELD)
#undef VINCI_FIELD
    return 0;
  }
  int64_t GetTiling(AscendC::tiling::TCubeTiling& tiling) {
    vinci::MatmulTilingData data{};
    if (const char* wrong = vinci::matmul_tiling(request_, data)) {
      std::fprintf(stderr, "vinci: GetTiling: %s\n", wrong);
      return -1;
    }
    // What host code says itself.
#define VINCI_FIELD(name) tiling.name = batch_.name != 0 ? batch_.name : data.name;
    VINCI_MATMUL_TILING_FIELDS(VINCI_FIELD)
#undef VINCI_FIELD
    tiling_ = tiling;
    return 0;
  }
  int32_t GetBaseM() const { return tiling_.baseM; }
  int32_t GetBaseN() const { return tiling_.baseN; }
  int32_t GetBaseK() const { return tiling_.baseK; }

 protected:
  struct Sizes {
    int64_t of[6];  // L1, L0A, L0B, L0C, UB, bias table
  };
  static void keep(int32_t& field, int32_t value) {
    if (value != -1) field = value;
  }
  // How many the tiling takes: in all, along M, along N. -1: there is no tiling.
  int32_t cores(int32_t& all, int32_t& along_m, int32_t& along_n) const {
    if (tiling_.singleCoreM <= 0 || tiling_.singleCoreN <= 0) return -1;
    all = tiling_.usedCoreNum;
    along_m = (tiling_.M + tiling_.singleCoreM - 1) / tiling_.singleCoreM;
    along_n = (tiling_.N + tiling_.singleCoreN - 1) / tiling_.singleCoreN;
    return 0;
  }

  vinci::MatmulTilingRequest request_;
  AscendC::tiling::TCubeTiling tiling_;
  AscendC::tiling::TCubeTiling batch_;  // its layouts and BatchNum alone

 private:
  void use(const Sizes& sizes) {
    most_ = sizes;
    request_.l1 = sizes.of[0];
    request_.l0a = sizes.of[1];
    request_.l0b = sizes.of[2];
    request_.l0c = sizes.of[3];
    request_.ub = sizes.of[4];
    request_.bias_table = sizes.of[5];
  }
  static int32_t take(int64_t& field, int32_t value, int64_t most) {
    if (value > most) return -1;
    field = value < 0 ? most : value / 32 * 32;
    return 0;
  }
  void set_org(int32_t m, int32_t n, int32_t ka, int32_t kb) {
    keep(request_.org_m, m);
    keep(request_.org_n, n);
    keep(request_.org_ka, ka);
    keep(request_.org_kb, kb);
  }
  static int32_t set(vinci::MatmulTilingRequest::Matrix& matrix, TPosition pos, CubeFormat format,
                     DataType type, bool transposed) {
    matrix = {bits_of(type), pos == TPosition::TSCM, format == CubeFormat::NZ, transposed};
    return 0;
  }
  static int32_t bits_of(DataType type) {
    switch (type) {
      case DataType::DT_INT4: return 4;
      case DataType::DT_INT8:
      case DataType::DT_UINT8:
      case DataType::DT_BOOL: return 8;
      case DataType::DT_FLOAT16:
      case DataType::DT_BF16:
      case DataType::DT_INT16:
      case DataType::DT_UINT16: return 16;
      case DataType::DT_INT64:
      case DataType::DT_UINT64:
      case DataType::DT_DOUBLE: return 64;
      default: return 32;
    }
  }

  Sizes most_{};
  bool has_org_ = false;
};

// For one core.
class MatmulApiTiling : public MatmulApiTilingBase {
 public:
  using MatmulApiTilingBase::MatmulApiTilingBase;
};

// One core multiplies all of a batch.
class BatchMatmulTiling : public MatmulApiTilingBase {
 public:
  using MatmulApiTilingBase::MatmulApiTilingBase;

  int32_t GetCoreNum(int32_t& dim, int32_t& mDim, int32_t& nDim, int32_t& batchCoreM,
                     int32_t& batchCoreN) {
    batchCoreM = batchCoreN = 1;
    return cores(dim, mDim, nDim);
  }
};

class MultiCoreMatmulTiling : public MatmulApiTilingBase {
 public:
  MultiCoreMatmulTiling() { request_.multi_core = true; }
  explicit MultiCoreMatmulTiling(const platform_ascendc::PlatformAscendC& platform)
      : MatmulApiTilingBase(platform) {
    request_.multi_core = true;
  }
  explicit MultiCoreMatmulTiling(const PlatformInfo& info) : MatmulApiTilingBase(info) {
    request_.multi_core = true;
  }

  int32_t SetDim(int32_t dim) {
    if (dim <= 0) return -1;
    request_.cores = dim;
    return 0;
  }
  // The part of one core, given.
  int32_t SetSingleShape(int32_t singleMIn = -1, int32_t singleNIn = -1, int32_t singleKIn = -1) {
    keep(request_.single_m, singleMIn);
    keep(request_.single_n, singleNIn);
    keep(request_.single_k, singleKIn);
    return 0;
  }
  void EnableMultiCoreSplitK(bool flag) { request_.splits_k = flag; }
  void SetSplitK(bool flag) { EnableMultiCoreSplitK(flag); }
  // Of one core's part: what its sizes are multiples of, and between which they lie; -1: not said.
  int32_t SetAlignSplit(int32_t alignM, int32_t alignN, int32_t alignK) {
    if (alignM < -1 || alignN < -1 || alignK < -1) return -1;
    request_.part_m.align = alignM;
    request_.part_n.align = alignN;
    request_.part_k.align = alignK;
    return 0;
  }
  int32_t SetSingleRange(int32_t maxM = -1, int32_t maxN = -1, int32_t maxK = -1, int32_t minM = -1,
                         int32_t minN = -1, int32_t minK = -1) {
    if (!is_range(minM, maxM) || !is_range(minN, maxN) || !is_range(minK, maxK)) return -1;
    bound(request_.part_m, minM, maxM);
    bound(request_.part_n, minN, maxN);
    bound(request_.part_k, minK, maxK);
    return 0;
  }
  int32_t GetSingleShape(int32_t& shapeM, int32_t& shapeN, int32_t& shapeK) {
    shapeM = tiling_.singleCoreM;
    shapeN = tiling_.singleCoreN;
    shapeK = tiling_.singleCoreK;
    return 0;
  }
  int32_t GetCoreNum(int32_t& dim, int32_t& mDim, int32_t& nDim) { return cores(dim, mDim, nDim); }

 private:
  static bool is_range(int32_t least, int32_t most) {
    const auto is_size = [](int32_t value) { return value == -1 || value > 0; };
    return is_size(least) && is_size(most) && (most == -1 || least <= most);
  }
  static void bound(vinci::MatmulTilingRequest::Part& part, int32_t least, int32_t most) {
    part.least = least;
    part.most = most;
  }
};

}  // namespace matmul_tiling

// What Matmul takes of each memory; 0, or -1.
namespace vinci {
inline int32_t matmul_memory(int32_t l1, int32_t l0c, int32_t ub, int32_t block,
                             matmul_tiling::SysTilingTempBufSize& bufSize) {
  bufSize.l1Size = l1;
  bufSize.l0cSize = l0c;
  bufSize.ubSize = ub > 2 * block ? ub : 2 * block;
  return 0;
}
}  // namespace vinci
#define VINCI_MATMUL_MEMORY(name)                                                             \
  inline int32_t name(const optiling::TCubeTiling& tiling,                                    \
                      matmul_tiling::SysTilingTempBufSize& bufSize) {                         \
    return vinci::matmul_memory(tiling.get_shareL1Size(), tiling.get_shareL0CSize(),          \
                                tiling.get_shareUbSize(), tiling.get_transLength(), bufSize); \
  }                                                                                           \
  inline int32_t name##V2(const AscendC::tiling::TCubeTiling& tiling,                         \
                          matmul_tiling::SysTilingTempBufSize& bufSize) {                     \
    return vinci::matmul_memory(tiling.shareL1Size, tiling.shareL0CSize, tiling.shareUbSize,  \
                                tiling.transLength, bufSize);                                 \
  }
VINCI_MATMUL_MEMORY(MatmulGetTmpBufSize)
VINCI_MATMUL_MEMORY(BatchMatmulGetTmpBufSize)
VINCI_MATMUL_MEMORY(MultiCoreMatmulGetTmpBufSize)
#undef VINCI_MATMUL_MEMORY
