// What a bit of CTRL rules.
#pragma once

#include "core/registers.h"

namespace vinci::control {

// On chips whose CTRL kernels cannot read, `bit` stands for what it does on the others.
inline void write_bit(Registers& registers, unsigned bit, bool value) {
  ControlRegister& control = registers.control;
  OverflowModes& modes = registers.overflow;
  control.bits = (control.bits & ~(uint64_t{1} << bit)) | uint64_t{value} << bit;
  if (bit == ControlRegister::kCasts) {
    modes.casts_keep_low_bits = value;
    return;
  }
  const bool saturate = !control.at(ControlRegister::kFloats);
  if (bit == ControlRegister::kFloats) modes.floats_saturate = saturate;
  modes.integers_clamp = saturate || control.at(ControlRegister::kIntegers);
}

}  // namespace vinci::control
