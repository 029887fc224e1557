// What definitions of operators include: OP_ADD, and all that they are made of.
#pragma once

#include "graph/ge_error_codes.h"
#include "graph/types.h"
#include "register/op_config_registry.h"
#include "register/op_def.h"
#include "register/op_impl_registry.h"
#include "register/tilingdata_base.h"

#define OP_ADD(type, ...)                                                                        \
  __attribute__((unused)) static const bool VINCI_OP_JOIN(g_##type##_added_, __COUNTER__) = [] { \
    type definition(#type);                                                                      \
    definition.add(#type, __FILE__);                                                             \
    return true;                                                                                 \
  }()
