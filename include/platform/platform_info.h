// Host code names it for PlatFormInfos, which only passes through.
#pragma once

#include "tiling/platform/platform_ascendc.h"
