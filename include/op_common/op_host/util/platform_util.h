#pragma once

#include "util/platform_util.h"
