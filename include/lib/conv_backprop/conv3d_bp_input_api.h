// What kernels include for Conv3DBackpropInput.
#pragma once

#include "ascendc/conv3d_backprop_input.h"
#include "kernel_operator.h"
