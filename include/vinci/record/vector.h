// Records of the vector unit's instructions.
#pragma once

#include "vinci/record.h"

namespace vinci {

// Which elements an instruction works on, exactly as the call said it.
struct Lanes {
  enum class Form : uint8_t {
    kCount,       // the first mask[0] elements, contiguous
    kContinuous,  // per repeat the first mask[0] lanes
    kBits,        // per repeat the lanes whose bit is set: mask[0] lanes 0..63, mask[1] 64..127
  };
  Form form = Form::kCount;
  bool set_mask = true;  // false: the call leaves the MASK register alone and uses its content
  uint16_t repeats = 0;
  uint64_t mask[2] = {0, 0};
};

inline Lanes lanes_count(uint64_t count) { return {Lanes::Form::kCount, true, 0, {count, 0}}; }
inline Lanes lanes_continuous(uint64_t mask, uint16_t repeats, bool set_mask = true) {
  return {Lanes::Form::kContinuous, set_mask, repeats, {mask, 0}};
}
inline Lanes lanes_bits(const uint64_t mask[2], uint16_t repeats, bool set_mask = true) {
  return {Lanes::Form::kBits, set_mask, repeats, {mask[0], mask[1]}};
}

// Strides in datablocks (32 B): between the blocks of a repeat and between repeats.
struct Stride {
  uint16_t block = 1;
  uint16_t repeat = 8;
};

// dst[i] = op(src0[i], src1[i])
struct BinaryRecord : Record {
  Operand dst, src0, src1;
  Lanes lanes;
  Stride dst_stride, src0_stride, src1_stride;
};

// dst[i] = scalar; the scalar's bits stand in the low bytes.
struct DuplicateRecord : Record {
  Operand dst;
  uint64_t scalar = 0;
  Lanes lanes;
  Stride dst_stride;
};

// dst[i] = src[(base + offset[i]) bytes]
struct GatherRecord : Record {
  Operand dst, src, offset;
  uint32_t base = 0;  // bytes, relative to src
  Lanes lanes;
  Stride dst_stride;
};

}  // namespace vinci
