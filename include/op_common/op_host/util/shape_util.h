#pragma once

#include "util/shape_util.h"
