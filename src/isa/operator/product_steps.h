// Steps of products on cores with a fixed pipe, which several operators take: flags between the
// pipes, zeros, and the bias on its way to its table.
#pragma once

#include <string_view>
#include <vector>

#include "isa/operator/event_flags.h"

namespace vinci::isa {

// One flag for each pair of pipes that a product orders.
class ProductFlags {
 public:
  // Between which pipes.
  enum Index { kLoaded, kLoadUsed, kInL0, kL0Used, kSummed, kWritten };

  // Whether the kernel has left event identifiers; if not, it has been told. `api` names the call.
  static bool are_free(std::string_view api, Core& core);

  explicit ProductFlags(Core& core);
  // What is issued from here on comes after what `flag` names.
  void order(Index flag) { flags_[flag].set_and_wait(0); }
  void release();

 private:
  std::vector<EventFlags> flags_;
};

// All of the operand, in L1.
void fill_l1_with_zeros(Core& core, const Operand& l1);
// 32 bytes of K for each of `size` rows of A or columns of B, in L0A or L0B.
void fill_l0_with_zeros(Core& core, const Operand& l0, uint32_t size);

// The first `columns` numbers of `l1`, of type `bias`, to the start of the bias table as `sums`.
void load_bias_table(Core& core, const Operand& l1, DType bias, DType sums, uint32_t columns);
// All of the bias table.
Operand bias_table(const Core& core, DType sums);

}  // namespace vinci::isa
