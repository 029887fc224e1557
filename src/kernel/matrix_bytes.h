// The multiplication of bytes and int4 with what some hosts have for it: AMX tiles, or VNNI.
#pragma once

#include "kernel/matrix.h"

namespace vinci::matrix {

// From the slowest to the fastest.
enum class ByteUnit { kNone, kVnni, kAmx };

// The fastest that this host has and that this build of the library can use.
ByteUnit byte_unit();

// Whether the unit multiplies these types in this shape: not a vector A, and VNNI not uint8 by
// uint8.
bool takes(ByteUnit unit, DType a_type, DType b_type, const Product& product);

// As multiply() in matrix.h, to the bit, on a unit that takes() it and is no faster one than
// byte_unit() has said.
void multiply_bytes(ByteUnit unit, const uint8_t* a, DType a_type, const uint8_t* b, DType b_type,
                    const Product& product, int32_t* c);

}  // namespace vinci::matrix
