// What kernels include for Conv3D.
#pragma once

#include "ascendc/conv3d.h"
#include "kernel_operator.h"
