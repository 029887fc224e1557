// What kernels include for Conv3DBackpropFilter.
#pragma once

#include "ascendc/conv3d_backprop_filter.h"
#include "kernel_operator.h"
