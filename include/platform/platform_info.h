// Older host code includes it for fe::PlatFormInfos and PlatformAscendC.
#pragma once

#include "platform/platform_infos_def.h"
#include "tiling/platform/platform_ascendc.h"
