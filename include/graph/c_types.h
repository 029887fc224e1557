// Types and formats of tensors as constants of C.
#pragma once

#include "vinci/op/names.h"

enum {
#define VINCI_TYPE(name, number, bytes) C_DT_##name = number,
  VINCI_GE_TYPES(VINCI_TYPE)
#undef VINCI_TYPE
};

enum {
#define VINCI_FORMAT(name, number) C_FORMAT_##name = number,
  VINCI_GE_FORMATS(VINCI_FORMAT)
#undef VINCI_FORMAT
};
