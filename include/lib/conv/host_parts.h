// What the tiling classes of Conv3D and its gradients share.
#pragma once

#include <cstdint>

#include "ascendc/conv3d_names.h"
#include "tiling/platform/platform_ascendc.h"
#include "vinci/conv3d_shape.h"

namespace ConvCommonApi::in_api {

// Where a tensor lies, and how.
struct Tensor {
  TPosition position;
  ConvFormat format;
  ConvDtype dtype;
  bool operator!=(const Tensor& other) const {
    return position != other.position || format != other.format || dtype != other.dtype;
  }
};

inline vinci::Conv3dMemory memory_of(const platform_ascendc::PlatformAscendC& platform) {
  using Type = platform_ascendc::CoreMemType;
  const auto bytes = [&](Type type) {
    uint64_t size = 0;
    platform.GetCoreMemSize(type, size);
    return int64_t(size);
  };
  return {bytes(Type::L1), bytes(Type::L0_A), bytes(Type::L0_B), bytes(Type::L0_C),
          bytes(Type::BT)};
}

}  // namespace ConvCommonApi::in_api
