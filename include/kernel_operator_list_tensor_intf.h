// ListTensorDesc and TensorDesc, where kernels look for them.
#pragma once

#include "ascendc/list_tensor.h"
