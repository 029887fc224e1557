// What kernels include for Matmul. ASCENDC_CUBE_ONLY, defined before it: objects work on the AIC
// where they are, and not for the AIVs of its block.
#pragma once

#include "kernel_operator.h"

#ifdef ASCENDC_CUBE_ONLY
#define VINCI_MATMUL_ON_AIC_ONLY true
#else
#define VINCI_MATMUL_ON_AIC_ONLY false
#endif

#include "ascendc/matmul/matmul.h"
