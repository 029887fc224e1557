// What a Matmul object's template parameters say, as data.
#pragma once

#include <type_traits>

#include "ascendc/matmul/types.h"
#include "vinci/matmul_object.h"

namespace AscendC::in_api {

constexpr vinci::MatrixFormat matrix_format(CubeFormat format) {
  switch (format) {
    case CubeFormat::NZ: return vinci::MatrixFormat::kNz;
    case CubeFormat::ND_ALIGN: return vinci::MatrixFormat::kNdAlign;
    case CubeFormat::SCALAR:
    case CubeFormat::VECTOR: return vinci::MatrixFormat::kVector;
    default: return vinci::MatrixFormat::kNd;
  }
}

template <class TYPE>
constexpr vinci::MatmulTraits::Matrix matrix_traits() {
  static_assert(TYPE::format == CubeFormat::ND || TYPE::format == CubeFormat::NZ ||
                    TYPE::format == CubeFormat::ND_ALIGN || TYPE::format == CubeFormat::VECTOR ||
                    TYPE::format == CubeFormat::SCALAR,
                "Matmul: vinci has ND, NZ, ND_ALIGN, VECTOR and SCALAR");
  return {TYPE::pos,
          matrix_format(TYPE::format),
          vinci::dtype_of<typename TYPE::T>,
          TYPE::isTrans,
          TYPE::ibShare,
          vinci::MatrixLayout(TYPE::layout)};
}

// Whether matrices of a batch are one behind the other.
template <class TYPE>
constexpr bool kSideBySide =
    TYPE::layout == LayoutMode::NORMAL || TYPE::layout == LayoutMode::BNGS1S2;

// Whether the factors of a batch, or its results, may lie so.
template <class TYPE>
constexpr bool batches_in() {
  return TYPE::format == CubeFormat::ND || (TYPE::format == CubeFormat::NZ && kSideBySide<TYPE>);
}
template <class TYPE>
constexpr bool results_of_batches_in() {
  return TYPE::format == CubeFormat::ND ||
         (TYPE::format == CubeFormat::ND_ALIGN && kSideBySide<TYPE>);
}

constexpr const MatmulConfig& config_of(const MatmulConfig& config) { return config; }
constexpr const MatmulConfig& config_of(const MatmulApiStaticTiling& tiling) { return tiling.cfg; }

template <template <const auto&, class...> class POLICY>
constexpr auto kTriangle = vinci::MatmulRecord::Triangle::kNone;
template <>
inline constexpr auto kTriangle<Impl::Detail::TrianUpperMatmulPolicy> =
    vinci::MatmulRecord::Triangle::kUpper;
template <>
inline constexpr auto kTriangle<Impl::Detail::TrianLowerMatmulPolicy> =
    vinci::MatmulRecord::Triangle::kLower;

template <template <const auto&, class...> class POLICY>
constexpr bool kIsNBuffer33 = false;
template <>
inline constexpr bool kIsNBuffer33<Impl::Detail::NBuffer33MatmulPolicy> = true;

constexpr vinci::MatmulSetup::Scheme scheme_of(const MatmulConfig& config) {
  using Scheme = vinci::MatmulSetup::Scheme;
  if (config.doMultiDataLoad) return Scheme::kMdl;
  if (config.doSpecialMDL) return Scheme::kSpecialMdl;
  if (config.doIBShareNorm) return Scheme::kIbShare;
  if (config.doBasicBlock) return Scheme::kBasicBlock;
  if (config.doSpecialBasicBlock) return Scheme::kSpecialBasicBlock;
  return Scheme::kNorm;
}

constexpr vinci::MatmulSetup setup_of(const MatmulConfig& config) {
  vinci::MatmulSetup setup;
  setup.scheme = scheme_of(config);
  setup.both_mdl = config.doMultiDataLoad && config.doSpecialMDL;
  setup.outer_product = config.scheduleType == ScheduleType::OUTER_PRODUCT;
  setup.iterate_order = config.iterateOrder == IterateOrder::UNDEF ? -1 : int(config.iterateOrder);
  setup.batch_mode = vinci::MatmulSetup::BatchMode(config.batchMode);
  setup.n_batch = config.isNBatch;
  setup.preload = config.doMTE2Preload;
  setup.iterate_modes = config.iterateMode;
  setup.has_get = config.enableGetTensorC;
  setup.has_scales = config.enableQuantVector;
  setup.copies_data = config.enableReuse;
  setup.a2b2_shared = config.isA2B2Shared;
  setup.dual_master = config.enableMixDualMaster;
  setup.co1_shared = config.isCO1Shared;
  setup.relu = config.enableRelu;
  setup.sums_aivs = config.intraBlockPartSum;
  setup.to_nz_by_vector = config.enVecND2NZ;
  return setup;
}

}  // namespace AscendC::in_api
