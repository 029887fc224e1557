// Records of the copies between memories.
#pragma once

#include "vinci/record.h"

namespace vinci {

// `blocks` bursts of `length` units; gaps are from the end of one burst to the start of the next.
// The unit is 32 B except where an instruction says otherwise.
struct Bursts {
  uint16_t blocks = 1;
  uint16_t length = 0;
  uint16_t src_gap = 0;
  uint16_t dst_gap = 0;
};

struct DataCopyRecord : Record {
  Operand dst, src;
  bool by_count = false;
  uint64_t count = 0;  // elements, when by_count
  Bursts bursts;       // otherwise
};

// What later copies into GM do with what is there: GM = op(GM, data) in this type.
struct SetAtomicRecord : Record {
  DType dtype = DType::kNone;
};

// Bursts of any number of bytes between GM and UB. In UB each starts at a datablock.
struct DataCopyPadRecord : Record {
  Operand dst, src;
  uint16_t blocks = 1;
  uint32_t length = 0;                // bytes
  uint32_t src_gap = 0, dst_gap = 0;  // in GM bytes, in UB datablocks
  // Into UB: elements written before and after each burst, and what they are.
  uint8_t left = 0, right = 0;
  bool has_value = false;  // false: what SetPadValue or the last such copy left
  uint64_t value = 0;      // its bits stand in the low bytes
};

struct SetPadValueRecord : Record {
  DType dtype = DType::kNone;
  uint64_t value = 0;  // its bits stand in the low bytes
};

// DataCopyEnhancedParams as the documents number them.
struct EnhancedCopy {
  enum class BlockMode : uint8_t { kNormal, kMatrix, kVector, kSmallChannel, kDepthwise };
  enum class Dequant : uint8_t { kNone, kDeq, kVdeq, kDeq8, kVdeq8, kDeq16, kVdeq16 };
  BlockMode block_mode = BlockMode::kNormal;
  Dequant dequant = Dequant::kNone;
  uint8_t sid_store_mode = 0;
  bool relu = false;
  uint64_t dequant_value = 0;  // the scale word of the scalar modes
};

// Between L0C and UB, either way. `bursts.length` counts fractals of L0C, or their first rows.
struct DataCopyL0CRecord : Record {
  Operand dst, src;
  Operand scales;  // of the vector modes: where deqTensorAddr points
  Bursts bursts;
  EnhancedCopy enhanced;
};

// Nd2NzParams: row-major matrices to zN. The last three strides count 32 B, 32 B and elements.
struct Nd2NzRecord : Record {
  Operand dst, src;
  uint16_t matrices = 0, rows = 0, columns = 0;
  uint16_t src_matrix_stride = 0, src_row_stride = 0;  // elements
  uint16_t dst_c0_stride = 0, dst_row_stride = 0, dst_matrix_stride = 0;
};

// From UB to TSCM, through GM. DataCopyPad's form says how bursts come to lie in GM.
struct CopyToTscmRecord : Nd2NzRecord {
  uint16_t blocks = 0;                // of DataCopyPad alone, as the three below
  uint32_t length = 0;                // bytes
  uint32_t src_gap = 0, dst_gap = 0;  // datablocks, bytes
};

// Nz2NdParamsFull: zN, with fractals of 16 x 16, to row-major matrices.
struct Nz2NdRecord : Record {
  Operand dst, src;
  uint16_t matrices = 0, rows = 0, columns = 0;
  uint16_t src_matrix_stride = 0, src_column_stride = 0;  // 256 and 16 elements
  uint16_t dst_row_stride = 0, dst_matrix_stride = 0;     // elements
};

// Out of L0C through the fixed pipe; see docs/spec/fixpipe.md for the modes.
struct FixpipeRecord : Record {
  enum class Quant : uint8_t {
    kNone = 0,
    kF32ToF16 = 1,
    kVectorReq8 = 8,
    kReq8 = 9,
    kVectorDeqF16 = 10,
    kDeqF16 = 11,
    kF32ToBf16 = 16,
    kVectorF32ToB8 = 23,
    kF32ToB8 = 24,
  };
  Operand dst, src;
  Operand scales;  // of the vector modes: one 64-bit word for each column
  uint16_t n = 0, m = 0;
  uint16_t src_stride = 0;  // 16 elements, between blocks of 16 columns
  uint32_t dst_stride = 0;  // row-major: elements between rows; zN: 32 B between column blocks
  Quant quant = Quant::kNone;
  bool row_major = true;
  bool relu = false;
  bool channel_split = false;
  uint64_t scale = 0;  // the word of the scalar modes
  uint16_t matrices = 1;
  uint16_t src_matrix_stride = 0;  // fractals of 256 elements
  uint16_t dst_matrix_stride = 0;  // elements
  uint8_t unit_flag = 0;           // 2, 3: waits for, and sets, those of L0C's blocks
  // DataCopy's form: scale, scales and the three numbers of the matrices come from registers.
  bool from_registers = false;
  uint8_t clip_relu = 0;     // 1: results are SetFixPipeClipRelu's number at most
  uint8_t element_wise = 0;  // 1: SetFixPipeAddr's tensor is added, 2: subtracted
};

// The scales in FB for later DataCopy out of L0C.
struct SetFixPipeConfigRecord : Record {
  Operand relu, quant;  // relu: a tensor that no chip here takes yet
  bool unit_flag = false;
};
struct SetFixpipePreQuantRecord : Record {
  uint64_t scale = 0;
};
struct SetFixPipeClipReluRecord : Record {
  uint64_t config = 0;  // bits 0..15: a half
};
struct SetFixPipeAddrRecord : Record {
  Operand element_wise;
  uint16_t c0_stride = 0;  // 32 B, from 16 columns to the next
};
struct SetFixpipeNz2ndRecord : Record {
  uint16_t matrices = 0;
  uint16_t src_matrix_stride = 0;  // fractals of 256 elements
  uint16_t dst_matrix_stride = 0;  // elements
};

}  // namespace vinci
