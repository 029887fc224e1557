// The state that instructions leave behind for later ones.
#pragma once

#include <algorithm>
#include <cstdint>

#include "soc/soc.h"
#include "vinci/record.h"
#include "vinci/record/aipp.h"

namespace vinci {

// The feature map's description for 3D loads, as SetFmatrix or a load with isSetFMatrix wrote it.
struct FeatureMap {
  uint16_t h = 0, w = 0;
  uint8_t pad[4] = {0, 0, 0, 0};  // left, right, top, bottom
};

// How often LoadData 3D v2 repeats its block, as SetLoadDataRepeat wrote it.
struct LoadRepeat {
  uint16_t stride = 0;  // from a block to the next, in the units of the mode
  uint8_t times = 1;
  uint8_t mode = 0;  // 0: down the matrix, 1: along its rows
};

// VA0..VA7: eight addresses in UB each. Scalar code reads them where it makes a record.
class AddressRegisters {
 public:
  static constexpr uint32_t kRegisters = 8, kAddresses = 8;

  void set(uint32_t number, const uint64_t* addresses) {
    if (number >= kRegisters) return;
    std::copy_n(addresses, kAddresses, addresses_ + number * kAddresses);
    is_set_[number] = true;
  }
  // Those of two neighbours; false if there are none.
  bool read(uint32_t first, uint64_t* to) const {
    if (first + 1 >= kRegisters || !is_set_[first] || !is_set_[first + 1]) return false;
    std::copy_n(addresses_ + first * kAddresses, 2 * kAddresses, to);
    return true;
  }

 private:
  uint64_t addresses_[kRegisters * kAddresses] = {};
  bool is_set_[kRegisters] = {};
};

// What DataCopy out of L0C takes from SetFixPipeConfig, SetFixpipePreQuantFlag,
// SetFixpipeNz2ndFlag, SetFixPipeClipRelu and SetFixPipeAddr.
struct FixpipeRegisters {
  Operand scales;  // in FB: one 64-bit word for each column; dtype kNone until set
  bool unit_flag = false;
  bool has_scale = false;
  uint64_t scale = 0;
  bool has_matrices = false;
  uint16_t matrices = 0, src_matrix_stride = 0, dst_matrix_stride = 0;
  bool has_clip = false;             // SetFixPipeClipRelu's
  uint16_t clip = 0;                 // a half
  Operand element_wise;              // SetFixPipeAddr's; dtype kNone until set
  uint16_t element_wise_stride = 0;  // 32 B, from 16 columns to the next
};

// How Mmad takes float operands, as SetHF32Mode and SetHF32TransMode wrote it.
struct Hf32Registers {
  bool on = false;
  bool ties_away = false;  // from 0; else to even
};

// Which lanes vector instructions work on where their call does not say it.
struct MaskRegister {
  uint64_t bits[2] = {~uint64_t{0}, ~uint64_t{0}};  // lanes 0..63, 64..127
  bool counter = false;  // Counter mode: the low 32 bits of bits[0] are a number of elements
};

// The bits of CTRL that kernels may write and read.
struct ControlRegister {
  static constexpr unsigned kFloats = 48;    // 0: half and bfloat16 results saturate
  static constexpr unsigned kIntegers = 53;  // 1: integer arithmetic clamps
  static constexpr unsigned kCasts = 59;     // 0: conversions to integers clamp

  static constexpr bool has(int64_t bit) {
    return bit == kFloats || bit == kIntegers || bit == kCasts;
  }
  bool at(unsigned bit) const { return bits >> bit & 1; }

