// The older place of MatmulConfig and TCubeTiling.
#pragma once

#include "ascendc/matmul/config.h"
#include "ascendc/matmul/tiling_data.h"
