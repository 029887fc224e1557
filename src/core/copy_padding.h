// The register with what DataCopyPad writes beside the data.
#pragma once

#include "core/registers.h"
#include "vinci/dtype.h"

namespace vinci::copy_padding {

// The low bits of `value`, as an element of the type has them, repeated to fill the register.
inline void write(Registers& registers, DType dtype, uint64_t value) {
  const unsigned bits = bits_of(dtype);
  if (bits < 64) value &= (uint64_t{1} << bits) - 1;
  for (unsigned filled = bits; filled < 64; filled *= 2) value |= value << filled;
  registers.copy_padding = value;
  registers.copy_padding_is_set = true;
}

}  // namespace vinci::copy_padding
