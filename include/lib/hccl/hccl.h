// What kernels include for Hccl.
#pragma once

#include "ascendc/hccl.h"
#include "kernel_operator.h"
#include "kernel_tiling/mc2_tiling.h"
