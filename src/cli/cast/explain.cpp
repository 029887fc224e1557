// Digits, neighbours and reasons. The result itself is convert()'s.
#include "cli/cast/explain.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "cli/error.h"
#include "numeric/dtype.h"

namespace vinci::cli {
namespace {

struct ModeName {
  std::string_view cast, plain, tik;
  std::string_view tik_too;  // another name of TIK's
};

// In the order of Round. TIK's 'round' is not taken for a name: CAST_ROUND has the better claim.
constexpr ModeName kModes[] = {
    {"CAST_NONE", "none", "", ""},
    {"CAST_RINT", "rint", "round", ""},
    {"CAST_FLOOR", "floor", "floor", ""},
    {"CAST_CEIL", "ceil", "ceil", "ceiling"},
    {"CAST_ROUND", "round", "away-zero", ""},
    {"CAST_TRUNC", "trunc", "to-zero", ""},
    {"CAST_ODD", "odd", "odd", ""},
};

std::string power_of_2(int exponent) { return fmt::format("2^{}", exponent); }

Cut cut_at(const Number& x, int unit) {
  const int digits = std::max(unit - x.exponent, 0);  // to discard
  std::string all = fmt::format("{:b}", x.significand);
  if (x.exponent > unit && x.significand != 0) all.append(size_t(x.exponent - unit), '0');
  if (all.size() <= size_t(digits)) all.insert(0, size_t(digits) + 1 - all.size(), '0');
  Cut cut;
  cut.kept = all.substr(0, all.size() - size_t(digits));
  cut.discarded = all.substr(cut.kept.size());
  cut.unit = unit;
  const size_t first = cut.discarded.find('1');
  if (first == std::string::npos) return cut;
  const bool only = cut.discarded.find('1', first + 1) == std::string::npos;
  cut.rest = first != 0 ? Rest::kBelowHalf : only ? Rest::kHalf : Rest::kAboveHalf;
  return cut;
}

// What the last digit of a result counts that is as large as x.
int unit_of(const Number& x, const TypeFacts& facts, bool to_integer) {
  if (to_integer) return 0;
  const int digits = std::bit_width(x.significand);
  return std::max(x.exponent + digits - 1 - facts.fraction_bits, facts.least_unit);
}

// The kept digits, or one more, as a number; `x` itself if all are kept.
Number rounded(const Number& x, const Cut& cut, bool up) {
  const int digits = int(cut.discarded.size());
  if (digits == 0) return x;
  Number result = x;
  result.significand = (digits > 63 ? 0 : x.significand >> digits) + up;
  result.exponent = cut.unit;
  return result;
}

bool odd(const Cut& cut) { return cut.kept.back() == '1'; }

// Whether the type has no number as far from 0; x has no fraction if it is an integer type.
bool beyond(const Number& x, DType type) {
  const TypeFacts& facts = facts_of(type);
  if (facts.is_float) return exact_value(element_of(x, type, Round::kRint)).infinite;
  const uint64_t limit = (x.negative ? facts.least : facts.most).significand;
  if (x.significand == 0) return false;
  if (x.exponent > std::countl_zero(x.significand)) return true;
  return x.significand << x.exponent > limit;
}

class Explainer {
 public:
  Explainer(const Element& source, const Manner& manner)
      : source_(source),
        manner_(manner),
        facts_(facts_of(manner.to)),
        x_(exact_value(source)),
        to_integer_(!facts_.is_float || source.type == manner.to) {}

  Explanation explain(const std::vector<Round>& modes) {
    Explanation result;
    result.source = source_;
    if (!x_.nan && !x_.infinite) {
      cut_ = cut_at(x_, unit_of(x_, facts_, to_integer_));
      result.cut = cut_;
      const bool no_such = facts_.is_float && beyond(x_, manner_.to);
      if (cut_.rest != Rest::kZero || no_such) {
        result.below = neighbour(x_.negative);
        result.above = neighbour(!x_.negative);
      }
    }
    for (const Round mode : modes) {
      Conversion outcome{mode, converted(source_, manner_.to, mode, manner_.overflow), {}, {}};
      if (x_.nan) {
        outcome.rounding = nan_text(outcome);
      } else if (x_.infinite) {
        outcome.rounding = infinity_text(outcome);
      } else {
        outcome.rounding = rounding_text(mode);
        outcome.range = range_text(outcome);
      }
      result.outcomes.push_back(outcome);
    }
    return result;
  }

 private:
  std::string_view to() const { return vinci::name_of(manner_.to); }
  bool saturates() const {
    return manner_.overflow == Overflow::kSaturate && manner_.to != DType::kFloat;
  }
  std::string because() const { return fmt::format(" ({})", manner_.overflow_reason); }

  Neighbour neighbour(bool away_from_zero) const {
    const Number value = rounded(x_, cut_, away_from_zero && cut_.rest != Rest::kZero);
    if (!facts_.is_float && beyond(value, manner_.to)) return {decimal(value), std::nullopt};
    // Past the largest number lies infinity.
    Element element = element_of(value, manner_.to, away_from_zero ? Round::kRint : Round::kTrunc);
    if (source_.type == manner_.to && value.significand == 0) element.bits = 0;
    return {value_text(element), element};
  }

