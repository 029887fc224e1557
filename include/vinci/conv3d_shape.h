// Shapes of convolutions of volumes, as the tilings of Conv3D and of its gradients take them.
#pragma once

#include <cstdint>

namespace vinci {

// One of D, H and W.
struct Conv3dAxis {
  int64_t size = -1, kernel = -1;
  int64_t stride = 1, dilation = 1;
  int64_t before = 0, after = 0;  // zeros around it

  // Of the input that one position of the kernel covers.
  int64_t reach() const { return dilation * (kernel - 1) + 1; }
  // Of the kernel: what the output has of this axis. 0: it does not fit.
  int64_t positions() const {
    const int64_t room = size + before + after - reach();
    return room < 0 || stride <= 0 ? 0 : room / stride + 1;
  }
};

// What is convolved. -1: not said.
struct Conv3dShape {
  int64_t groups = 1;
  int64_t ci = -1, co = -1;
  Conv3dAxis d, h, w;
};

// Bytes of a core's memories.
struct Conv3dMemory {
  int64_t l1 = 0, l0a = 0, l0b = 0, l0c = 0, bias_table = 0;
};

}  // namespace vinci
