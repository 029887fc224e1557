// Host code includes it for the tilings of library functions, and for the platform that it brings.
#pragma once

#include <iostream>  // programs take it from here

#include "ascendc/tensor_shape.h"
#include "graph/tensor.h"
#include "lib/conv/conv3d/conv3d_tiling.h"
#include "lib/conv_backprop/conv3d_bp_filter_tiling.h"
#include "lib/conv_backprop/conv3d_bp_input_tiling.h"
#include "securec.h"  // and these functions
#include "tiling/layout_sizes.h"
#include "tiling/library_sizes.h"
#include "tiling/matmul/matmul_tiling.h"
#include "tiling/norm_sizes.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/scratch_sizes.h"
#include "tiling/softmax_sizes.h"
