#pragma once

#include <cstdint>

#include "kernel_tiling/kernel_tiling.h"

class MatmulAllReduceTilingData {
public:
    Mc2InitTiling mc2InitTiling;
    Mc2CcTiling mc2CcTiling;
    TCubeTiling cubeTiling;
};
