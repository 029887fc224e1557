// The MASK register and its two modes, for vector calls with isSetMask = false: SetVectorMask,
// ResetMask, SetMaskCount, SetMaskNorm.
#pragma once

#include "ascendc/vector.h"

namespace vinci::isa {
extern const Instruction reset_mask, set_mask_count, set_mask_norm, set_vector_mask;
}  // namespace vinci::isa

namespace AscendC {

enum class MaskMode : uint8_t {
  NORMAL = 0,  // a bit for each lane of a repeat
  COUNTER,     // the number of elements of all repeats together
};

// Later vector calls read the register as MaskMode::COUNTER says, until SetMaskNorm.
inline void SetMaskCount() { vinci::issue(vinci::Record{&vinci::isa::set_mask_count}); }
// Back to a bit for each lane, as at the start.
inline void SetMaskNorm() { vinci::issue(vinci::Record{&vinci::isa::set_mask_norm}); }

// NORMAL: bits of lanes 64..127 and 0..63. COUNTER: maskLow elements, maskHigh is 0.
template <class T, MaskMode mode = MaskMode::NORMAL>
void SetVectorMask(const uint64_t maskHigh, const uint64_t maskLow) {
  static_assert(vinci::dtype_of<T> != vinci::DType::kNone, "SetVectorMask<T>: an element type");
  using Form = vinci::Lanes::Form;
  const Form form = mode == MaskMode::COUNTER ? Form::kCount : Form::kBits;
  vinci::issue(vinci::SetVectorMaskRecord{
      {&vinci::isa::set_vector_mask}, {form, true, 0, {maskLow, maskHigh}}, vinci::dtype_of<T>});
}
// NORMAL: the first len lanes. COUNTER: len elements.
template <class T, MaskMode mode = MaskMode::NORMAL>
void SetVectorMask(int32_t len) {
  static_assert(vinci::dtype_of<T> != vinci::DType::kNone, "SetVectorMask<T>: an element type");
  using Form = vinci::Lanes::Form;
  const Form form = mode == MaskMode::COUNTER ? Form::kCount : Form::kContinuous;
  vinci::issue(vinci::SetVectorMaskRecord{{&vinci::isa::set_vector_mask},
                                          {form, true, 0, {uint64_t(int64_t(len)), 0}},
                                          vinci::dtype_of<T>});
}
// All lanes.
inline void ResetMask() { vinci::issue(vinci::Record{&vinci::isa::reset_mask}); }

}  // namespace AscendC
