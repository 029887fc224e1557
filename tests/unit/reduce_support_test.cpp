// Which types reductions and sorting have for each front end: TIK's lists differ from those of
// Ascend C here and there.
#include <algorithm>
#include <initializer_list>

#include <gtest/gtest.h>

#include "core/instruction.h"

namespace vinci {

namespace isa {
extern const Instruction whole_reduce_sum, whole_reduce_max, block_reduce_sum, pair_reduce_sum;
extern const Instruction reduce_sum, reduce_min, rp_sort16, mrg_sort4, sort32, mrg_sort;
}  // namespace isa

namespace {

bool takes(const Instruction& instruction, ArchSet arch, FrontEnds front_end, DType type) {
  return std::ranges::any_of(instruction.support, [&](const Support& row) {
    return row.covers(arch, front_end) &&
           std::ranges::find(row.signatures, Signature(type)) != row.signatures.end();
  });
}

struct Row {
  const Instruction& instruction;
  FrontEnds front_end;
  ArchSet half, single;  // the generations that take half, and float
};

constexpr ArchSet kOld = kArch1000 | kArch1001;
constexpr ArchSet kNew = kArch2002 | kArch2201 | kArch3002;

TEST(ReduceSupport, TypesOfEachFrontEnd) {
  const Row rows[] = {
      {isa::whole_reduce_sum, kAscendC, kOld | kNew, kNew},
      {isa::whole_reduce_sum, kTik, kOld | kNew | kArch2002Vector, kOld | kNew | kArch2002Vector},
      {isa::reduce_sum, kTik, kOld | kNew | kArch2002Vector, kOld | kNew | kArch2002Vector},
      {isa::whole_reduce_max, kAscendC, kOld | kNew, kNew},
      {isa::whole_reduce_max, kTik, kOld | kNew | kArch2002Vector, kNew | kArch2002Vector},
      {isa::block_reduce_sum, kTik, kOld | kNew | kArch2002Vector, kNew | kArch2002Vector},
      {isa::pair_reduce_sum, kTik, kOld | kNew | kArch2002Vector, kNew | kArch2002Vector},
      {isa::reduce_min, kTik, kOld | kNew | kArch2002Vector, kNew | kArch2002Vector},
      {isa::rp_sort16, kAscendC, kOld | kArch2002, kArch2002},
      {isa::mrg_sort4, kTik, kOld | kArch2002, kArch2002},
      {isa::sort32, kAscendC, kArch2201 | kArch3002, kArch2201 | kArch3002},
      {isa::sort32, kTik, kArch2201, kArch2201},
      {isa::mrg_sort, kTik, kArch2201, kArch2201},
  };
  for (const Row& row : rows) {
    for (const ArchSet arch :
         {kArch1000, kArch1001, kArch2002, kArch2002Vector, kArch2201, kArch3002}) {
      EXPECT_EQ(takes(row.instruction, arch, row.front_end, DType::kHalf), (row.half & arch) != 0)
          << row.instruction.api << " half " << arch;
      EXPECT_EQ(takes(row.instruction, arch, row.front_end, DType::kFloat),
                (row.single & arch) != 0)
          << row.instruction.api << " float " << arch;
    }
  }
}

}  // namespace
}  // namespace vinci
