// Bits of the CTRL register: what becomes of results that their type cannot hold.
#pragma once

#include "ascendc/mask.h"
#include "vinci/door.h"
#include "vinci/record/vector.h"

namespace vinci::isa {
extern const Instruction set_cast_overflow_mode, set_ctrl_spr, set_overflow, set_saturation_flag;
}  // namespace vinci::isa

namespace AscendC {

// The numbers are those of the bits in CTRL.
enum class SaturationMode : uint8_t {
  FLOAT = 48,   // half and bfloat16 results: infinities to the largest number, NaN to 0
  FLOAT8 = 50,  // of chips that vinci does not know
  INT = 53,     // integer arithmetic: to the ends of the range
  CAST = 59,    // conversions to integers: to the ends of the range
};

template <int8_t startBit, int8_t endBit>
void SetCtrlSpr(int64_t value) {
  vinci::issue(vinci::SetCtrlRecord{{&vinci::isa::set_ctrl_spr}, startBit, endBit, value});
}
template <int8_t startBit, int8_t endBit>
int64_t GetCtrlSpr() {
  return vinci::control_bits(startBit, endBit);
}

// Saturate, or keep infinities and NaN (FLOAT), wrap around (INT), keep the low bits (CAST).
template <SaturationMode mode>
void SetSaturationFlag(bool enableSat) {
  vinci::issue(
      vinci::SetSaturationRecord{{&vinci::isa::set_saturation_flag}, uint8_t(mode), enableSat});
}
template <SaturationMode mode>
bool GetSaturationFlag() {
  return vinci::saturation_flag(int(mode));
}

// true: conversions to integers keep the low bits of what is out of range.
template <bool castMode>
void SetCastOverflowMode() {
  vinci::issue(vinci::SetSaturationRecord{{&vinci::isa::set_cast_overflow_mode}, 0, !castMode});
}

namespace in_api {

// All of CTRL, by the function `name`: bits 48, 53 and 59 say what becomes of results that their
// type cannot hold, bit 56 is Counter mode. Any other bit that changes is a fault.
inline void set_control_word(const char* name, uint64_t config) {
  const uint64_t changed = config ^ vinci::control_word();
  const auto has = [](uint64_t bits, int at) { return (bits >> at & 1) != 0; };
  if ((changed &
       ~(uint64_t(1) << 48 | uint64_t(1) << 53 | uint64_t(1) << 56 | uint64_t(1) << 59)) != 0) {
    vinci::bad_argument(name, "config", int64_t(config),
                        "what was in CTRL, but for bits 48, 53, 56 and 59");
    return;
  }
  if (has(changed, 48)) SetCtrlSpr<48, 48>(has(config, 48));
  if (has(changed, 53)) SetCtrlSpr<53, 53>(has(config, 53));
  if (has(changed, 59)) SetCtrlSpr<59, 59>(has(config, 59));
  if (has(changed, 56)) has(config, 56) ? SetMaskCount() : SetMaskNorm();
}

}  // namespace in_api

class AscendCUtils {
 public:
  // 1: infinities and NaN stay and integers wrap around; else results saturate.
  static void SetOverflow(uint64_t ctrlValue) {
    vinci::issue(vinci::SetSaturationRecord{{&vinci::isa::set_overflow}, 0, ctrlValue != 1});
  }

  // MASK: the first len lanes, or bits of lanes 64..127 and 0..63.
  template <class T, bool isSetMask = true>
  static void SetMask(const int32_t& len) {
    if constexpr (isSetMask) SetVectorMask<T>(len);
  }
  template <class T, bool isSetMask = true>
  static void SetMask(const uint64_t& maskHigh, const uint64_t& maskLow) {
    if constexpr (isSetMask) SetVectorMask<T>(maskHigh, maskLow);
  }
  static void ResetMask() { AscendC::ResetMask(); }
  template <class T = uint8_t>
  static void SetMaskCount() {
    AscendC::SetMaskCount();
  }
  template <class T = uint8_t>
  static void SetMaskNorm() {
    AscendC::SetMaskNorm();
  }
  // Bytes, and elements of `bytes` each, of a row of a fractal.
  static constexpr int32_t GetC0Size() { return DEFAULT_C0_SIZE; }
  static constexpr int32_t GetC0Count(int32_t bytes) { return DEFAULT_C0_SIZE / bytes; }
};

}  // namespace AscendC
