#pragma once
#include <cstdint>
struct TemplatedTilingData {
  uint32_t length;
  int32_t shift;
};
