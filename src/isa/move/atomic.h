// Copies that combine with what is in GM: GM = op(GM, data), as SetAtomicAdd, SetAtomicMax and
// SetAtomicMin have set it up. Sources and decisions: docs/spec/set_atomic_add.md.
#pragma once

#include <cstring>

#include "core/check.h"
#include "core/footprint.h"
#include "core/state.h"
#include "core/setter.h"
#include "vinci/record/move.h"

namespace vinci::atomic {

using Op = AtomicRegister::Op;

// Whether a copy to `dst` combines.
bool combines(const Operand& dst, const Soc& soc, const Registers& registers);

// For Functions::ordered of records with a `dst`.
template <class R>
bool ordered(const R& record, const State& state) {
  return combines(record.dst, state.soc, state.registers);
}

// Rules of a copy's destination, if it combines.
void check(const Operand& dst, Check& check);

// The regions of `dst` in the footprint that are written are also read, if the copy combines.
void add_reads(const Operand& dst, Footprint& footprint);

// How a copy writes its destination: over what is there, or combined with it. The order in which
// blocks combine shows in floating-point results: what copies to GM says so as `ordered`.
class Store {
 public:
  Store(const Operand& dst, const State& state);

  bool combines() const { return op_ != Op::kNone; }
  // `bytes` bytes, whole elements if they are combined.
  void operator()(uint8_t* to, const uint8_t* from, uint64_t bytes) const {
    if (combines()) {
      combine(to, from, bytes);
    } else {
      std::memmove(to, from, bytes);
    }
  }

 private:
  void combine(uint8_t* to, const uint8_t* from, uint64_t bytes) const;

  const State& state_;
  Op op_ = Op::kNone;
  DType dtype_ = DType::kNone;
};

// The types of GM that each chip combines.
inline constexpr Signature kFloat[] = {DType::kFloat};
inline constexpr Signature k2002Types[] = {DType::kFloat, DType::kHalf, DType::kInt16};
inline constexpr Signature k3002Types[] = {DType::kFloat, DType::kHalf, DType::kInt16,
                                           DType::kInt32};
inline constexpr Signature k2201Types[] = {DType::kFloat, DType::kHalf, DType::kInt16,
                                           DType::kInt32, DType::kInt8, DType::kBfloat16};

template <Op op>
void write(const SetAtomicRecord& record, Registers& registers) {
  registers.atomic = {op, record.dtype};
}

template <Op op>
constexpr Instruction atomic_instruction(std::string_view mnemonic, std::string_view api,
                                         std::span<const Support> support) {
  return setter::setter_instruction<SetAtomicRecord, write<op>, setter::no_rules<SetAtomicRecord>,
                                    setter::dtype_signature<SetAtomicRecord>>(mnemonic, api,
                                                                              support);
}

}  // namespace vinci::atomic
