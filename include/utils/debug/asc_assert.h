// Assertions, where kernels look for them.
#pragma once

#include "ascendc/debug.h"
