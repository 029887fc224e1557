// Tiling structs of library functions. Files include it without need, too.
#pragma once

#include "ascendc/matmul/tiling_data.h"
#include "kernel_tiling/conv3d_tiling.h"
#include "kernel_tiling/layout_tiling.h"
#include "kernel_tiling/mc2_tiling.h"
#include "kernel_tiling/norm_tiling.h"
#include "kernel_tiling/softmax_tiling.h"
#include "kernel_tiling/topk_tiling.h"
