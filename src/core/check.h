// What an instruction's `check` says with: each line is a rule, each broken rule a fault.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/registers.h"
#include "soc/soc.h"
#include "vinci/fault.h"
#include "vinci/record.h"

namespace vinci {

class Core;

class Check {
 public:
  // `soc` and `registers` are the core's.
  Check(Core& core, const Soc& soc, const Registers& registers)
      : core_(core), soc_(soc), registers_(registers) {}

  bool ok() const { return ok_; }
  // Nothing is wrong but that operands overlap.
  bool only_overlaps() const { return !breaks_others_; }
  const Soc& soc() const { return soc_; }
  const Registers& registers() const { return registers_; }
  // The call comes from a TIK script.
  bool in_tik() const;

  // Names are what a std::string_view can be made of, which takes its time.
  // lo <= value <= hi
  void range(const auto& parameter, int64_t value, int64_t lo, int64_t hi) {
    if (value < lo || value > hi) [[unlikely]]
      out_of_range(parameter, value, lo, hi);
  }
  void multiple(const auto& parameter, int64_t value, int64_t of) {
    if (value % of != 0) [[unlikely]]
      not_multiple(parameter, value, of);
  }
  // The operand lies in `space`.
  void in_space(const auto& name, const Operand& operand, Space space) {
    if (soc_.space_of(operand.position) != space) [[unlikely]]
      not_in_space(name, operand, space);
  }
  // The operand's start address is aligned as its memory wants it, or to `bytes`, a power of two.
  void aligned(const auto& name, const Operand& operand) {
    aligned(name, operand, alignment_of(soc_.space_of(operand.position)));
  }
  void aligned(const auto& name, const Operand& operand, uint64_t bytes) {
    if ((operand.address & (bytes - 1)) != 0) [[unlikely]]
      not_aligned(name, operand, bytes);
  }
  // The chip moves data from src to dst.
  void route(const Operand& src, const Operand& dst);

  // "<api>: <text>", with what would have been legal.
  [[gnu::cold]] void fail(Code code, std::string text, std::string legal);
  [[gnu::cold]] void unimplemented(std::string text, std::string legal);
  // Tells without making the call illegal.
  [[gnu::cold]] void warn(Code code, std::string text, std::string advice);

 private:
  [[gnu::cold]] void out_of_range(std::string_view parameter, int64_t value, int64_t lo,
                                  int64_t hi);
  [[gnu::cold]] void not_multiple(std::string_view parameter, int64_t value, int64_t of);
  [[gnu::cold]] void not_in_space(std::string_view name, const Operand& operand, Space space);
  [[gnu::cold]] void not_aligned(std::string_view name, const Operand& operand, uint64_t bytes);

  Core& core_;
  const Soc& soc_;
  const Registers& registers_;
  bool ok_ = true;
  bool breaks_others_ = false;  // rules that are not about overlap
};

}  // namespace vinci
