// Records of the vector unit's instructions.
#pragma once

#include <type_traits>

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
  // Whether the mask is a number of elements in all repeats (Counter mode): as MASK says, which
  // Ascend C sets by calls of their own, or as the call says, in TIK.
  enum class Counter : uint8_t { kOfRegister, kOff, kOn };
  Form form = Form::kCount;
  bool set_mask = true;  // false: the call leaves the MASK register alone and uses its content
  int32_t repeats = 0;
  uint64_t mask[2] = {0, 0};
  Counter counter = Counter::kOfRegister;
};

// Stands for a mask where a call takes that of the register. The documents do not say its value: it
// is no number of lanes, and of no elements that a memory could hold.
inline constexpr uint64_t kMaskPlaceholder = 0x7FFFFF4D;

inline Lanes lanes_count(uint64_t count) { return {Lanes::Form::kCount, true, 0, {count, 0}}; }
inline Lanes lanes_continuous(uint64_t mask, int32_t repeats, bool set_mask = true) {
  return {Lanes::Form::kContinuous, set_mask, repeats, {mask, 0}};
}
// The words of a mask in bits: two, or the one that elements of 32 and 64 bits need.
struct LaneBits {
  template <class Words,
            class = std::enable_if_t<std::is_convertible<Words, const uint64_t*>::value>>
  LaneBits(Words words) : low(words[0]), high(words[1]) {}
  LaneBits(const uint64_t (&word)[1]) : low(word[0]) {}

  uint64_t low, high = 0;
};
inline Lanes lanes_bits(const LaneBits& mask, int32_t repeats, bool set_mask = true) {
  return {Lanes::Form::kBits, set_mask, repeats, {mask.low, mask.high}};
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

// What stands beside each datablock of src, were it continued by its own elements.
struct PaddingRecord : ElementwiseRecord {
  uint8_t mode = 0;    // 0: the outermost element; 1: mirrored; 2: mirrored without that element
  bool right = false;  // of which side
};

struct CastRecord : ElementwiseRecord {
  Round round = Round::kNone;
  // vec_conv, int32 to half: the product with the scale becomes a float before it becomes a half.
  bool product_in_float = false;
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
    kHalf,      // half_bits: for int32 to half
    kWord,      // scales[0]: for int16 to 8 bits
    kTable,     // scales, written to `table`: one for each of 16 lanes
    kRawWord,   // `word`, of which the form is that of the register
    kRawTable,  // 16 such words that stand in `table` already
  };
  Form form = Form::kHalf;
  uint16_t half_bits = 0;
  uint64_t word = 0;
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

// What a reduction to the largest or smallest of a repeat leaves of it. An index is the number of a
// lane, as an integer as wide as an element; alone it has 32 bits.
enum class ReduceOrder : uint8_t { kValueIndex, kIndexValue, kOnlyValue, kOnlyIndex };

// Lanes of each repeat of src become one value, or one for each datablock or pair of them, in dst.
struct ReduceRecord : Record {
  Operand dst, src;
  Lanes lanes;
  int32_t dst_repeat_stride = 1;  // its unit is what the instruction leaves of one repeat
  int32_t src_block_stride = 1;   // datablocks, as the next one
  int32_t src_repeat_stride = 8;
  ReduceOrder order = ReduceOrder::kValueIndex;
};

// All enabled lanes of src become one value in dst, by way of `work`. Blocks follow each other.
struct ReduceAllRecord : Record {
  Operand dst, src, work;
  Lanes lanes;
  int32_t src_repeat_stride = 8;  // datablocks
  bool with_index = false;        // behind the largest or smallest value its index
};

// Between elements and the field `field` of region proposals, 16 of them a repeat; or proposals
// sorted by their scores, where there is no field.
struct ProposalRecord : Record {
  Operand dst, src;
  int32_t repeats = 0;
  int32_t field = 0;  // 0..5: x1, y1, x2, y2, score, label
};

// 32 pairs of a score and an index a repeat, sorted by their scores.
struct Sort32Record : Record {
  Operand dst, score, index;
  int32_t repeats = 0;
};

// Sorted queues become one.
struct MergeSortRecord : Record {
  Operand dst, src[4];
  uint16_t lengths[4] = {0, 0, 0, 0};  // of each queue
  bool stop_when_one_is_empty = false;
  uint16_t valid = 0;  // a bit for each queue: 3, 7, 15
  int32_t repeats = 0;
};

// Squares of 16 x 16 elements of 16 bits; strides in squares (512 B) from one to the next.
struct TransposeRecord : Record {
  Operand dst, src;
  uint16_t repeats = 1;
  uint16_t dst_stride = 1, src_stride = 1;
};

// 16 datablocks to 16 others, transposed; strides in datablocks between repeats.
struct TransposeBlocksRecord : Record {
  Operand dst[16], src[16];
  uint16_t repeats = 1;
  uint16_t dst_stride = 0, src_stride = 0;
  bool dst_high = false, src_high = false;  // 8 bits: the upper half of each datablock
};

// An image of `places` times `channels` elements: channel by channel, or place by place.
struct ImageTransposeRecord : Record {
  Operand dst, src;
  Operand scratch;  // type kNone: none is named
  int32_t places = 0, channels = 0;
  bool to_places = false;  // src is channel by channel and dst place by place; else the other way
};

// dst[i] = src[(base + offset[i]) bytes]
struct GatherRecord : Record {
  Operand dst, src, offset;
  uint32_t base = 0;  // bytes, relative to src
  Lanes lanes;
  Stride dst_stride;
};

}  // namespace vinci
