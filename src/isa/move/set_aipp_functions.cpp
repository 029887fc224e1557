// set_aipp_functions: what later LoadImageToLocal loads, and what becomes of its pixels.
//
// Sources and decisions: docs/spec/set_aipp_functions.md.
#include <algorithm>

#include <fmt/format.h>

#include "core/setter.h"
#include "isa/move/image.h"

namespace vinci::isa {
namespace {

using image::Format;

constexpr Signature kTypes[] = {
    {DType::kInt8, DType::kUint8}, {DType::kUint8, DType::kUint8}, {DType::kHalf, DType::kUint8}};
constexpr Signature k2201Types[] = {{DType::kInt8, DType::kUint8}, {DType::kHalf, DType::kUint8}};
constexpr Support kSupport[] = {{kArch2002 | kArch3002, kTypes}, {kArch2201, k2201Types}};

Signature signature(const SetAippRecord& record) { return {record.aipp.out, record.src}; }

void check_sources(const Aipp& aipp, Check& check) {
  const bool has_planes = aipp.format == Format::kYuv420sp;
  const bool has_src1 = aipp.src1.dtype != DType::kNone;
  check.in_space("src0", aipp.src0, Space::kGm);
  if (!check.ok()) return;
  check.aligned("src0", aipp.src0, has_planes ? 2 : aipp.format == Format::kXrgb8888 ? 4 : 1);
  if (has_planes && !has_src1) {
    check.fail(Code::kCombination, "YUV420SP_U8 without src1, which has U and V",
               "the form with src0 and src1");
  } else if (has_planes) {
    check.in_space("src1", aipp.src1, Space::kGm);
    if (check.ok()) check.aligned("src1", aipp.src1, 2);
  }
}

void check_numbers(const Aipp& aipp, Check& check) {
  const bool rounds = check.soc().has(Feature::kAippRounds);
  check.range("paddingMode", aipp.padding_mode, 0, 3);
  check.range("cPaddingMode", aipp.channel_mode, 0, 1);
  check.range("dtcRoundMode", aipp.round_mode, 0, rounds ? 1 : 0);
  if (rounds && std::ranges::any_of(aipp.min, [](uint16_t min) { return (min & 0x7FFF) != 0; })) {
    check.fail(Code::kRange, fmt::format("dtcMinCh0 to 2 that are not 0, on {}", check.soc().name),
               "0: this chip subtracts the mean alone");
  }
  if (aipp.converts_colours && aipp.format == Format::kYuv400) {
    check.fail(Code::kCombination, "isEnableCsc with YUV400_U8, which has no colours",
               "isEnableCsc = false");
  }
}

// What the format does not have.
void tell_what_is_ignored(const Aipp& aipp, Check& check) {
  const auto tell = [&](bool is, std::string_view what, std::string_view legal) {
    if (is)
      check.warn(Code::kNoEffect, fmt::format("{} has no effect here", what), std::string(legal));
  };
  const auto any = [](const uint8_t(&list)[3]) {
    return std::ranges::any_of(list, [](uint8_t bias) { return bias != 0; });
  };
  const bool planes = aipp.format == Format::kYuv420sp;
  tell(!planes && aipp.src1.dtype != DType::kNone, "src1", "src1 with YUV420SP_U8 alone");
  tell(aipp.swap_uv && !planes, "isSwapUV", "with YUV420SP_U8");
  tell(aipp.swap_rb && image::is_yuv(aipp.format), "isSwapRB", "with RGB888_U8, XRGB8888_U8");
  tell(aipp.swap_ax && aipp.format != Format::kXrgb8888, "isSwapAX", "with XRGB8888_U8");
  if (!aipp.converts_colours) return;
  tell(planes && any(aipp.bias_in), "cscBiasIn", "cscBiasOut from YUV to RGB");
  tell(!planes && any(aipp.bias_out), "cscBiasOut", "cscBiasIn from RGB to YUV");
}

void check(const SetAippRecord& record, Check& check) {
  if (!image::is_format(record.aipp.format)) {
    check.fail(Code::kRange, fmt::format("format is {}", int(record.aipp.format)),
               "YUV420SP_U8 (0), XRGB8888_U8 (1), RGB888_U8 (4), YUV400_U8 (9)");
    return;
  }
  check_sources(record.aipp, check);
  check_numbers(record.aipp, check);
  if (check.ok()) tell_what_is_ignored(record.aipp, check);
}

void write(const SetAippRecord& record, Registers& registers) { registers.aipp = record.aipp; }

}  // namespace

extern constinit const Instruction set_aipp_functions =
    setter::setter_instruction<SetAippRecord, write, check, signature>(
        "set_aipp_functions", "SetAippFunctions", kSupport);

}  // namespace vinci::isa
