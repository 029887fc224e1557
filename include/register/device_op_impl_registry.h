// Tiling that the toolkit runs on an AI CPU. Here it runs where all tiling does.
#pragma once

#include "register/op_impl_registry.h"

#define DEVICE_IMPL_OP_OPTILING(type) \
  VINCI_IMPL_OP(VINCI_OP_JOIN(device_op_impl_register_optiling_##type, __COUNTER__), type)
