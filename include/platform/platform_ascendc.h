// Host code names the class by this path, too.
#pragma once

#include "tiling/platform/platform_ascendc.h"
