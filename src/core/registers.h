// The state that instructions leave behind for later ones.
#pragma once

#include <cstdint>

namespace vinci {

// The feature map's description for 3D loads, as SetFmatrix or a load with isSetFMatrix wrote it.
struct FeatureMap {
  uint16_t h = 0, w = 0;
  uint8_t pad[4] = {0, 0, 0, 0};  // left, right, top, bottom
};

struct Registers {
  FeatureMap fmatrix;
  FeatureMap fmatrix_right;  // FMATRIX_B
  uint32_t padding = 0;      // the pad value's bits, repeated to fill the word
};

}  // namespace vinci
