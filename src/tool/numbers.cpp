// Looks at what arithmetic reads before it runs, and at what it wrote.
#include "tool/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "core/instruction.h"
#include "core/registers.h"
#include "numeric/dtype.h"
#include "numeric/requantize.h"
#include "tool/is_record.h"
#include "vinci/float_bits.h"
#include "vinci/record/cube.h"
#include "vinci/record/move.h"
#include "vinci/record/vector.h"

namespace vinci {
namespace {

bool is_arithmetic(const Step& step) {
  const Record& record = step.record;
  if (step.moves()) return false;
  return by_elements(record) || is<MmadRecord>(record) || is<FixpipeRecord>(record) ||
         is<DataCopyL0CRecord>(record) || mnemonic_of(record).ends_with("reduce_sum");
}

// As short as its type allows.
std::string text_of(DType dtype, double value) {
  return dtype == DType::kFloat ? fmt::format("{}", float(value)) : fmt::format("{}", value);
}

// From here on a number rounds to infinity, or to the largest where results saturate.
double limit_of(DType dtype) {
  return dtype == DType::kHalf ? 65520.0 : dtype == DType::kBfloat16 ? 0x1.FFp127 : HUGE_VAL;
}

// Where results saturate, what is too large becomes this, and NaN does not.
double largest_of(DType dtype) {
  return dtype == DType::kHalf ? 65504.0 : dtype == DType::kBfloat16 ? 0x1.FEp127 : HUGE_VAL;
}

// The result before it is rounded, where a double holds it; none: not known here.
std::optional<double> exact_result(const Record& record, DType from, DType to,
                                   std::span<const double> in) {
  const std::string_view name = mnemonic_of(record);
  if (name == "cast") {
    if (from == DType::kInt32 && to == DType::kHalf) return std::nullopt;  // SetDeqScale
    return in[0];
  }
  if (bits_of(to) > 32 || in.size() < 2) return std::nullopt;
  if (name == "add" || name == "adds") return in[0] + in[1];
  if (name == "sub") return in[0] - in[1];
  if (name == "add_relu_cast") return std::max(in[0] + in[1], 0.0);
  if (name == "sub_relu_cast") return std::max(in[0] - in[1], 0.0);
  if (name == "mul" || name == "muls" || name == "mul_cast") {
    // Products of 32 bits are exact as long as nobody looks at their last bits.
    return in[0] * in[1];
  }
  return std::nullopt;
}

bool divides_by_zero(const Record& record, std::span<const double> in) {
  const std::string_view name = mnemonic_of(record);
  if (name == "div") return in.size() > 1 && in[1] == 0;
  return (name == "reciprocal" || name == "rsqrt") && in[0] == 0;
}

}  // namespace

void Numbers::before_run(CoreView& core, const Step& step) {
  sources_.clear();
  if (!is_arithmetic(step)) return;
  collect(core, step, Access::kRead, sources_);
  if (sources_.empty() || !by_elements(step.record)) return;
  add_scalar(step.record, sources_);
}

void Numbers::after_run(CoreView& core, const Step& step) {
  if (sources_.empty()) return;
  std::vector<Column> results;
  collect(core, step, Access::kWrite, results);
  for (const Column& dst : results) {
    const bool lanes = by_elements(step.record) && has_lanes(dst, sources_);
    lanes ? judge_lanes(core, step, dst) : judge_all(core, dst);
    if (is<FixpipeRecord>(step.record)) judge_requantised(core, step, dst);
  }
  sources_.clear();
}

Numbers::Finding Numbers::judge(const Lane& lane) {
  std::array<double, 4> in{};
  const size_t count = std::min(in.size(), lane.sources.size());
  for (size_t i = 0; i < count; ++i) {
    const Column& source = lane.sources[i];
    in[i] = source.value(lane.index);
    if (!std::isfinite(in[i])) return {};
  }
  const std::span<const double> operands(in.data(), count);
  const double result = lane.dst.values[lane.index];
  const DType dtype = lane.dst.operand.dtype;
  if (divides_by_zero(lane.record, operands)) return {Code::kByZero, lane.index, "a quotient by 0"};
  if (!std::isfinite(result)) return {Code::kNotFinite, lane.index, fmt::format("{}", result)};
  const DType from = lane.sources[0].operand.dtype;
  const auto exact = exact_result(lane.record, from, dtype, operands);
  if (!exact) return {};
  const bool cast = from != dtype;
  if (is_float(dtype)) {
    if (std::fabs(*exact) < limit_of(dtype)) return {};
  } else {
    // Rounding moves a number by less than 1; a double holds products of 32 bits to within 2^10.
    const double slack = cast ? 1.0 : std::fabs(*exact) < 0x1p53 ? 0.5 : 0x1p31;
    if (std::fabs(*exact - result) < slack) return {};
  }
  const bool narrowed = cast || is_float(dtype);
  return {narrowed ? Code::kNarrowed : Code::kIntegerOverflow, lane.index,
          fmt::format("{}, which {} cannot hold: {}", *exact, name_of(dtype), result)};
}

void Numbers::judge_lanes(CoreView& core, const Step& step, const Column& dst) {
  std::array<Finding, 4> findings;  // in the order of the codes
  for (size_t i = 0; i < dst.values.size(); ++i) {
    Finding finding = judge({step.record, dst, sources_, i});
    if (finding.code == Code{}) continue;
    Finding& known = findings[size_t(finding.code) - size_t(Code::kNotFinite)];
    if (known.count == 0) known = std::move(finding);
    ++known.count;
  }
  for (const Finding& finding : findings) {
    if (finding.count == 0) continue;
    std::string operands;
    for (const Column& source : sources_) {
      operands += operands.empty() ? "" : ", ";
      if (source.addresses.empty()) {
        operands += fmt::format("{} {}", source.name, text_of(source.operand.dtype, source.scalar));
        continue;
      }
      operands += fmt::format("{}[{}] = {}", source.name, source.index_of(finding.index),
                              text_of(source.operand.dtype, source.values[finding.index]));
    }
    tell(core, dst, finding, operands);
  }
}

// Which elements of the sources an element is made of is not known: none must be infinite or NaN,
// or for a result that saturated the largest number of its type.
void Numbers::judge_all(CoreView& core, const Column& dst) {
  const auto finite = [](double value) { return std::isfinite(value); };
  const bool all_finite = std::ranges::all_of(sources_, [&](const Column& source) {
    return std::ranges::all_of(source.values, finite) && finite(source.scalar);
  });
  if (!all_finite) return;
  const DType dtype = dst.operand.dtype;
  const double largest = largest_of(dtype);
  const bool is_given = std::ranges::any_of(sources_, [&](const Column& source) {
    return std::ranges::any_of(source.values,
                               [&](double value) { return std::fabs(value) == largest; });
  });
  Finding infinite, saturated;
  const auto count = [](Finding& finding, Code code, size_t index, std::string what) {
    if (finding.count++ == 0) finding = {code, index, std::move(what), 1};
  };
  for (size_t i = 0; i < dst.values.size(); ++i) {
    const double value = dst.values[i];
    if (!finite(value)) {
      count(infinite, Code::kNotFinite, i, fmt::format("{}", value));
    } else if (std::fabs(value) == largest && !is_given) {
      count(saturated, Code::kNarrowed, i,
            fmt::format("{}, the largest that {} holds", value, name_of(dtype)));
    }
  }
  if (infinite.count != 0) tell(core, dst, infinite, "finite numbers only");
  if (saturated.count != 0) tell(core, dst, saturated, "none that is as large");
}

// Results in 8 bits, by one scale for all.
void Numbers::judge_requantised(CoreView& core, const Step& step, const Column& dst) {
  using Quant = FixpipeRecord::Quant;
  const auto& record = static_cast<const FixpipeRecord&>(step.record);
  const bool of_integers = record.quant == Quant::kReq8;
  if (!of_integers && record.quant != Quant::kF32ToB8) return;
  const auto word =
      ScaleWord::of_fixpipe(record.from_registers ? step.registers.fixpipe.scale : record.scale);
  const double low = word.is_signed ? -128 : 0, high = word.is_signed ? 127 : 255;
  for (const Column& source : sources_) {
    if (source.space != Space::kL0C) continue;
    Finding finding;
    for (size_t i = 0; i < source.values.size(); ++i) {
      const double value = source.values[i];
      const float whole = of_integers ? float(shifted(int32_t(value), word)) : float(value);
      const double exact = double(scaled(whole, word, record.relu)) + word.offset;
      if (!std::isfinite(value) || (exact > low - 1 && exact < high + 1)) continue;
      if (finding.count++ == 0) {
        finding = {
            Code::kNarrowed, i,
            fmt::format("{} when scaled, which {} cannot hold", exact, name_of(dst.operand.dtype)),
            1};
      }
    }
    if (finding.count == 0) continue;
    tell(core, source, finding,
         fmt::format("{}, scale {}", text_of(source.operand.dtype, source.values[finding.index]),
                     word.scale));
  }
}

void Numbers::tell(CoreView& core, const Column& dst, const Finding& finding,
                   std::string_view operands) {
  const std::string more =
      finding.count == 1 ? "" : fmt::format("; {} elements in all", finding.count);
  core.note(finding.code,
            fmt::format("{}: {}[{}] is {} (of {}){}", core.who(), dst.name,
                        dst.index_of(finding.index), finding.what, operands, more),
            "");
}

}  // namespace vinci
