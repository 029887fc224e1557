// Tiling structs of library functions: TCubeTiling is there, SoftMaxTiling and others are not yet.
// Files include it without need, too.
#pragma once

#include "ascendc/matmul/tiling_data.h"
