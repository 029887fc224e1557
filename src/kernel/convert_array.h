// Arrays of numbers from one element type to another: what convert.h says of one number, as fast as
// the host allows.
#pragma once

#include <cstddef>

#include "numeric/convert.h"

namespace vinci {

// Arrays hold lanes (convert.h), but int4 has two to a byte, the first in the low bits, and its
// count is even. Both arrays have `count` elements and any alignment. They are apart, or the same
// if both types have the same width.
using ConvertArray = void (*)(const void* in, void* out, size_t count);

// The bits of convert<to, from>() for each element, NaN included. Null for a pair of types that no
// instruction converts without a scale.
ConvertArray convert_array(DType to, DType from, Round mode, Overflow overflow);

}  // namespace vinci
