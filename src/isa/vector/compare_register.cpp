// compare_register: one repeat of src0 compared with src1, the bits into CMPMASK. Lanes that are
// not enabled keep their bit.
//
// Sources and decisions: docs/spec/compare_register.md.
#include "isa/family/compare.h"

namespace vinci::isa {
namespace {

using namespace vinci::vector;

constexpr Signature kHalves[] = {DType::kHalf};
constexpr Signature kFloats[] = {DType::kHalf, DType::kFloat};
constexpr Support kSupport[] = {
    {kArch2002 | kArch2201, kFloats},
    {kArch1000, kHalves, true, kTik},
    {kArch1001 | kArch2002Vector | kArch3002, kFloats, true, kTik},
};

Signature signature(const CompareRecord& record) { return record.src0.dtype; }

ComparePlan plan(const CompareRecord& record, const State& state) {
  const View view = compared(record);
  return {view, LanePlan::of_each(record.lanes, state.registers.mask, view.lanes)};
}

void check(const CompareRecord& record, const ComparePlan& plan, Check& check) {
  const View& view = plan.view;
  for (unsigned i = 0; i < view.sources; ++i) {
    check_operand(view.src[i].name, *view.src[i].operand, check);
  }
  check_each_repeat(record.lanes, view.lanes, view.lanes, check.soc().has(Feature::kMaskZeroIsNop),
                    check);
}

void footprint(const CompareRecord&, const ComparePlan& plan, Footprint& footprint) {
  for (unsigned i = 0; i < plan.view.sources; ++i) {
    add_lanes(footprint, plan.view.src[i], Access::kRead, plan.lanes);
  }
  // Bits of lanes that are not enabled stay: the whole register goes in and out.
  if (plan.lanes.repeats() == 0) return;
  for (const Access access : {Access::kRead, Access::kWrite}) {
    footprint.add_hidden(Space::kCells, "CMPMASK", access, offsetof(Cells, compare_mask),
                         sizeof(Cells::compare_mask));
  }
}

void run(const CompareRecord& record, const ComparePlan& plan, const State&, Memory& memory) {
  uint64_t* result = memory.cells().compare_mask;
  Comparer comparer(record, plan.view, memory);
  for (uint64_t repeat = 0; repeat < plan.lanes.repeats(); ++repeat) {
    uint64_t bits[2] = {0, 0}, enabled[2] = {0, 0};
    comparer.compare(repeat, plan.lanes.end_lane(repeat), bits);
    plan.lanes.enabled_in(repeat, enabled);
    for (unsigned i = 0; i < 2; ++i) {
      result[i] = (result[i] & ~enabled[i]) | (bits[i] & enabled[i]);
    }
  }
}

void advance(const CompareRecord& record, const ComparePlan& plan, const Soc& soc,
             Registers& registers) {
  registers.compare_mask_is_address = false;
  advance_mask(record, plan, soc, registers);
}

constexpr Functions<CompareRecord, ComparePlan> kFunctions{.signature = signature,
                                                           .pipe = Pipe::kV,
                                                           .plan = plan,
                                                           .check = check,
                                                           .footprint = footprint,
                                                           .run = run,
                                                           .advance = advance};

}  // namespace

static_assert(names_only(kSupport, kCompared));

extern constinit const Instruction compare_register =
    make_instruction<kFunctions>("compare_register", "Compare (register)", "Compare", kSupport);

}  // namespace vinci::isa