  uint64_t bits = uint64_t{1} << kFloats;
};

// What becomes of results that their type cannot hold: what the chip does at the start, and what
// CTRL says once it was written.
struct OverflowModes {
  bool floats_saturate = false;      // half and bfloat16: inf to the largest value, NaN to 0
  bool integers_clamp = false;       // Add, Mul, ...; else they wrap
  bool casts_keep_low_bits = false;  // conversions to integers; else they clamp
};

// The DEQSCALE register: one 64-bit word, or the place in UB of 16.
struct DeqScaleRegister {
  uint64_t word = 0x3C00;  // as half: 1.0
  bool is_half = true;     // word is a half, for int32 to half only
  Operand table;           // dtype kNone: there is none
};

// What copies into GM do with what is there.
struct AtomicRegister {
  enum class Op : uint8_t { kNone, kAdd, kMax, kMin };
  Op op = Op::kNone;
  DType dtype = DType::kNone;
};

// Registers whose content data decide: they lie in a memory of their own, Space::kCells.
struct Cells {
  uint64_t compare_mask[2];  // CMPMASK: bits that Compare leaves for Select, lanes 0..63, 64..127
  uint64_t gathered;         // RSVD_CNT: how many elements the last GatherMask kept
  uint16_t merged[4];        // how many elements of each queue the last merge took
  uint32_t sum;              // of the last ReduceSum of n elements, in its type
  uint32_t extreme;          // the largest or smallest value that a reduction found last
  uint32_t extreme_index;    // its index, in the number of bits of its type
  uint32_t suppressed;       // RPN_COR_IR: a bit for each of 16 proposals, for rpn_cor_diag
};
static_assert(sizeof(Cells) == kCellBytes);

// Sums of Conv2D with partialSum that wait at the start of L0C for a later call.
struct PartialSums {
  Operand dst;  // of the call; dtype kNone: there are none
  uint32_t rows = 0, columns = 0;
};

// By which copies from UB come to TSCM.
struct TscmPassage {
  bool has_matmul = false;  // the block has begun a Matmul, whose workspace they pass through
  Operand buffer;           // in GM; dtype kNone until a copy needed it
};

// The tiles that L0C holds of Matmul objects, of each its latest.
class MatmulSums {
 public:
  // The object's sums lie there now, and what lay there no longer does.
  void keep(uint64_t object, int64_t tile, const Operand& l0c) {
    const Tile added{object, tile, l0c.address, l0c.address + l0c.bytes};
    const auto is_gone = [&](const Tile& old) {
      return old.object == object || (old.first < added.end && added.first < old.end);
    };
    std::ranges::replace_if(tiles_, is_gone, Tile{});
    auto place = std::ranges::find(tiles_, uint64_t{0}, &Tile::object);
    if (place == tiles_.end()) --place;
    std::rotate(tiles_.begin(), place, place + 1);  // the latest first
    tiles_.front() = added;
  }
  bool holds(uint64_t object, int64_t tile, const Operand& l0c) const {
    return std::ranges::any_of(tiles_, [&](const Tile& kept) {
      return kept.object == object && kept.tile == tile && kept.first == l0c.address;
    });
  }
  // Where the object's next sums may lie in [start, end): where its last do, else beside those of
  // others, else over the oldest.
  uint64_t place_for(uint64_t object, uint64_t bytes, uint64_t start, uint64_t end) const;

 private:
  struct Tile {
    uint64_t object = 0;  // 0: none
    int64_t tile = 0;
    uint64_t first = 0, end = 0;  // bytes of L0C
  };
  std::array<Tile, 8> tiles_;  // the latest first: four objects of each of two AIVs
};

struct Registers {
  AtomicRegister atomic;
  MaskRegister mask;
  bool compare_mask_is_address = false;  // CMPMASK came from UB, and may say where bits lie there
  DeqScaleRegister deq_scale;
  ControlRegister control;
  OverflowModes overflow;
  FeatureMap fmatrix;
  FeatureMap fmatrix_right;              // FMATRIX_B
  uint32_t padding = 0;                  // the pad value's bits, repeated to fill the word
  uint64_t copy_padding = ~uint64_t{0};  // of DataCopyPad, repeated to fill the word
  bool copy_padding_is_set = false;      // else nobody knows what it is
  LoadRepeat load_repeat;                // of LoadData 3D v2
  float box_offset = 1;                  // RPN_OFFSET: a side is longer than its ends are apart
  uint32_t load_boundary = 0;  // SetLoadDataBoundary's; its unit is the load's own. 0: none
  FixpipeRegisters fixpipe;
  Hf32Registers hf32;
  PartialSums partial_sums;
  MatmulSums matmul_sums;
  TscmPassage tscm_passage;
  Aipp aipp;  // SetAippFunctions'; its `out` is kNone until then
};

}  // namespace vinci
