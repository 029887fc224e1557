// Printing, where kernels look for it.
#pragma once

#include "ascendc/debug.h"
