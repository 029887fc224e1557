// Older projects include it for tiling functions.
#pragma once

#include "register/op_def_registry.h"
