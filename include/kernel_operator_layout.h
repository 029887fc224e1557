// Layout and what goes with it, where kernels look for them.
#pragma once

#include "ascendc/layout.h"
