#pragma once

#include "op_common/op_host/tiling_templates_registry.h"
