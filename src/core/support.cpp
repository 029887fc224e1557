// Whether the chip has an instruction with these types, and what is told where it has not.
#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/core.h"
#include "core/instruction.h"
#include "core/operator_support.h"
#include "numeric/dtype.h"
#include "numeric/round_name.h"

namespace vinci {
namespace {

std::string names_of(const Signature& signature) {
  std::string names;
  for (const DType type : signature.types) {
    if (type == DType::kNone) break;
    if (!names.empty()) names += "<-";
    names += name_of(type);
  }
  return names.empty() ? std::string("a type that is no element type") : names;
}

// "Ascend310P, Ascend910B": families, and chips that belong to none.
std::string families_with(ArchSet archs) {
  std::string names;
  ArchSet named = 0;
  const auto add = [&](std::string_view name, const Soc& soc) {
    if ((archs & soc.arch->bit) == 0) return;
    names += names.empty() ? "" : ", ";
    names += name;
    named |= soc.arch->bit;
  };
  for (const Family& family : soc_families()) add(family.name, *find_soc(family.representative));
  for (const Soc& soc : all_socs()) {
    if ((named & soc.arch->bit) == 0) add(soc.name, soc);
  }
  return names;
}

}  // namespace

bool Core::supported(const Record& record) {
  const Instruction& instruction = *record.instruction;
  const FrontEnds may_issue = front_end() | (operator_ == nullptr ? FrontEnds(0) : kOperator);
  const Supported asked{&instruction, instruction.signature(record), may_issue};
  Supported& known = supported_[reinterpret_cast<uintptr_t>(&instruction) / alignof(Instruction) %
                                supported_.size()];
  if (known == asked) return true;
  if (!ask_support(instruction, asked.signature, may_issue)) return false;
  known = asked;
  return true;
}

bool Core::ask_support(const Instruction& instruction, const Signature& signature,
                       FrontEnds may_issue) {
  bool on_chip = false;
  for (const Support& row : instruction.support) {
    if (!row.covers(soc_.arch->bit, may_issue)) continue;
    on_chip = true;
    for (const Signature& candidate : row.signatures) {
      if (candidate.types != signature.types) continue;
      if (row.implemented) return supported_round(signature, candidate);
      report(Code::kUnimplemented,
             fmt::format("{}: {} is not there yet", who(), names_of(signature)),
             types_on_chip(instruction, signature, true));
      return false;
    }
  }
  if (on_chip) {
    report(Code::kSocTypes,
           fmt::format("{}: {} is not legal on {}", who(), names_of(signature), soc_.name),
           types_on_chip(instruction, signature, false));
    return false;
  }
  ArchSet archs = 0;
  for (const Support& row : instruction.support) {
    if ((row.front_ends & front_end()) != 0) archs |= row.archs;
  }
  const std::string chips = families_with(archs);
  report(Code::kSocInstruction, fmt::format("{}: {} does not have it", who(), soc_.name),
         chips.empty() ? "" : "on " + chips);
  return false;
}

std::string Core::types_on_chip(const Instruction& instruction, const Signature& given,
                                bool implemented) const {
  constexpr size_t kMany = 12;
  const auto agreement = [&](const Signature& candidate) {
    return std::inner_product(given.types.begin(), given.types.end(), candidate.types.begin(), 0,
                              std::plus<>(), std::equal_to<>());
  };
  std::vector<Signature> legal;
  int closest = 0;
  for (const Support& row : instruction.support) {
    if (!row.covers(soc_.arch->bit, front_end()) || (implemented && !row.implemented)) continue;
    legal.insert(legal.end(), row.signatures.begin(), row.signatures.end());
    for (const Signature& candidate : row.signatures) {
      closest = std::max(closest, agreement(candidate));
    }
  }
  std::string names;
  size_t others = 0;
  for (const Signature& candidate : legal) {
    if (legal.size() > kMany && agreement(candidate) != closest) {
      ++others;
      continue;
    }
    names += (names.empty() ? "" : ", ") + names_of(candidate);
  }
  if (others != 0)
    names += fmt::format("; and {} others: vinci explain {}", others, instruction.page);
  return names;
}

bool Core::supported_round(const Signature& signature, const Signature& row) {
  if ((signature.modes & row.modes) == signature.modes) return true;
  report(Code::kSocRound,
         fmt::format("{}: {} with {} is not legal on {}", who(), names_of(signature),
                     names_of_rounds(signature.modes), soc_.name),
         names_of_rounds(row.modes));
  return false;
}

}  // namespace vinci
