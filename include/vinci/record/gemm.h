// Gemm: its tiling, spelled as the documents spell it, and its record.
#pragma once

#include "vinci/record.h"
#include "vinci/record/conv2d.h"

namespace vinci {

// How the product of M rows and N columns along K is cut. "Block" is 16 rows of M or columns of N,
// or c0Size of K; "Tile" is what one Mmad takes, and "Iter" how many tiles there are.
struct GemmTiling {
  const uint32_t blockSize = 16;
  LoopMode loopMode = LoopMode::MODE_NM;

  uint32_t mNum = 0;
  uint32_t nNum = 0;
  uint32_t kNum = 0;

  uint32_t roundM = 0;
  uint32_t roundN = 0;
  uint32_t roundK = 0;

  uint32_t c0Size = 32;  // elements in 32 bytes
  uint32_t dtypeSize = 1;

  uint32_t mBlockNum = 0;
  uint32_t nBlockNum = 0;
  uint32_t kBlockNum = 0;

  uint32_t mIterNum = 0;
  uint32_t nIterNum = 0;
  uint32_t kIterNum = 0;

  uint32_t mTileBlock = 0;
  uint32_t nTileBlock = 0;
  uint32_t kTileBlock = 0;

  uint32_t kTailBlock = 0;
  uint32_t mTailBlock = 0;
  uint32_t nTailBlock = 0;

  bool kHasTail = false;
  bool mHasTail = false;
  bool nHasTail = false;

  bool kHasTailEle = false;
  uint32_t kTailEle = 0;  // elements of the last tile of K, if it is no whole tile
};

// The tiling of a product whose A has elements of `type`. Runs on a core or in a host program.
// Sizes that are not legal are a fault at the caller's line and make a tiling of zeros; a host
// program ends.
VINCI_OWN_LINE GemmTiling gemm_tiling(uint32_t m, uint32_t k, uint32_t n, DType type);

// dst[m x n] (+)= src0[m x k] * src1[k x n]; sizes in elements.
struct GemmRecord : Record {
  Operand dst, src0, src1;
  uint32_t m = 0, k = 0, n = 0;
  GemmTiling tiling;
  bool partial_sum = true;
  int32_t init_value = 0;
  bool as_documented = false;  // initValue 0 accumulates, and partialsum true leaves sums in L0C
};

}  // namespace vinci
