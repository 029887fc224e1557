// Formats and types of tensors of Conv3D and its gradients, as host code and kernels name them.
#pragma once

#include "vinci/position.h"

namespace ConvCommonApi {

using TPosition = vinci::Position;
enum class ConvFormat { ND, NCDHW, NDC1HWC0, FRACTAL_Z_3D };
enum class ConvDtype { FLOAT16, FLOAT32, BF16, FLOAT = FLOAT32 };

}  // namespace ConvCommonApi
