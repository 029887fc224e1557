// What operators write to GM combines with what is there.
#pragma once

#include "core/core.h"

namespace vinci::isa {

// From here to end() copies into GM combine with it as `wanted` says; kNone leaves it to the
// kernel.
class AtomicOutput {
 public:
  AtomicOutput(AtomicRegister::Op wanted, DType dtype, Core& core);
  AtomicOutput(const AtomicOutput&) = delete;
  AtomicOutput& operator=(const AtomicOutput&) = delete;
  void end();

 private:
  void set(const AtomicRegister& to);

  Core& core_;
  AtomicRegister::Op wanted_;
  AtomicRegister before_;
};

}  // namespace vinci::isa
