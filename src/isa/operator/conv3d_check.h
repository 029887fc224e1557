// Rules that Conv3D and the gradients of its input and weights share.
#pragma once

#include <initializer_list>
#include <string_view>

#include "core/check.h"
#include "vinci/record/conv3d_backprop.h"

namespace vinci::conv3d {

// A number of the tiling that follows from its others.
struct Derived {
  const char* name;
  int64_t value, wanted;
};
void check_derived(std::initializer_list<Derived> numbers, Check& check);

// What is multiplied, and how large tiles are: multiples of 16 that fit L0A and L0B. Of the results
// L0C gets `rows` rows at once.
struct Factors {
  const char *a, *b, *c;
};
struct TileSize {
  const char* name;
  uint32_t value;
};
void check_tiles(const Factors& names, const TileSize& m, const TileSize& k, const TileSize& n,
                 uint64_t rows, Check& check);

// As 3D loads of the operators need it.
void check_one_repeat(Check& check);

void fail_missing(std::string_view what, std::string_view before, Check& check);

// A tensor that a call sets before Iterate.
struct SetTensor {
  std::string_view call, name;
  bool is_set;
  const Operand& memory;
};
// Calls come in the order of the documents, and tensors have addresses. False where the rest need
// not be checked.
bool check_calls(const Conv3dTileRecord& r, std::initializer_list<SetTensor> tensors,
                 std::string_view output, Check& check);

}  // namespace vinci::conv3d
