// vinci cast: what becomes of one number in another type, and why.
#include "cli/cast/cast.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/cast/explain.h"
#include "cli/cast/read.h"
#include "launch/chip.h"
#include "cli/error.h"
#include "numeric/dtype.h"

namespace vinci::cli {
namespace {

constexpr const char* kTypes =
    "half, bfloat16, float, int4, int8, uint8, int16, uint16, int32, uint32, int64";

DType type_named(const char* option, const std::string& name) {
  const auto type = dtype_named(name);
  if (type && *type != DType::kUint64) return *type;
  throw usage(fmt::format("{} {}: no type of a conversion; legal: {}", option, name, kTypes));
}

// A chip that has the types.
std::string default_chip(DType from, DType to) {
  const bool bfloat16 = from == DType::kBfloat16 || to == DType::kBfloat16;
  return std::string(bfloat16 ? kDefaultSplitSoc : kDefaultSoc);
}

Manner manner_of(const CastOptions& options, DType from, DType to) {
  const Soc& soc = launch::chip(options.soc.empty() ? default_chip(from, to) : options.soc);
  const bool to_float = facts_of(to).is_float;
  if (options.overflow.empty()) {
    const bool saturates = !to_float || soc.has(Feature::kFloatSaturates);
    return {to, saturates ? Overflow::kSaturate : Overflow::kWrapOrInf,
            to_float ? fmt::format("the default of {}", soc.name) : "the default for integers"};
  }
  const std::string reason = "--overflow " + options.overflow;
  if (options.overflow == "saturate") return {to, Overflow::kSaturate, reason};
  if (options.overflow == "wrap" || (options.overflow == "inf" && to_float)) {
    return {to, Overflow::kWrapOrInf, reason};
  }
  throw usage(fmt::format("{}: not for {}; legal: {}", reason, name_of(to),
                          to_float ? "saturate, inf (or wrap, the same)" : "saturate, wrap"));
}

std::vector<Round> modes_of(const CastOptions& options) {
  if (options.mode) return {mode_named(*options.mode)};
  return {Round::kNone,  Round::kRint,  Round::kFloor, Round::kCeil,
          Round::kRound, Round::kTrunc, Round::kOdd};
}

const char* words_of(Rest rest) {
  switch (rest) {
    case Rest::kZero: return "nothing";
    case Rest::kBelowHalf: return "less than half";
    case Rest::kHalf: return "exactly half";
    case Rest::kAboveHalf: return "more than half";
  }
  return "";
}

std::string why(const Conversion& outcome) {
  return outcome.rounding + (outcome.range.empty() ? "" : "; " + outcome.range);
}

// ---- As text ----

void print_line(std::string_view label, const std::string& text) {
  fmt::print("  {:<9} {}\n", label, text);
}

void print_source(const std::string& text, const ReadNumber& read, DType to) {
  const std::string_view type = name_of(read.element.type);
  fmt::print("{}, {} to {}\n", text, type, name_of(to));
  const Number x = exact_value(read.element);
  const TypeFacts& facts = facts_of(read.element.type);
  std::string value = decimal(x);
  if (read.rounded && x.infinite) {
    value += fmt::format(": {} is beyond the largest {}, {}", text, type, decimal(facts.most));
  } else if (read.rounded) {
    value += fmt::format(", the {} nearest to {}", type, text);
  }
  if (facts.is_float && x.significand != 0 && x.significand >> facts.fraction_bits == 0) {
    value += ", subnormal";
  }
  print_line("value", value);
  print_line("bits", bits_text(read.element) + " = " + fields_text(read.element));
}

void print_neighbour(const char* label, const std::optional<Neighbour>& neighbour, DType to) {
  if (!neighbour) return;
  const std::string bits = neighbour->element
                               ? " = " + bits_text(*neighbour->element)
                               : fmt::format(", which {} does not have", name_of(to));
  print_line(label, neighbour->value + bits);
}

void print_cut(const Explanation& explanation) {
  if (!explanation.cut || explanation.cut->discarded.empty()) return;
  const Cut& cut = *explanation.cut;
  print_line("cut", fmt::format("{}{}|{}: {} of the last kept digit, 2^{}, is discarded",
                                exact_value(explanation.source).negative ? "-" : "", cut.kept,
                                cut.discarded, words_of(cut.rest), cut.unit));
}

// The reason of all modes, if they have the same one, and what happened at the ends of the range.
void print_reasons(const std::vector<Conversion>& outcomes) {
  const bool same = std::ranges::all_of(
      outcomes, [&](const Conversion& outcome) { return why(outcome) == why(outcomes[0]); });
  if (same) return print_line("why", why(outcomes[0]));
  std::vector<std::string> told;
  for (const Conversion& outcome : outcomes) {
    if (outcome.range.empty() || std::ranges::count(told, outcome.range) != 0) continue;
    print_line("note", outcome.range);
    told.push_back(outcome.range);
  }
}

void print_outcomes(const std::vector<Conversion>& outcomes) {
  if (outcomes.size() == 1) {
    const Element& result = outcomes[0].element;
    print_line("result", fmt::format("{} = {} = {}", value_text(result), bits_text(result),
                                     fields_text(result)));
    return print_line("why", why(outcomes[0]));
  }
  size_t width = 0;
  for (const Conversion& outcome : outcomes) {
    width = std::max(width, value_text(outcome.element).size());
  }
  for (const Conversion& outcome : outcomes) {
    const std::string tik = fmt::format("TIK '{}'", tik_name_of(outcome.mode));
    fmt::print("  {:<10} {:<15} {:<{}}  {}\n", name_of(outcome.mode), tik,
               value_text(outcome.element), width, bits_text(outcome.element));
  }
  print_reasons(outcomes);
}

// ---- As JSON ----

nlohmann::json json_of(const std::optional<Neighbour>& neighbour) {
  if (!neighbour) return nullptr;
  nlohmann::json json{{"value", neighbour->value}, {"bits", nullptr}};
  if (neighbour->element) json["bits"] = bits_text(*neighbour->element);
  return json;
}

nlohmann::json json_of(const std::string& text, const ReadNumber& read, const Manner& manner,
                       const Explanation& explanation) {
  nlohmann::json results = nlohmann::json::array();
  for (const Conversion& outcome : explanation.outcomes) {
    results.push_back({{"mode", name_of(outcome.mode)},
                       {"value", value_text(outcome.element)},
                       {"bits", bits_text(outcome.element)},
                       {"why", why(outcome)}});
  }
  const char* overflow = manner.overflow == Overflow::kSaturate && manner.to != DType::kFloat
                             ? "saturate"
                         : facts_of(manner.to).is_float ? "inf"
                                                        : "wrap";
  nlohmann::json json{{"text", text},
                      {"from", name_of(read.element.type)},
                      {"to", name_of(manner.to)},
                      {"overflow", overflow},
                      {"value", value_text(read.element)},
                      {"bits", bits_text(read.element)},
                      {"text_rounded", read.rounded},
                      {"below", json_of(explanation.below)},
                      {"above", json_of(explanation.above)},
                      {"cut", nullptr},
                      {"results", results}};
  if (const auto& cut = explanation.cut) {
    json["cut"] = {{"kept", cut->kept},
                   {"discarded", cut->discarded},
                   {"unit", cut->unit},
                   {"discards", words_of(cut->rest)}};
  }
  return json;
}

}  // namespace

CLI::App* add_cast(CLI::App& app, CastOptions& options) {
  CLI::App* cast = app.add_subcommand("cast", "What becomes of a NUMBER in another type, and why");
  cast->add_option("--from", options.from, fmt::format("Type of the numbers: {}", kTypes))
      ->required();
  cast->add_option("--to", options.to, "Type of the results")->required();
  cast->add_option("--mode", options.mode,
                   "none, rint, floor, ceil, round, trunc, odd, or CAST_RINT, ..., or TIK's name; "
                   "default: all of them");
  cast->add_option("--overflow", options.overflow,
                   "saturate or wrap; for floats also inf; default: as the chip does");
  cast->add_option("--soc", options.soc, "Chip or family (vinci list); default: one that fits");
  cast->add_flag("--json", options.json, "Print JSON, not text");
  // Not options of CLI11, which would take -inf for one.
  cast->allow_extras();
  cast->footer(fmt::format("NUMBER...: {}", kNumberForms));
  return cast;
}

int cast(const CastOptions& options) {
  const DType from = type_named("--from", options.from), to = type_named("--to", options.to);
  if (from == to && from != DType::kFloat) {
    throw usage(
        fmt::format("{} to {}: nothing to convert; only float to float rounds (to an "
                    "integer)",
                    name_of(from), name_of(to)));
  }
  const Manner manner = manner_of(options, from, to);
  const std::vector<Round> modes = modes_of(options);
  if (options.numbers.empty()) {
    throw usage(fmt::format("cast needs a NUMBER; legal: {}", kNumberForms));
  }
  std::vector<ReadNumber> numbers;
  for (const std::string& text : options.numbers) {
    if (text.starts_with("--")) {
      throw usage(fmt::format("cast has no option {}; see vinci cast --help", text));
    }
    numbers.push_back(read_number(text, from));
  }
  nlohmann::json list = nlohmann::json::array();
  for (size_t i = 0; i < numbers.size(); ++i) {
    const std::string& text = options.numbers[i];
    const Explanation explanation = explain(numbers[i].element, manner, modes);
    if (options.json) {
      list.push_back(json_of(text, numbers[i], manner, explanation));
      continue;
    }
    if (i != 0) fmt::print("\n");
    print_source(text, numbers[i], to);
    print_neighbour("below", explanation.below, to);
    print_neighbour("above", explanation.above, to);
    print_cut(explanation);
    print_outcomes(explanation.outcomes);
  }
  if (options.json) fmt::print("{}\n", list.dump(2));
  if (options.mode == "round" && !options.json) {
    fmt::print(
        "\nround is CAST_ROUND, ties away from 0; TIK's 'round' is CAST_RINT, ties to even\n");
  }
  return kExitClean;
}

}  // namespace vinci::cli