  std::string nan_text(const Conversion& outcome) const {
    if (!facts_.is_float) return "NaN becomes 0 in an integer type";
    if (saturates()) return "NaN becomes +0 where results saturate" + because();
    return fmt::format("NaN stays NaN: {} is the only one that {} results have",
                       bits_text(outcome.element), to());
  }

  std::string infinity_text(const Conversion& outcome) const {
    if (saturates()) {
      return fmt::format("infinity is saturated to the end of {}'s range, {}{}", to(),
                         value_text(outcome.element), because());
    }
    if (facts_.is_float) return "infinity stays infinity";
    const bool wide = bits_of(manner_.to) == 64;
    return fmt::format("infinity becomes the low {} bits of the end of {}'s range{}",
                       bits_of(manner_.to), wide ? "int64" : "int32", because());
  }

  // How the last digit came about.
  std::string rounding_text(Round mode) const {
    if (cut_.rest == Rest::kZero) {
      return fmt::format("{}{} discarded",
                         beyond(rounded(x_, cut_, false), manner_.to) ? "" : "exact: ",
                         cut_.discarded.empty() ? "no digit is" : "only zeros are");
    }
    const bool up = rounds_up(mode, x_.negative, odd(cut_), cut_.rest);
    const std::string step = fmt::format("{} 0b{}", up ? "adds 1 to" : "keeps", cut_.kept);
    const bool tie = cut_.rest == Rest::kHalf;
    const auto say = [&](std::string_view how) {
      return fmt::format("inexact{}: {} {} and {}", tie ? ", a tie" : "", name_of(mode), how, step);
    };
    const std::string_view near = "takes the nearest neighbour";
    switch (mode) {
      case Round::kNone: return say(tie ? "is as CAST_RINT, takes the even neighbour" : near);
      case Round::kRint: return say(tie ? "takes the even neighbour" : near);
      case Round::kRound: return say(tie ? "goes away from 0" : near);
      case Round::kFloor: return say(up ? "goes down, away from 0," : "goes down, towards 0,");
      case Round::kCeil: return say(up ? "goes up, away from 0," : "goes up, towards 0,");
      case Round::kTrunc: return say("goes towards 0");
      case Round::kOdd: break;
    }
    return fmt::format("inexact: CAST_ODD keeps 0b{}{}", cut_.kept,
                       up ? " and sets its last bit, as the discarded bits are not 0"
                          : ", whose last bit is 1 already");
  }

  // What the range of the type did to the rounded number.
  std::string range_text(const Conversion& outcome) const {
    const bool up = rounds_up(outcome.mode, x_.negative, odd(cut_), cut_.rest);
    const Number value = rounded(x_, cut_, up);
    if (!beyond(value, manner_.to)) return facts_.is_float ? small_text(outcome) : std::string();
    const std::string out = fmt::format("{} is out of {}'s range, {}..{}: ", decimal(value), to(),
                                        decimal(facts_.least), decimal(facts_.most));
    if (saturates()) return out + "saturated" + because();
    if (!facts_.is_float) {
      return fmt::format("{}its low {} bits are kept{}", out, bits_of(manner_.to), because());
    }
    if (exact_value(outcome.element).infinite) return out + "infinity, as in IEEE 754" + because();
    return fmt::format("{}{} stops at the last finite number, as in IEEE 754{}", out,
                       name_of(outcome.mode), because());
  }

  // Results next to 0, which have fewer digits.
  std::string small_text(const Conversion& outcome) const {
    const Number result = exact_value(outcome.element);
    if (source_.type == manner_.to) {
      const bool lost_sign = result.significand == 0 && x_.negative;
      return lost_sign ? "float to float gives every zero a plus" : "";
    }
    if (x_.significand == 0) return "";
    if (result.significand == 0) {
      return fmt::format("the smallest {} above 0 is {}", to(), power_of_2(facts_.least_unit));
    }
    if (result.significand >> facts_.fraction_bits != 0) return "";
    return fmt::format("subnormal: below {} the last digit of {} is always {}",
                       power_of_2(facts_.least_unit + facts_.fraction_bits), to(),
                       power_of_2(facts_.least_unit));
  }

  Element source_;
  const Manner& manner_;
  const TypeFacts& facts_;
  Number x_;
  bool to_integer_;
  Cut cut_;
};

}  // namespace

std::string_view name_of(Round mode) { return kModes[int(mode)].cast; }

std::string_view tik_name_of(Round mode) { return kModes[int(mode)].tik; }

Round mode_named(const std::string& name) {
  for (size_t i = 0; i < std::size(kModes); ++i) {
    const ModeName& mode = kModes[i];
    if (name == mode.cast || name == mode.plain) return Round(i);
  }
  for (size_t i = 0; i < std::size(kModes); ++i) {
    const ModeName& mode = kModes[i];
    if (name == mode.tik || (name == mode.tik_too && !name.empty())) return Round(i);
  }
  std::string legal;
  for (const ModeName& mode : kModes) {
    legal += fmt::format("\n  {:<10} {:<6} TIK: '{}'", mode.cast, mode.plain, mode.tik);
    if (!mode.tik_too.empty()) legal += fmt::format(", '{}'", mode.tik_too);
  }
  throw usage(fmt::format("--mode {}: no round mode; legal:{}", name, legal));
}

Explanation explain(const Element& source, const Manner& manner, const std::vector<Round>& modes) {
  return Explainer(source, manner).explain(modes);
}

}  // namespace vinci::cli
