// From the list of its fields to a struct that holds zeros.
#pragma once

#include <cstdint>

#define VINCI_TILING_FIELD(type, name) type name = 0;
// `fields` is a macro that takes another, Field(type, name), and calls it for each of its own.
#define VINCI_LIBRARY_TILING(name, fields) \
  struct name {                           \
    fields(VINCI_TILING_FIELD)            \
  };
