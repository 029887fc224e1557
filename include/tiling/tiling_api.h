// Host code includes it for the tilings of library functions, of which vinci has Matmul's, and for
// the platform that it brings.
#pragma once

#include <iostream>  // programs take it from here

#include "tiling/matmul/matmul_tiling.h"
#include "tiling/platform/platform_ascendc.h"
