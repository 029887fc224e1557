// Choices of the library's functions that kernels and host code name: configurations, modes.
#pragma once

#include <cstdint>

namespace AscendC {

// How a function computes, where later chips have a choice.
enum class SinAlgo : uint8_t { POLYNOMIAL_APPROXIMATION = 0, RADIAN_REDUCTION };
enum class CosAlgo : uint8_t { POLYNOMIAL_APPROXIMATION = 0, RADIAN_REDUCTION };
enum class AtanAlgo : uint8_t { TAYLOR_EXPANSION = 0, POLYNOMIAL_APPROXIMATION };
enum class ErfAlgo : uint8_t { INTRINSIC = 0, SUBSECTION_POLYNOMIAL_APPROXIMATION };
enum class TanhAlgo { INTRINSIC = 0, SUBSECTION_COMPENSATION };
enum class PowerAlgo : uint8_t { INTRINSIC = 0, DOUBLE_FLOAT_TECH };
enum class FmodAlgo : uint8_t { NORMAL = 0, ITERATION_COMPENSATION };
struct SinConfig {
  SinAlgo algo = SinAlgo::POLYNOMIAL_APPROXIMATION;
};
struct CosConfig {
  CosAlgo algo = CosAlgo::POLYNOMIAL_APPROXIMATION;
};
struct AtanConfig {
  AtanAlgo algo = AtanAlgo::TAYLOR_EXPANSION;
};
struct ErfConfig {
  ErfAlgo algo = ErfAlgo::INTRINSIC;
};
struct TanhConfig {
  TanhAlgo algo = TanhAlgo::INTRINSIC;
};
struct PowerConfig {
  PowerAlgo algo = PowerAlgo::INTRINSIC;
};
struct FmodConfig {
  FmodAlgo algo = FmodAlgo::NORMAL;
  uint32_t iterationNum = 11;
};
constexpr SinConfig defaultSinConfig{};
constexpr CosConfig defaultCosConfig{};
constexpr AtanConfig defaultAtanConfig{};
constexpr ErfConfig defaultErfConfig{};
constexpr TanhConfig DEFAULT_TANH_CONFIG{};
constexpr PowerConfig defaultPowerConfig{};
constexpr FmodConfig DEFAULT_FMOD_CONFIG{};

// What host code asks about; a Sort with it is on later chips alone.
enum class SortType { RADIX_SORT, MERGE_SORT };
struct SortConfig {
  SortType type = SortType::RADIX_SORT;
  bool isDescend = false;
  bool hasSrcIndex = false;
  bool hasDstIndex = false;
};
constexpr SortConfig DEFAULT_SORT_CONFIG{};

// One row of up to 4096 elements after the other, or many rows of 32.
enum class TopKMode { TOPK_NORMAL, TOPK_NSMALL };

}  // namespace AscendC
