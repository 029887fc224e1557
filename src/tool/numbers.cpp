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
#include "tool/domains.h"
#include "tool/is_record.h"
#include "vinci/float_bits.h"
#include "vinci/record/cube.h"
#include "vinci/record/library.h"
#include "vinci/record/move.h"
#include "vinci/record/vector.h"

namespace vinci {
namespace {

// What is stored from L0C and made there saturates as the chip does, whatever CTRL says.
bool is_of_cube(const Record& record) {
  return is<MmadRecord>(record) || is<FixpipeRecord>(record) || is<DataCopyL0CRecord>(record);
}

bool is_arithmetic(const Step& step) {
  return !step.moves() && (makes_numbers(step.record) || is_of_cube(step.record));
}

// Whether it makes no number, but takes one of its operands.
bool chooses(const Record& record) {
  const std::string_view name = mnemonic_of(record);
  return name == "maxs" || name == "mins";
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

// int16 to 8 bits, if one scale is for all.
std::optional<double> exact_dequant(const Step& step, DType to, double x) {
  const auto& record = static_cast<const CastDequantRecord&>(step.record);
  if (record.vector || bits_of(to) != 8) return std::nullopt;
  const auto word = ScaleWord::of_fixpipe(step.registers.deq_scale.word);
  return double(scaled(float(x), word, false)) + word.offset;
}

// By one scale and one offset.
std::optional<double> exact_quant(const Record& record, double x) {
  const auto& call = static_cast<const LibraryRecord&>(record);
  const bool of_tensors = call.src[1].dtype != DType::kNone || call.src[2].dtype != DType::kNone;
  if (mnemonic_of(record) != "ascend_quant" || of_tensors) return std::nullopt;
  return x * call.number[0] + call.number[1];
}

// The result before it is rounded, where a double holds it; none: not known here.
std::optional<double> exact_result(const Step& step, DType from, DType to,
                                   std::span<const double> in) {
  const Record& record = step.record;
  if (is<CastDequantRecord>(record)) return exact_dequant(step, to, in[0]);
  if (is<LibraryRecord>(record)) return exact_quant(record, in[0]);
  if (is<CastRecord>(record)) {
    if (from == DType::kInt32 && to == DType::kHalf) return std::nullopt;  // SetDeqScale
    return in[0];
  }
  if (bits_of(to) > 32 || in.size() < 2) return std::nullopt;
  const std::string_view name = mnemonic_of(record);
  if (name == "add" || name == "adds") return in[0] + in[1];
  if (name == "sub") return in[0] - in[1];
  if (name == "add_relu_cast") return std::max(in[0] + in[1], 0.0);
  if (name == "sub_relu_cast") return std::max(in[0] - in[1], 0.0);
  // Products of 32 bits are exact as long as nobody looks at their last bits.
  if (name == "mul" || name == "muls" || name == "mul_cast") return in[0] * in[1];
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
  unsaturated_.clear();
  if (!is_arithmetic(step)) return;
  collect(core, step, Access::kRead, sources_);
  if (sources_.empty()) return;
  for (const Column& source : sources_) judge_domain(core, step, source);
  if (by_elements(step.record)) add_scalar(step.record, sources_);
  if (!is_of_cube(step.record)) collect_unsaturated(core, step);
}

// Runs it with the other modes of CTRL, and leaves the memories as they were.
void Numbers::collect_unsaturated(CoreView& core, const Step& step) {
  std::vector<uint8_t> before;
  const auto for_each_written = [&](auto f) {
    for (const Region& region : step.regions) {
      if (region.access != Access::kWrite) continue;
      uint8_t* memory = core.bytes_of(region.space).data();
      region.for_each_block([&](Interval bytes) { f(memory + bytes.first, memory + bytes.end); });
    }
  };
  for_each_written([&](uint8_t* first, uint8_t* end) { before.insert(before.end(), first, end); });
  Registers registers = step.registers;
  registers.overflow.floats_saturate = false;
  registers.overflow.casts_keep_low_bits = !registers.overflow.casts_keep_low_bits;
  Step{step.record, step.plan, step.soc, registers, step.regions}.run(core.memory());
  collect(core, step, Access::kWrite, unsaturated_);
  const uint8_t* from = before.data();
  for_each_written([&](uint8_t* first, uint8_t* end) {
    std::copy_n(from, end - first, first);
    from += end - first;
  });
}

void Numbers::after_run(CoreView& core, const Step& step) {
  if (sources_.empty()) return;
  std::vector<Column> results;
  collect(core, step, Access::kWrite, results);
  for (size_t i = 0; i < results.size(); ++i) {
    const Column& dst = results[i];
    const Result result{dst, unsaturated_.empty() ? nullptr : &unsaturated_[i]};
    const bool lanes = has_lanes(step.record) && have_lanes(dst, sources_);
    lanes ? judge_lanes(core, step, result) : judge_all(core, result);
    if (is<FixpipeRecord>(step.record)) judge_requantised(core, step, dst);
  }
  sources_.clear();
}

Numbers::Finding Numbers::judge(const Step& step, const Result& of, size_t index) const {
  std::array<double, 4> in{};
  const size_t count = std::min(in.size(), sources_.size());
  for (size_t i = 0; i < count; ++i) {
    in[i] = sources_[i].value(index);
    // A scalar is the kernel's own: that it is infinite explains nothing.
    const bool is_scalar = sources_[i].addresses.empty();
    if (!std::isfinite(in[i]) && (!is_scalar || chooses(step.record))) return {};
  }
  const std::span<const double> operands(in.data(), count);
  const double result = of.dst.values[index];
  const DType dtype = of.dst.operand.dtype;
  if (divides_by_zero(step.record, operands)) return {Code::kByZero, index, "a quotient by 0"};
  if (!std::isfinite(result)) return {Code::kNotFinite, index, fmt::format("{}", result)};
  const DType from = sources_[0].operand.dtype;
  const auto exact = exact_result(step, from, dtype, operands);
  if (!exact || std::isnan(*exact)) return judge_mode(of, index);
  const bool cast = from != dtype;
  if (is_float(dtype)) {
    if (std::fabs(*exact) < limit_of(dtype)) return {};
  } else {
    // Rounding moves a number by less than 1; a double holds products of 32 bits to within 2^10.
    const double slack = cast ? 1.0 : std::fabs(*exact) < 0x1p53 ? 0.5 : 0x1p31;
    if (std::fabs(*exact - result) < slack) return {};
  }
  const bool narrowed = cast || is_float(dtype);
  return {narrowed ? Code::kNarrowed : Code::kIntegerOverflow, index,
          fmt::format("{}, which {} cannot hold: {}", *exact, name_of(dtype), result)};
}

// A result that another mode would have made otherwise, because its type cannot hold it, or what it
// was made of on the way. Where that became NaN alone, the result may still be right.
Numbers::Finding Numbers::judge_mode(const Result& of, size_t index) const {
  if (of.unsaturated == nullptr) return {};
  const double result = of.dst.values[index], other = of.unsaturated->values[index];
  const DType dtype = of.dst.operand.dtype;
  const std::string cannot = fmt::format("{}, where {} cannot hold", result, name_of(dtype));
  if (!is_float(dtype)) {
    const bool converts = sources_[0].operand.dtype != dtype;
    if (!converts || result == other) return {};
    return {Code::kNarrowed, index, cannot + " the result"};
  }
  if (std::isinf(other) && std::isfinite(result)) {
    return {Code::kNarrowed, index, cannot + " the result"};
  }
  if (std::isnan(other) && result == 0) return {Code::kNotFinite, index, "nan, saved as 0"};
  return {};
}

void Numbers::judge_lanes(CoreView& core, const Step& step, const Result& result) {
  std::array<Finding, 4> findings;  // in the order of the codes
  const Column& dst = result.dst;
  for (size_t i = 0; i < dst.values.size(); ++i) {
    Finding finding = judge(step, result, i);
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
// or, where other modes are not known, for a result that saturated the largest number of its type.
void Numbers::judge_all(CoreView& core, const Result& result) {
  const Column& dst = result.dst;
  const auto finite = [](double value) { return std::isfinite(value); };
  const bool all_finite = std::ranges::all_of(sources_, [&](const Column& source) {
    return std::ranges::all_of(source.values, finite) && finite(source.scalar);
  });
  if (!all_finite) return;
  const DType dtype = dst.operand.dtype;
  const double largest = largest_of(dtype);
  const bool looks_at_largest =
      result.unsaturated == nullptr && std::ranges::none_of(sources_, [&](const Column& source) {
        return std::ranges::any_of(source.values,
                                   [&](double value) { return std::fabs(value) == largest; });
      });
  Finding infinite, saturated;
  const auto count = [](Finding& finding, Finding next) {
    if (finding.count++ == 0) finding = {next.code, next.index, std::move(next.what), 1};
  };
  for (size_t i = 0; i < dst.values.size(); ++i) {
    const double value = dst.values[i];
    if (!finite(value)) {
      count(infinite, {Code::kNotFinite, i, fmt::format("{}", value)});
    } else if (looks_at_largest && std::fabs(value) == largest) {
      count(saturated, {Code::kNarrowed, i,
                        fmt::format("{}, the largest that {} holds", value, name_of(dtype))});
    } else if (Finding mode = judge_mode(result, i); mode.code != Code{}) {
      count(mode.code == Code::kNotFinite ? infinite : saturated, std::move(mode));
    }
  }
  if (infinite.count != 0) tell(core, dst, infinite, "finite numbers only");
  if (saturated.count != 0) {
    tell(core, dst, saturated, looks_at_largest ? "none that is as large" : "finite numbers only");
  }
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
