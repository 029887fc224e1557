// Kernels include it for Matmul, which vinci does not have, and for the rest that it brings.
#pragma once

#include "kernel_operator.h"
