// Records of the vector unit's instructions.
#pragma once

#include "vinci/record.h"
#include "vinci/round.h"

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

// dst[i] = op(src0[i], src1[i], scalar): what works element by element. Sources that an instruction
// does not have keep the type kNone. In the count form the strides do not matter.
struct ElementwiseRecord : Record {
  Operand dst, src0, src1;
  Lanes lanes;
  Stride dst_stride, src0_stride, src1_stride;
  uint64_t scalar = 0;  // its bits stand in the low bytes
  DType scalar_dtype = DType::kNone;
};

struct ShiftRecord : ElementwiseRecord {
  bool round = false;  // ShiftRight: adds the last bit shifted out
};

struct CastRecord : ElementwiseRecord {
  Round round = Round::kNone;
};

enum class Comparison : uint8_t { kLess, kGreater, kEqual, kLessEqual, kGreaterEqual, kNotEqual };

// Bit i is whether src0[i] compares so with src1[i], or with the scalar if src1 has no type. The
// bits go to dst one after the other, whatever its type and stride; or to CMPMASK if it has none.
struct CompareRecord : ElementwiseRecord {
  Comparison comparison = Comparison::kLess;
};

// dst[i] = bit i of sel ? src0[i] : src1[i]
struct SelectRecord : ElementwiseRecord {
  enum class Mode : uint8_t {
    kOneRepeat,     // each repeat begins with bit 0 anew; sel of type kNone: the bits of CMPMASK
    kTensorScalar,  // the scalar for src1; scalar_dtype kNone: CMPMASK has it in its low bits
    kTensorTensor,  // sel of type kNone: CMPMASK has its address in UB
  };
  Operand sel;
  Mode mode = Mode::kOneRepeat;
};

// CMPMASK from 16 bytes of UB, or to them.
struct CompareMaskRecord : Record {
  Operand tensor;
};

// Elements of src whose bit is set, packed into dst; how many there are, goes to RSVD_CNT.
struct GatherMaskRecord : Record {
  Operand dst, src;
  Operand pattern;       // bits; type kNone: `fixed` says which
  uint8_t fixed = 0;     // 1..7
  bool counter = false;  // Counter mode: `elements` count instead of repeats of 256 bytes
  uint32_t elements = 0;
  uint16_t repeats = 0;
  Stride src_stride;
  uint16_t pattern_repeat_stride = 8;  // datablocks
};

// Each datablock of dst is one element of src, eight to a repeat.
struct BroadcastBlockRecord : Record {
  Operand dst, src;
  uint16_t repeats = 0;
  Stride dst_stride;
};

// Each datablock of dst is the one of src that an offset points to, eight to a repeat.
struct GatherBlockRecord : Record {
  Operand dst, src, offset;
  uint16_t repeats = 0;
  Stride dst_stride;
};

// int16 to 8 bits, int32 to half, with the scale of the DEQSCALE register.
struct CastDequantRecord : ElementwiseRecord {
  bool vector = false;     // a scale for each of 16 lanes, not one for all
  bool high_half = false;  // results in bytes 16..31 of each datablock, not 0..15
};

// result = integer * scale + offset, brought into int8 or uint8.
struct DeqScale {
  float scale = 0;
  int16_t offset = 0;  // -256..255
  bool is_signed = false;
};

struct SetDeqScaleRecord : Record {
  enum class Form : uint8_t {
    kHalf,   // half_bits: for int32 to half
    kWord,   // scales[0]: for int16 to 8 bits
    kTable,  // scales, written to `table`: one for each of 16 lanes
  };
  Form form = Form::kHalf;
  uint16_t half_bits = 0;
  DeqScale scales[16];
  Operand table;
};

// The MASK register for later calls with isSetMask = false. The form kCount: mask[0] is the number
// of elements of Counter mode.
struct SetVectorMaskRecord : Record {
  Lanes lanes;
  DType dtype = DType::kNone;  // of the elements that the lanes are meant for
};

// Bits first..last of CTRL.
struct SetCtrlRecord : Record {
  int8_t first = 0, last = 0;
  int64_t value = 0;
};

// What becomes of results that their type cannot hold; of SetSaturationFlag, SetCastOverflowMode
// and AscendCUtils::SetOverflow.
struct SetSaturationRecord : Record {
  uint8_t mode = 0;  // SetSaturationFlag's: the number of a bit in CTRL
  bool saturate = false;
};

// dst[i] = src[(base + offset[i]) bytes]
struct GatherRecord : Record {
  Operand dst, src, offset;
  uint32_t base = 0;  // bytes, relative to src
  Lanes lanes;
  Stride dst_stride;
};

}  // namespace vinci
