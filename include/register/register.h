// Older projects include it for all that definitions need.
#pragma once

#include "register/op_def_registry.h"
