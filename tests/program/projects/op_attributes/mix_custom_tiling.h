#pragma once
#include <cstdint>
struct MixTiling {
  uint32_t length;
  uint32_t has_bias;
  float scale, add;
};
