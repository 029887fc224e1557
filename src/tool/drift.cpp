#include "tool/drift.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "numeric/dtype.h"
#include "vinci/float_bits.h"

namespace vinci {
namespace {

constexpr size_t kMostTold = 10;
constexpr size_t kMostOperands = 3;

// What an element becomes, from its operands in the order of the call: the scalar last but where
// the destination is read, which is `d`.
using In = std::span<const double, kMostOperands>;
struct ExactFormula {
  std::string_view name;
  double (*apply)(In in, double d);
};
double not_negative(double x) { return std::max(x, 0.0); }
constexpr ExactFormula kExactFormulas[] = {
    {"add", [](In in, double) { return in[0] + in[1]; }},
    {"adds", [](In in, double) { return in[0] + in[1]; }},
    {"sub", [](In in, double) { return in[0] - in[1]; }},
    {"mul", [](In in, double) { return in[0] * in[1]; }},
    {"muls", [](In in, double) { return in[0] * in[1]; }},
    {"div", [](In in, double) { return in[0] / in[1]; }},
    {"max", [](In in, double) { return std::max(in[0], in[1]); }},
    {"maxs", [](In in, double) { return std::max(in[0], in[1]); }},
    {"min", [](In in, double) { return std::min(in[0], in[1]); }},
    {"mins", [](In in, double) { return std::min(in[0], in[1]); }},
    {"abs", [](In in, double) { return std::fabs(in[0]); }},
    {"relu", [](In in, double) { return not_negative(in[0]); }},
    {"exp", [](In in, double) { return std::exp(in[0]); }},
    {"ln", [](In in, double) { return std::log(in[0]); }},
    {"sqrt", [](In in, double) { return std::sqrt(in[0]); }},
    {"rsqrt", [](In in, double) { return 1 / std::sqrt(in[0]); }},
    {"reciprocal", [](In in, double) { return 1 / in[0]; }},
    {"leaky_relu", [](In in, double) { return in[0] < 0 ? in[0] * in[1] : in[0]; }},
    {"cast", [](In in, double) { return in[0]; }},
    {"duplicate", [](In in, double) { return in[0]; }},
    {"add_relu", [](In in, double) { return not_negative(in[0] + in[1]); }},
    {"sub_relu", [](In in, double) { return not_negative(in[0] - in[1]); }},
    {"add_relu_cast", [](In in, double) { return not_negative(in[0] + in[1]); }},
    {"sub_relu_cast", [](In in, double) { return not_negative(in[0] - in[1]); }},
    {"axpy", [](In in, double d) { return in[0] * in[1] + d; }},
    {"mul_add_dst", [](In in, double d) { return in[0] * in[1] + d; }},
    {"fused_mul_add", [](In in, double d) { return in[0] * d + in[1]; }},
    {"fused_mul_add_relu", [](In in, double d) { return not_negative(in[0] * d + in[1]); }},
};

double relative_error(double missing, double value) {
  if (missing == 0) return 0;
  const double exact = std::fabs(value + missing);
  return exact == 0 ? 1 : std::min(std::fabs(missing) / exact, 1.0);
}

void store_float(DType dtype, double value, uint8_t* to) {
  if (dtype == DType::kFloat) {
    const auto bits = float(value);
    std::memcpy(to, &bits, sizeof(bits));
    return;
  }
  const auto narrow = float(value);
  const uint16_t bits = dtype == DType::kHalf ? half_of_float(narrow) : bfloat16_of_float(narrow);
  std::memcpy(to, &bits, sizeof(bits));
}

// Sums of so many neighbours each.
bool sums_up(std::string_view name) { return name.ends_with("reduce_sum"); }
bool picks_one(std::string_view name) {
  return name.ends_with("reduce_max") || name.ends_with("reduce_min");
}

}  // namespace

void DriftTable::take(const Origin& place, double loss, const std::function<Fault()>& fault) {
  const std::lock_guard lock(mutex_);
  const auto [at, is_new] = worst_.try_emplace(place);
  if (!is_new && at->second.loss >= loss) return;
  at->second = {loss, fault()};
}

void DriftTable::finish(const std::function<void(const Fault&)>& tell) const {
  std::vector<const Entry*> entries;
  for (const auto& [place, entry] : worst_) entries.push_back(&entry);
  std::ranges::stable_sort(entries, std::greater(), &Entry::loss);
  if (entries.size() > kMostTold) entries.resize(kMostTold);
  for (const Entry* entry : entries) tell(entry->fault);
}

void Drift::on_block_begin(CoreView& core) {
  for (int i = 1; i < kAllSpaces; ++i) {
    const auto space = Space(i);
    low_[i].assign(space == Space::kCells ? 0 : core.bytes_of(space).size(), 0);
  }
  sources_.clear();
}

double Drift::missing(const Column& column, size_t i) const {
  const DType dtype = column.operand.dtype;
  if (column.space == Space::kGm || column.addresses.empty() || !is_float(dtype)) return 0;
  return number_at(dtype, &low_[size_t(column.space)][column.addresses[i] / 8], 0);
}

void Drift::before_run(CoreView& core, const Step& step) {
  sources_.clear();
  missing_.clear();
  if (step.moves()) return;
  collect(core, step, Access::kRead, sources_);
  if (by_elements(step.record)) add_scalar(step.record, sources_);
  for (const Column& source : sources_) {
    std::vector<double>& of_source = missing_.emplace_back();
    for (size_t i = 0; i < source.addresses.size(); ++i) of_source.push_back(missing(source, i));
  }
}

// As a double has it.
Drift::Exact Drift::operand(const Column& column, size_t i) const {
  const double value = column.value(i);
  if (column.addresses.empty()) return {value, 0};
  const double more = missing_[size_t(&column - sources_.data())][i];
  return {value + more, relative_error(more, value)};
}

// How an element of the result is made; empty: that is not known.
Drift::Formula Drift::formula_of(const Step& step, const Column& dst) const {
  const std::string_view name = mnemonic_of(step.record);
  if (by_elements(step.record)) {
    const auto row = std::ranges::find(kExactFormulas, name, &ExactFormula::name);
    const bool scaled = name == "cast" && dst.operand.dtype == DType::kHalf && !sources_.empty() &&
                        sources_[0].operand.dtype == DType::kInt32;
    if (row == std::end(kExactFormulas) || scaled || !have_lanes(dst, sources_)) return {};
    return [this, row](size_t lane) {
      std::array<double, kMostOperands> in{};
      double before = 0, error = 0;
      size_t count = 0;
      for (const Column& source : sources_) {
        const Exact exact = operand(source, lane);
        error = std::max(error, exact.error_before);
        if (std::string_view(source.name).starts_with("dst")) {
          before = exact.value;
        } else if (count < in.size()) {
          in[count++] = exact.value;
        }
      }
      return Exact{row->apply(In(in), before), error};
    };
  }
  const bool of_many = sums_up(name) || picks_one(name);
  if (!of_many || sources_.empty() || dst.values.empty()) return {};
  const Column& source = sources_[0];
  const size_t each = source.values.size() / dst.values.size();
  if (each == 0 || each * dst.values.size() != source.values.size()) return {};
  return [this, &source, &dst, each, sums = sums_up(name)](size_t lane) {
    Exact result;
    for (size_t i = lane * each; i < (lane + 1) * each; ++i) {
      const Exact exact = operand(source, i);
      if (sums) {
        result.value += exact.value;
        result.error_before = std::max(result.error_before, exact.error_before);
      } else if (source.values[i] == dst.values[lane]) {
        result = exact;
      }
    }
    return result;
  };
}

void Drift::after_run(CoreView& core, const Step& step) {
  if (step.moves()) return move(core, step);
  std::vector<Column> results;
  collect(core, step, Access::kWrite, results);
  std::vector<Formula> formulas;
  for (const Column& dst : results) {
    formulas.push_back(is_float(dst.operand.dtype) ? formula_of(step, dst) : Formula{});
  }
  for (const Region& region : step.regions) {
    if (region.access == Access::kWrite) forget(region);
  }
  for (size_t i = 0; i < results.size(); ++i) {
    if (formulas[i] && results[i].space != Space::kGm) keep(core, results[i], formulas[i]);
  }
}

void Drift::move(CoreView&, const Step& step) {
  const auto in_gm = [](const Region& region) { return region.space == Space::kGm; };
  if (std::ranges::any_of(step.regions, in_gm)) {
    for (const Region& region : step.regions) {
      if (region.access == Access::kWrite) forget(region);
    }
    return;
  }
  Storage storage;
  for (int i = 1; i < kAllSpaces; ++i) {
    if (!low_[i].empty()) storage.first[i] = low_[i].data();
  }
  Memory memory(step.soc, storage);
  step.run(memory);
}

void Drift::forget(const Region& region) {
  std::vector<uint8_t>& low = low_[size_t(region.space)];
  if (region.space == Space::kGm || low.empty()) return;
  region.for_each_block([&](Interval block) {
    std::fill(&low[block.first], &low[block.first] + (block.end - block.first), 0);
  });
}

void Drift::keep(CoreView& core, const Column& dst, const Formula& exact) {
  const DType dtype = dst.operand.dtype;
  double most = 0;
  size_t worst = 0;
  Exact there;
  for (size_t i = 0; i < dst.values.size(); ++i) {
    const Exact here = exact(i);
    const double more = here.value - dst.values[i];
    if (!std::isfinite(more)) continue;  // infinities are for another tool
    store_float(dtype, more, &low_[size_t(dst.space)][dst.addresses[i] / 8]);
    const double loss = relative_error(more, dst.values[i]) - here.error_before;
    if (loss <= most) continue;
    most = loss;
    worst = i;
    there = here;
  }
  if (most == 0) return;
  table_.take(core.origin(), most, [&] {
    Fault fault = core.fault_here(Code::kDrift);
    const double more = there.value - dst.values[worst];
    fault.message = fmt::format(
        "{}: {}[{}] is {}, where doubles give {:.10g}: off by {:.3g} of it, its operands by {:.2g}",
        core.who(), dst.name, dst.index_of(worst), dst.values[worst], there.value,
        relative_error(more, dst.values[worst]), there.error_before);
    return fault;
  });
}

}  // namespace vinci
