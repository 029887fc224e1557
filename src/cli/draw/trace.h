// Where the elements of an instruction's destination came from, found by running it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "vinci/record.h"

namespace vinci::cli {

// What a destination element holds after the call: the number of a source element, or one of these.
inline constexpr int64_t kUntouched = -1;
inline constexpr int64_t kPad = -2;

// Runs an instruction that moves bits, whatever they are, as often as it takes to tell its source
// elements apart, and returns what each element of `dst` holds. `run` issues the instruction with
// the given bits as pad value. Both operands need a known extent; it must be called in
// Device::run_inside, and the call must be one without faults.
std::vector<int64_t> trace(const Operand& dst, const Operand& src,
                           const std::function<void(uint32_t pad_bits)>& run);

// What was issued has run: before a pointer reads its results.
void finish_pipes();

}  // namespace vinci::cli
