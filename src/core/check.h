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
  explicit Check(Core& core) : core_(core) {}

  bool ok() const { return ok_; }
  const Soc& soc() const;
  const Registers& registers() const;
  // The call comes from a TIK script.
  bool in_tik() const;

  // lo <= value <= hi
  void range(std::string_view parameter, int64_t value, int64_t lo, int64_t hi) {
    if (value < lo || value > hi) [[unlikely]]
      out_of_range(parameter, value, lo, hi);
  }
  void multiple(std::string_view parameter, int64_t value, int64_t of) {
    if (value % of != 0) [[unlikely]]
      not_multiple(parameter, value, of);
  }
  // The operand lies in `space`.
  void in_space(std::string_view name, const Operand& operand, Space space);
  // The operand's start address is aligned as its memory wants it, or to `bytes`.
  void aligned(std::string_view name, const Operand& operand);
  void aligned(std::string_view name, const Operand& operand, uint64_t bytes);
  // The chip moves data from src to dst.
  void route(const Operand& src, const Operand& dst);

  // "<api>: <text>", with what would have been legal.
  void fail(Code code, std::string text, std::string legal);
  void unimplemented(std::string text);
  // Tells without making the call illegal.
  void warn(Code code, std::string text, std::string advice);

 private:
  void out_of_range(std::string_view parameter, int64_t value, int64_t lo, int64_t hi);
  void not_multiple(std::string_view parameter, int64_t value, int64_t of);

  Core& core_;
  bool ok_ = true;
};

}  // namespace vinci
