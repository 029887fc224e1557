// A chip's differences, said apart from the definition: REGISTER_OP_AICORE_CONFIG.
#pragma once

#include "register/op_def.h"

#define REGISTER_OP_AICORE_CONFIG(type, soc, ...)                                  \
  __attribute__((unused)) static const bool VINCI_OP_JOIN(g_##type##soc##_config_, \
                                                          __COUNTER__) = [] {      \
    const ops::OpAICoreConfig config = (__VA_ARGS__)();                            \
    vinci::op::JsonText json;                                                      \
    config.write(json);                                                            \
    vinci::op::add_chip(#type, #soc, json.text());                                 \
    return true;                                                                   \
  }()
