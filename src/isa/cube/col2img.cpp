// col2img: column to image. 16 windows a repeat add their 16 channels at one point of the filter to
// the pixels of a map that they see there: load3dv1 with repeat_mode 1 the other way round. TIK
// alone has it.
//
// Sources and decisions: docs/spec/col2img.md.
#include <fmt/format.h>

#include "core/instruction.h"
#include "isa/cube/image_to_column.h"
#include "isa/family/types.h"
#include "kernel/half_array.h"
#include "vinci/record/cube.h"

namespace vinci::isa {
namespace {

using namespace vinci::feature_map;

constexpr Signature kTypes[] = {DType::kHalf, DType::kFloat};
constexpr Support kSupport[] = {{kArch1000 | kArch1001 | kArch2002, kTypes, true, kTik}};
constexpr unsigned kChannels = 16;

Signature signature(const LoadData3DV1Record& record) {
  return types_of(record.dst.dtype, record.src.dtype);
}

uint64_t pixel_bytes(const LoadData3DV1Record& record) {
  return kChannels * bits_of(record.dst.dtype) / 8;
}
int32_t windows_of(const LoadData3DV1Record& record) {
  return int32_t(record.repeats * fractal::kRows);
}
FeatureMap map_of(const LoadData3DV1Record& record) { return described_by(record, {}); }

// run(first, count, pixel, step): windows first .. first + count - 1 see the pixels pixel,
// pixel + step, ... What the others see lies outside the map.
template <class Run>
void for_each_run(const LoadData3DV1Record& record, const Run& run) {
  const Windows windows(record, map_of(record));
  windows.walk(
      windows.from(record.left_top_h, record.left_top_w), windows_of(record),
      record.fetch_filter_h * record.dilation_h, record.fetch_filter_w * record.dilation_w,
      [&](int32_t first, int32_t count, int32_t pixel) {
        run(first, count, pixel, windows.stride());
      },
      [](int32_t, int32_t) {});
}

void check(const LoadData3DV1Record& record, Check& check) {
  for (const auto& [name, operand] : {std::pair{"dst", &record.dst}, {"src", &record.src}}) {
    check.in_space(name, *operand, Space::kUb);
    if (check.ok()) check.aligned(name, *operand);
  }
  check.range("repeat_time", record.repeats, 0, 255);
  const FeatureMap map = map_of(record);
  check_geometry(record, map, check, 255);
  check_first_window(record, map, check);
  if (!check.ok()) return;
  const uint64_t dst = record.dst.address, src = record.src.address;
  const uint64_t dst_end = dst + uint64_t(map.h) * map.w * pixel_bytes(record);
  const uint64_t src_end = src + uint64_t(windows_of(record)) * pixel_bytes(record);
  if (vector::overlap(dst, dst_end, src, src_end)) {
    check.fail(Code::kOverlap, "dst and src overlap", "no overlap");
  }
}

void footprint(const LoadData3DV1Record& record, Footprint& footprint) {
  const uint64_t bytes = pixel_bytes(record);
  for_each_run(record, [&](int32_t first, int32_t count, int32_t pixel, int32_t step) {
    footprint.add_bytes(record.src, "src", Access::kRead, uint64_t(first) * bytes,
                        uint64_t(count) * bytes);
    for (Access access : {Access::kRead, Access::kWrite}) {
      footprint.add_blocks(record.dst, "dst", access, uint64_t(pixel) * bytes, bytes,
                           uint64_t(count), int64_t(uint64_t(step) * bytes));
    }
  });
}

void add_halves(const uint8_t* from, uint8_t* to, bool saturate) {
  uint16_t halves[kChannels];
  float numbers[kChannels], sums[kChannels];
  std::memcpy(halves, from, sizeof(halves));
  floats_of_halves(halves, numbers, kChannels);
  std::memcpy(halves, to, sizeof(halves));
  floats_of_halves(halves, sums, kChannels);
  for (unsigned i = 0; i < kChannels; ++i) sums[i] += numbers[i];
  halves_of_floats(sums, halves, kChannels, saturate);
  std::memcpy(to, halves, sizeof(halves));
}

void add_floats(const uint8_t* from, uint8_t* to) {
  float numbers[kChannels], sums[kChannels];
  std::memcpy(numbers, from, sizeof(numbers));
  std::memcpy(sums, to, sizeof(sums));
  for (unsigned i = 0; i < kChannels; ++i) {
    const float sum = sums[i] + numbers[i];
    sums[i] = sum == sum ? sum : __builtin_nanf("");
  }
  std::memcpy(to, sums, sizeof(sums));
}

void run(const LoadData3DV1Record& record, const State& state, Memory& memory) {
  const uint64_t bytes = pixel_bytes(record);
  const uint8_t* src = memory.data(record.src);
  uint8_t* dst = memory.data(record.dst);
  const bool half = record.dst.dtype == DType::kHalf;
  for_each_run(record, [&](int32_t first, int32_t count, int32_t pixel, int32_t step) {
    for (int32_t i = 0; i < count; ++i) {
      const uint8_t* from = src + uint64_t(first + i) * bytes;
      uint8_t* to = dst + uint64_t(pixel + i * step) * bytes;
      half ? add_halves(from, to, state.registers.overflow.floats_saturate) : add_floats(from, to);
    }
  });
}

constexpr Functions<LoadData3DV1Record> kFunctions{
    .signature = signature, .pipe = Pipe::kV, .check = check, .footprint = footprint, .run = run};

}  // namespace

extern constinit const Instruction col2img =
    make_instruction<kFunctions>("col2img", "col2img", "col2img", kSupport);

}  // namespace vinci::isa
