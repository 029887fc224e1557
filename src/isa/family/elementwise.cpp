// What all element-wise instructions check and touch.
#include "isa/family/elementwise.h"

#include <fmt/format.h>

#include "numeric/dtype.h"

namespace vinci::vector {
namespace {

constexpr int64_t kMost8Bits = 255;

// What the core keeps 8 bits of; TIK has ranges of its own.
void check_strides(const View& view, Check& check) {
  static constexpr std::string_view kBlock[] = {"src0BlkStride", "src1BlkStride"};
  static constexpr std::string_view kRepeat[] = {"src0RepStride", "src1RepStride"};
  // dst as a source is what a call adds up to.
  const bool one_source = view.sources < 2 || view.src[1].operand == view.dst.operand;
  const unsigned sources = one_source ? std::min(view.sources, 1U) : 2;
  check.range("dstRepStride", view.dst.layout.stride.repeat, 0, kMost8Bits);
  if (!one_source) check.range("dstBlkStride", view.dst.layout.stride.block, 0, kMost8Bits);
  for (unsigned i = 0; i < sources; ++i) {
    const Stride stride = view.src[i].layout.stride;
    check.range(one_source ? "srcRepStride" : kRepeat[i], stride.repeat, 0, kMost8Bits);
    if (!one_source) check.range(kBlock[i], stride.block, 0, kMost8Bits);
  }
}

// Whether repeats read other elements each, and write all to one place, which none of them reads.
bool loses_repeats(const ElementwisePlan& plan) {
  const View& view = plan.view;
  const LanePlan& lanes = plan.lanes;
  if (view.dst.layout.stride.repeat != 0 || lanes.counted() || lanes.repeats() < 2) return false;
  bool differ = false;
  for (unsigned i = 0; i < view.sources; ++i) {
    const Operand& source = *view.src[i].operand;
    if (source.address == view.dst.operand->address) return false;
    differ |= view.src[i].layout.stride.repeat != 0;
  }
  return differ;
}

}  // namespace

View view_of(const ElementwiseRecord& record) {
  View view{};
  unsigned widest = bits_of(record.dst.dtype);
  const Operand* sources[] = {&record.src0, &record.src1};
  while (view.sources < 2 && sources[view.sources]->dtype != DType::kNone) {
    widest = std::max(widest, bits_of(sources[view.sources]->dtype));
    ++view.sources;
  }
  view.lanes = lanes_per_repeat(widest);
  const auto operand = [&](const char* name, const Operand& operand, Stride stride) {
    Layout layout = layout_of(operand.dtype, stride);
    if (record.lanes.form == Lanes::Form::kCount) {
      layout.stride = contiguous(layout, view.lanes);
    }
    return LaneOperand{&operand, layout, name};
  };
  view.dst = operand("dst", record.dst, record.dst_stride);
  // With one source a destination block stride of 0 counts as 1.
  Stride& dst_stride = view.dst.layout.stride;
  if (view.sources < 2) dst_stride.block = std::max<uint16_t>(dst_stride.block, 1);
  view.src[0] = operand(view.sources == 2 ? "src0" : "src", record.src0, record.src0_stride);
  view.src[1] = operand("src1", record.src1, record.src1_stride);
  return view;
}

void check_sources(const ElementwiseRecord& record, unsigned sources, Check& check) {
  const unsigned given = (record.src0.dtype != DType::kNone) + (record.src1.dtype != DType::kNone);
  if (given != sources) [[unlikely]] {
    check.fail(Code::kCombination, fmt::format("a record with {} sources", given),
               fmt::format("{}", sources));
  } else if (sources == 2 && record.src0.dtype != record.src1.dtype) [[unlikely]] {
    check.fail(Code::kCombination,
               fmt::format("src0 has {} and src1 {}", name_of(record.src0.dtype),
                           name_of(record.src1.dtype)),
               "one type");
  }
}

void check_view(const ElementwisePlan& plan, const Lanes& lanes, bool accumulates, Check& check) {
  const View& view = plan.view;
  check_operand(view.dst.name, *view.dst.operand, check);
  bool pairs = view.dst.layout.bits == 4;
  // dst as a source is what a call adds up to; it has been checked.
  const auto is_dst = [&](unsigned i) { return view.src[i].operand == view.dst.operand; };
  for (unsigned i = 0; i < view.sources; ++i) {
    if (!is_dst(i)) check_operand(view.src[i].name, *view.src[i].operand, check);
    pairs |= view.src[i].layout.bits == 4;
  }
  check_lanes(lanes, view.lanes, pairs, check.soc().has(Feature::kMaskZeroIsNop), check);
  if (!plan.lanes.counted()) check.range("repeatTime", lanes.repeats, 0, kMost8Bits);
  if (!check.in_tik()) check_strides(view, check);
  if (!check.ok()) return;
  for (unsigned i = 0; i < view.sources; ++i) {
    if (!is_dst(i)) {
      check_overlap(view.dst, view.src[i], plan.lanes,
                    {accumulates && i == 1, accumulates && i == 0, view.widens}, check);
    }
  }
  if (check.ok() && view.dst.layout.stride.block == 0 && plan.lanes.repeats() != 0 &&
      view.dst.layout.blocks(plan.lanes.end_lane(0)) > 1) {
    check.warn(Code::kWrittenTwice,
               "with a dst block stride of 0 all blocks of a repeat go to one place, and the last "
               "enabled one stays",
               "a dst block stride of 1 or more");
  }
  if (check.ok() && loses_repeats(plan)) {
    check.warn(Code::kWrittenTwice,
               "with a dst repeat stride of 0 all repeats go to one place, and the last one stays",
               "a dst repeat stride of 1 or more, but to add up in dst");
  }
}

void add_view(const ElementwisePlan& plan, Footprint& footprint) {
  for (unsigned i = 0; i < plan.view.sources; ++i) {
    add_lanes(footprint, plan.view.src[i], Access::kRead, plan.lanes);
  }
  add_lanes(footprint, plan.view.dst, Access::kWrite, plan.lanes);
}

}  // namespace vinci::vector
