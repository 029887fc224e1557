// Host code includes it for the tilings of library functions, of which vinci has none yet, and for
// the platform that it brings.
#pragma once

#include "tiling/platform/platform_ascendc.h"
