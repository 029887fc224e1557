// create_vec_index: dst[i] = the first value + i, where i counts all lanes of all repeats.
//
// Sources and decisions: docs/spec/create_vec_index.md.
#include "isa/family/elementwise.h"
#include "isa/family/operation.h"

namespace vinci::isa {
namespace {

using namespace vinci::vector;

constexpr Signature kTypes[] = {DType::kInt16, DType::kHalf, DType::kInt32, DType::kFloat};
constexpr Support kSupport[] = {{kArch2002 | kArch2201 | kArch3002, kTypes, true, kAscendC}};

Signature signature(const ElementwiseRecord& record) { return record.dst.dtype; }

ElementwisePlan plan(const ElementwiseRecord& record, const State& state) {
  return plan_of(view_of(record), record.lanes, state);
}
void check(const ElementwiseRecord& record, const ElementwisePlan& plan, Check& check) {
  check_view(plan, record.lanes, false, check);
}
void footprint(const ElementwiseRecord&, const ElementwisePlan& plan, Footprint& footprint) {
  add_view(plan, footprint);
}

// Integers wrap around.
template <class T>
void count_up(const LaneArrays& arrays, uint64_t scalar, uint64_t index) {
  auto* out = reinterpret_cast<T*>(arrays.dst);
  for (size_t i = 0; i < arrays.count; ++i) out[i] = T(scalar + index + i);
}

void count_up_floats(const LaneArrays& arrays, float first, uint64_t index) {
  auto* out = reinterpret_cast<float*>(arrays.dst);
  for (size_t i = 0; i < arrays.count; ++i) {
    const float sum = first + float(index + i);
    out[i] = sum != sum ? __builtin_nanf("") : sum;
  }
}

// In double these sums are exact; the step to float leaves the rounding to half.
void count_up_halves(const LaneArrays& arrays, float first, uint64_t index, bool saturate) {
  auto* out = reinterpret_cast<uint16_t*>(arrays.dst);
  for (size_t i = 0; i < arrays.count; i += kMostLanes) {
    const size_t n = std::min<size_t>(kMostLanes, arrays.count - i);
    float sums[kMostLanes];
    for (size_t lane = 0; lane < n; ++lane) {
      sums[lane] = float_of_number_odd(double(first) + double(index + i + lane));
    }
    halves_of_floats(sums, out + i, n, saturate);
  }
}

template <class T>
void fill(uint64_t scalar, const OverflowModes& modes, const LaneArrays& arrays, uint64_t index) {
  if constexpr (std::is_same_v<T, half>) {
    count_up_halves(arrays, float_of_half(uint16_t(scalar)), index, modes.floats_saturate);
  } else if constexpr (std::is_same_v<T, float>) {
    count_up_floats(arrays, float_of_bits(uint32_t(scalar)), index);
  } else {
    count_up<T>(arrays, scalar, index);
  }
}

void run(const ElementwiseRecord& record, const ElementwisePlan& plan, const State& state,
         Memory& memory) {
  uint64_t index = 0;
  walk(plan.view, plan.lanes, memory, [&](const LaneRows& rows) {
    with_type<kSupport>(record.dst.dtype, [&]<class T>() {
      rows.for_each([&](const LaneArrays& arrays) {
        fill<T>(record.scalar, state.registers.overflow, arrays, index);
        index += plan.view.lanes;
      });
    });
  });
}

constexpr Functions<ElementwiseRecord, ElementwisePlan> kFunctions{.signature = signature,
                                                                   .pipe = Pipe::kV,
                                                                   .plan = plan,
                                                                   .check = check,
                                                                   .footprint = footprint,
                                                                   .run = run,
                                                                   .advance = advance_mask};

}  // namespace

extern constinit const Instruction create_vec_index =
    make_instruction<kFunctions>("create_vec_index", "CreateVecIndex", "CreateVecIndex", kSupport);

}  // namespace vinci::isa
