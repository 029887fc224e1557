// vinci list and vinci explain: what works, and what it means.
#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.h"
#include "cli/error.h"
#include "core/instruction.h"
#include "launch/chip.h"
#include "launch/compile/public_names.h"
#include "numeric/dtype.h"
#include "numeric/round_name.h"
#include "report/nearest.h"
#include "report/page.h"
#include "soc/soc.h"
#include "vinci/fault.h"

namespace vinci::cli {
namespace {

std::string type_names(const Signature& signature) {
  std::string text;
  for (const DType type : signature.types) {
    if (type == DType::kNone) break;
    text += (text.empty() ? "" : "<-") + std::string(name_of(type));
  }
  return text.empty() ? "yes" : text;  // without elements, like SetFmatrix
}

// The generations, each once, in the order of the chips' table.
std::vector<const Architecture*> generations() {
  std::vector<const Architecture*> list;
  for (const Soc& soc : all_socs()) {
    if (std::ranges::find(list, soc.arch) == list.end()) list.push_back(soc.arch);
  }
  return list;
}

std::string chips_of(const Architecture& arch) {
  std::vector<std::string_view> names;
  for (const Soc& soc : all_socs()) {
    if (soc.arch == &arch) names.push_back(soc.name);
  }
  return fmt::format("{}", fmt::join(names, " "));
}

std::string types_on(const Instruction& instruction, const Architecture& arch, bool implemented,
                     FrontEnds front_end = kAscendC) {
  std::vector<std::string> types;
  for (const Support& row : instruction.support) {
    if (!row.covers(arch.bit, front_end) || row.implemented != implemented) continue;
    for (const Signature& signature : row.signatures) {
      const std::string names = type_names(signature);
      if (std::ranges::find(types, names) == types.end()) types.push_back(names);
    }
  }
  return fmt::format("{}", fmt::join(types, " "));
}

void print_support(const Instruction& instruction, const Architecture* only) {
  fmt::print("{} ({})\n", instruction.api, instruction.mnemonic);
  bool anywhere = false;
  for (const Architecture* arch : generations()) {
    if (only != nullptr && arch != only) continue;
    const std::string works = types_on(instruction, *arch, true);
    const std::string later = types_on(instruction, *arch, false);
    const std::string tik = types_on(instruction, *arch, true, kTik);
    if (!works.empty()) fmt::print("  {:<17} {}\n", arch->name, works);
    if (works.empty() && later.empty() && !tik.empty()) fmt::print("  {:<17} none\n", arch->name);
    if (tik != works) fmt::print("  {:<17} TIK: {}\n", arch->name, tik.empty() ? "none" : tik);
    if (!later.empty()) fmt::print("  {:<17} not there yet: {}\n", arch->name, later);
    anywhere |= !works.empty() || !later.empty() || !tik.empty();
  }
  if (!anywhere) fmt::print("  {:<17} none\n", only == nullptr ? "" : only->name);
}

bool rounds(const Instruction& instruction) {
  return std::ranges::any_of(instruction.support, [](const Support& row) {
    return std::ranges::any_of(row.signatures, [](const Signature& s) { return s.modes != 0; });
  });
}

// A name and a cell for each round mode.
template <class F>
void print_row(std::string_view name, F cell) {
  std::string row = fmt::format("  {:<17}", name);
  for (int mode = 0; mode < kRounds; ++mode) row += fmt::format(" {:<5}", cell(Round(mode)));
  fmt::print("{}\n", row.substr(0, row.find_last_not_of(' ') + 1));
}

void print_modes_on(const Instruction& instruction, const Architecture& arch, FrontEnds front_end) {
  fmt::print("\n");
  print_row(arch.name,
            [](Round mode) { return name_of(mode).substr(std::string_view("CAST_").size()); });
  for (const Support& row : instruction.support) {
    if (!row.covers(arch.bit, front_end)) continue;
    for (const Signature& signature : row.signatures) {
      print_row(type_names(signature),
                [&](Round mode) { return (signature.modes & set_of(mode)) != 0 ? "yes" : "-"; });
    }
  }
}

// Instead of print_support for conversions, which are Ascend C's or TIK's: a row for each pair of
// types.
void print_modes(const Instruction& instruction, const Architecture* only) {
  const bool of_tik = std::ranges::all_of(
      instruction.support, [](const Support& row) { return row.front_ends == kTik; });
  const FrontEnds front_end = of_tik ? kTik : kAscendC;
  fmt::print("{} ({})\n", instruction.api, instruction.mnemonic);
  for (const Architecture* arch : generations()) {
    if (only != nullptr && arch != only) continue;
    if (!types_on(instruction, *arch, true, front_end).empty()) {
      print_modes_on(instruction, *arch, front_end);
    } else if (only != nullptr) {
      fmt::print("  {:<17} none\n", arch->name);
    }
  }
}

void print_chip(const Soc& soc) {
  fmt::print("{} ({}), {} cores", soc.name, soc.product, soc.cores());
  if (soc.aiv_per_aic() != 0) fmt::print(" ({} AIC, {} AIV)", soc.aic_cores, soc.aiv_cores);
  fmt::print("; bytes:");
  for (int i = 1; i < kSpaces; ++i) {
    if (soc.bytes[i] != 0) fmt::print(" {} {}", name_of(static_cast<Space>(i)), soc.bytes[i]);
  }
  fmt::print("; InitBuffer: UB {}", soc.usable_ub_bytes);
  if (soc.usable_l1_bytes != 0) fmt::print(", L1 {}", soc.usable_l1_bytes);
  fmt::print("\n");
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// "GetConv2dTiling" for get_conv2d_tiling: a page of what is no instruction.
bool is_api_name(std::string_view page, std::string_view topic) {
  std::string name(page);
  std::erase(name, '_');
  return equal_ignoring_case(name, topic);
}

bool is_code(std::string_view name) {
  return name.size() == 5 && name[0] == 'V' && std::isdigit(static_cast<unsigned char>(name[1]));
}

}  // namespace

int list(const std::string& soc_name) {
  const Soc* soc = nullptr;
  if (!soc_name.empty()) {
    soc = &launch::chip(soc_name);
    print_chip(*soc);
    fmt::print("\n");
  } else {
    for (const Architecture* arch : generations()) {
      fmt::print("{:<17} {}\n", arch->name, chips_of(*arch));
    }
    fmt::print("\n");
  }
  for (const Instruction* instruction : all_instructions()) {
    print_support(*instruction, soc == nullptr ? nullptr : soc->arch);
  }
  return kExitClean;
}

int list_missing() {
  for (const auto& name : launch::lacking_names(launch::own_installation())) {
    fmt::print("{}{}\n", name.name, name.newer ? " (newer chips only)" : "");
  }
  return kExitClean;
}

// Pages that have the topic as a word: where TIK's names stand, say.
std::vector<std::string_view> pages_with(const std::string& topic) {
  const auto part_of_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  std::vector<std::string_view> names;
  if (topic.empty() || !std::isalpha(static_cast<unsigned char>(topic[0]))) return names;
  for (const Page& page : all_pages()) {
    size_t at = page.text.find(topic);
    for (; at != std::string_view::npos; at = page.text.find(topic, at + 1)) {
      const size_t end = at + topic.size();
      if (at > 0 && part_of_word(page.text[at - 1])) continue;
      if (end < page.text.size() && part_of_word(page.text[end])) continue;
      names.push_back(page.name);
      break;
    }
  }
  return names;
}

int explain(const std::string& topic, const std::string& soc_name) {
  const Soc* soc = soc_name.empty() ? nullptr : &launch::chip(soc_name);
  bool found = false;
  const Page* shown = nullptr;
  for (const Page& page : all_pages()) {
    if (!equal_ignoring_case(page.name, topic)) continue;
    fmt::print("{}\n", page.text);
    found = true;
  }
  for (const Instruction* instruction : all_instructions()) {
    const bool by_mnemonic = equal_ignoring_case(instruction->mnemonic, topic);
    if (!by_mnemonic && !equal_ignoring_case(instruction->page, topic)) continue;
    const Page* page = find_page(page_of(instruction->mnemonic));
    if (page != nullptr && !equal_ignoring_case(page->name, topic) && page != shown) {
      fmt::print("{}\n", page->text);
      shown = page;
    }
    fmt::print("Types:\n\n");
    const auto print = rounds(*instruction) ? print_modes : print_support;
    print(*instruction, soc == nullptr ? nullptr : soc->arch);
    fmt::print("\n");
    found = true;
  }
  for (const Page& page : all_pages()) {
    if (found || !is_api_name(page.name, topic)) continue;
    fmt::print("{}\n", page.text);
    found = true;
  }
  if (found) return kExitClean;
  if (const auto names = pages_with(topic); !names.empty()) {
    fmt::print("{} has no page of its own; these tell of it: {}\n", topic, fmt::join(names, " "));
    return kExitClean;
  }
  std::vector<std::string_view> codes, pages;
  for (const Page& page : all_pages()) (is_code(page.name) ? codes : pages).push_back(page.name);
  std::set<std::string_view> names(pages.begin(), pages.end());
  for (const Instruction* instruction : all_instructions()) names.insert(instruction->page);
  std::vector<std::string_view> all(names.begin(), names.end());
  all.insert(all.end(), codes.begin(), codes.end());
  throw usage(fmt::format("nothing is known about {}{}\n  codes: {}\n  topics: {}", topic,
                          did_you_mean(topic, all), fmt::join(codes, " "), fmt::join(names, " ")));
}

}  // namespace vinci::cli
