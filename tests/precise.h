// The value of a function with 200 digits, by MPFR, and the float and the half next to it.
#pragma once

#include <mpfr.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace vinci {

// mpfr_exp, mpfr_log, ...
using MpfrFunction = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

// Rounded first to 200 digits and then to the result's, which is right: no value of the elementary
// functions comes nearer than 2^-100 to the middle of two floats without being that middle.
class Precise {
 public:
  Precise(MpfrFunction function, float x) {
    mpfr_init2(value_, 200);
    mpfr_set_flt(value_, x, MPFR_RNDN);
    function(value_, value_, MPFR_RNDN);
  }
  ~Precise() { mpfr_clear(value_); }
  Precise(const Precise&) = delete;
  Precise& operator=(const Precise&) = delete;

  float nearest_float() const { return mpfr_get_flt(value_, MPFR_RNDN); }

  // Its bits. NaN is the positive quiet one.
  uint16_t nearest_half() const {
    constexpr int kLeastUnit = -24;  // the last digit of subnormal halves counts 2^-24
    constexpr int kInfinity = 0x7C00;
    if (mpfr_nan_p(value_)) return 0x7E00;
    const int sign = mpfr_signbit(value_) ? 0x8000 : 0;
    if (mpfr_zero_p(value_)) return uint16_t(sign);
    if (mpfr_inf_p(value_) || mpfr_get_exp(value_) > 17) return uint16_t(sign | kInfinity);
    const int unit = std::max(int(mpfr_get_exp(value_)) - 11, kLeastUnit);
    mpfr_t scaled;
    mpfr_init2(scaled, 200);
    mpfr_mul_2si(scaled, value_, -unit, MPFR_RNDN);  // exact
    const int digits = int(std::labs(mpfr_get_si(scaled, MPFR_RNDN)));
    mpfr_clear(scaled);
    // The leading digit of a normal half, or a carry into it, counts as one exponent.
    return uint16_t(sign | std::min(((unit - kLeastUnit) << 10) + digits, kInfinity));
  }

 private:
  mpfr_t value_;
};

}  // namespace vinci
