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
Pipe pipe(const CompareRecord&, const Soc&) { return Pipe::kV; }

LanePlan plan_of(const CompareRecord& record, const MaskRegister& mask, const View& view) {
  const EachRepeat each(record.lanes, mask);
  return {each.lanes, each.mask, view.lanes};
}

void check(const CompareRecord& record, Check& check) {
  const View view = compared(record);
  for (unsigned i = 0; i < view.sources; ++i) {
    check_operand(view.src[i].name, *view.src[i].operand, check);
  }
  check_each_repeat(record.lanes, view.lanes, check.soc().has(Feature::kMaskZeroIsNop), check);
}

void footprint(const CompareRecord& record, Core& core, Footprint& footprint) {
  const View view = compared(record);
  const LanePlan plan = plan_of(record, core.registers().mask, view);
  for (unsigned i = 0; i < view.sources; ++i) {
    add_lanes(footprint, view.src[i], Access::kRead, plan);
  }
}

void execute(const CompareRecord& record, Core& core) {
  const View view = compared(record);
  MaskRegister& mask = core.registers().mask;
  const LanePlan plan = plan_of(record, mask, view);
  CompareMaskRegister& result = core.registers().compare_mask;
  Comparer comparer(record, view, core);
  for (uint64_t repeat = 0; repeat < plan.repeats(); ++repeat) {
    uint64_t bits[2] = {0, 0}, enabled[2] = {0, 0};
    comparer.compare(repeat, plan.end_lane(repeat), bits);
    plan.enabled_in(repeat, enabled);
    for (unsigned i = 0; i < 2; ++i) {
      result.bits[i] = (result.bits[i] & ~enabled[i]) | (bits[i] & enabled[i]);
    }
  }
  result.pointee = {};
  mask = mask_after(record.lanes, mask, view.lanes, core.soc());
}

}  // namespace

extern constinit const Instruction compare_register =
    make_instruction<CompareRecord, signature, pipe, check, footprint, execute>(
        "compare_register", "Compare (register)", "Compare", kSupport);

}  // namespace vinci::isa
