// What a Matmul object's template parameters are made of.
#pragma once

#include <cstdint>
#include <type_traits>

#include "ascendc/matmul/config.h"
#include "ascendc/matmul/tiling_data.h"
#include "ascendc/tensor.h"
#include "vinci/record/matmul.h"

// A tiling that is known when the kernel is compiled; -1: not known.
struct MatmulApiStaticTiling {
#define VINCI_FIELD(name) int32_t name = -1;
  VINCI_MATMUL_TILING_FIELDS(VINCI_FIELD)
#undef VINCI_FIELD
  MatmulConfig cfg;
};

namespace AscendC {

using ::MatmulApiStaticTiling;

template <TPosition POSITION, CubeFormat FORMAT, class TYPE, bool ISTRANS = false,
          LayoutMode LAYOUT = LayoutMode::NONE, bool IBSHARE = false,
          TPosition SRCPOS = TPosition::GM>
struct MatmulType {
  static constexpr TPosition pos = POSITION;
  static constexpr CubeFormat format = FORMAT;
  using T = TYPE;
  static constexpr bool isTrans = ISTRANS;
  static constexpr LayoutMode layout = LAYOUT;
  static constexpr bool ibShare = IBSHARE;
  static constexpr TPosition srcPos = SRCPOS;
};

// B of which each four elements of a column are two, with their indices.
template <TPosition POSITION, TPosition INDEX_POSITION, CubeFormat FORMAT, class TYPE,
          bool ISTRANS = false, LayoutMode LAYOUT = LayoutMode::NONE, bool IBSHARE = false>
struct SparseMatmulType : MatmulType<POSITION, FORMAT, TYPE, ISTRANS, LAYOUT, IBSHARE> {
  static constexpr TPosition indexPosition = INDEX_POSITION;
};

using DataCopyOutParams = vinci::MatmulCopyOut;

// Functions that take the place of copies in and out.
template <auto DataCopyOut = nullptr, auto CopyA1 = nullptr, auto CopyB1 = nullptr>
struct MatmulCallBackFunc {
  static constexpr vinci::MatmulCallbacks functions() {
    return {copy_out(), copy_in<CopyA1>(), copy_in<CopyB1>()};
  }

 private:
  static LocalTensor<int8_t> bytes_of(vinci::Operand memory) {
    memory.dtype = vinci::DType::kInt8;
    return LocalTensor<int8_t>(memory);
  }
  template <auto Copy>
  static constexpr vinci::MatmulCallbacks::CopyIn copy_in() {
    if constexpr (std::is_same_v<decltype(Copy), std::nullptr_t>) {
      return nullptr;
    } else {
      return [](const vinci::Operand& l1, uint64_t gm, int row, int column, int rows, int columns,
                uint64_t tiling, uint64_t data) {
        Copy(bytes_of(l1), reinterpret_cast<const __gm__ void*>(gm), row, column, rows, columns,
             tiling, data);
      };
    }
  }
  static constexpr vinci::MatmulCallbacks::CopyOut copy_out() {
    if constexpr (std::is_same_v<decltype(DataCopyOut), std::nullptr_t>) {
      return nullptr;
    } else {
      return [](uint64_t gm, const vinci::Operand& l0c, const vinci::MatmulCopyOut& copy,
                uint64_t tiling, uint64_t data) {
        DataCopyOut(reinterpret_cast<const __gm__ void*>(gm), bytes_of(l0c), &copy, tiling, data);
      };
    }
  }
};

// Of a configuration with base sizes, and perhaps the sizes of one core. l1Size: bytes.
template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE>
constexpr MatmulApiStaticTiling GetMatmulApiTiling(const MatmulConfig& mmCFG,
                                                   int32_t l1Size = 512 * 1024) {
  MatmulApiStaticTiling tiling;
  tiling.cfg = mmCFG;
  const auto known = [](uint32_t value) { return value == 0 ? -1 : int32_t(value); };
  tiling.baseM = known(mmCFG.basicM);
  tiling.baseN = known(mmCFG.basicN);
  tiling.baseK = known(mmCFG.basicK);
  tiling.singleCoreM = known(mmCFG.singleCoreM);
  tiling.singleCoreN = known(mmCFG.singleCoreN);
  tiling.singleCoreK = known(mmCFG.singleCoreK);
  if (tiling.baseM < 0 || tiling.baseN < 0 || tiling.baseK < 0) return tiling;
  // With the outer product L1 holds two tiles of the factor that is walked along.
  const bool outer = mmCFG.scheduleType == ScheduleType::OUTER_PRODUCT;
  tiling.stepM = outer && mmCFG.iterateOrder == IterateOrder::ORDER_N ? 2 : 1;
  tiling.stepN = outer && mmCFG.iterateOrder == IterateOrder::ORDER_M ? 2 : 1;
  tiling.dbL0A = tiling.dbL0B = 2;
  tiling.dbL0C = 1;
  tiling.iterateOrder = tiling.shareMode = 0;
  if (tiling.singleCoreK < 0) return tiling;
  const int32_t blocks = (tiling.singleCoreK + tiling.baseK - 1) / tiling.baseK;
  const auto bytes = [](int64_t elements, auto type) {
    return elements * vinci::bits_of(vinci::dtype_of<typename decltype(type)::T>) / 8;
  };
  const int64_t a = bytes(int64_t(tiling.baseM) * tiling.baseK, A_TYPE());
  const int64_t b = bytes(int64_t(tiling.baseN) * tiling.baseK, B_TYPE());
  const auto steps = [&](int64_t block) {
    const int64_t fitting = l1Size / (outer ? 8 : 4) / block;
    return int32_t(fitting < 1 ? 1 : fitting < blocks ? fitting : blocks);
  };
  tiling.stepKa = steps(a);
  tiling.stepKb = steps(b);
  tiling.depthA1 = 2 * tiling.stepKa * tiling.stepM;
  tiling.depthB1 = 2 * tiling.stepKb * tiling.stepN;
  return tiling;
}

// What the sums of products of T are.
template <class T>
struct GetMmDstType {
  using Type = std::conditional_t<(vinci::bits_of(vinci::dtype_of<T>) < 16), int32_t, float>;
};

namespace Impl {
inline constexpr int32_t QUEUE_DEPTH = 1;
}

namespace Impl::Detail {

// Which tiles of C there are.
template <const auto& MM_CFG, class IMPL, class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE>
struct MatmulPolicy {};
template <const auto& MM_CFG, class IMPL, class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE>
struct TrianUpperMatmulPolicy {};
template <const auto& MM_CFG, class IMPL, class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE>
struct TrianLowerMatmulPolicy {};
template <const auto& MM_CFG, class IMPL, class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE>
struct NBuffer33MatmulPolicy {};

// A policy as a template's last parameter, which kernels pass on.
#define MATMUL_POLICY_DEFAULT_OF(DEFAULT)  \
  template <const auto& = MM_CFG, class...> \
  class MATMUL_POLICY = ::AscendC::Impl::Detail::DEFAULT

}  // namespace Impl::Detail

}  // namespace AscendC
