// load_image_to_local: a part of an image in GM to L1, row by row, each pixel with all its
// channels.
//
//   result pixel (y, x)   pixel (vertStartPos + y - topPadSize, horizStartPos + x - leftPadSize)
//                         of the image, or where that is not in the part, what paddingMode says
//   its channels          exchanged, converted to other colours, to the result's type, filled up
//
// Sources and decisions: docs/spec/load_image_to_local.md.
#include <cstring>

#include <fmt/format.h>

#include "core/instruction.h"
#include "isa/move/image.h"
#include "numeric/dtype.h"

namespace vinci::isa {
namespace {

using image::Format;

constexpr Signature kTypes[] = {DType::kInt8, DType::kUint8, DType::kHalf};
constexpr Signature k2201Types[] = {DType::kInt8, DType::kHalf};
constexpr Support kSupport[] = {{kArch2002 | kArch3002, kTypes}, {kArch2201, k2201Types}};

Signature signature(const LoadImageRecord& record) { return record.dst.dtype; }

Pipe pipe(const LoadImageRecord& record, const Soc& soc) {
  return soc.route(Space::kGm, soc.space_of(record.dst.position));
}

constexpr uint32_t kPixelBytes = 32;  // of a result whose channels are filled up to a datablock

uint32_t height_of(const LoadImageRecord& record, const Aipp& aipp) {
  return aipp.single_line ? 1 : record.height;
}
uint32_t channels_of(const LoadImageRecord& record, const Aipp& aipp) {
  return aipp.channel_mode == 1 ? 4 : kPixelBytes * 8 / bits_of(record.dst.dtype);
}
uint64_t rows_of(const LoadImageRecord& record, const Aipp& aipp) {
  return uint64_t(record.top) + height_of(record, aipp) + record.bottom;
}
uint64_t columns_of(const LoadImageRecord& record) {
  return uint64_t(record.left) + record.width + record.right;
}

void check_sizes(const LoadImageRecord& record, const Aipp& aipp, Check& check) {
  check.range("horizSize", record.width, 2, 4095);
  if (!aipp.single_line) check.range("vertSize", record.height, 2, 4095);
  check.range("horizStartPos", record.column, 0, 4095);
  check.range("vertStartPos", record.row, 0, 4095);
  check.range("srcHorizSize", record.src_width, 2, 4095);
  check.range("topPadSize", record.top, 0, 32);
  check.range("botPadSize", record.bottom, 0, 32);
  check.range("leftPadSize", record.left, 0, 32);
  check.range("rightPadSize", record.right, 0, 32);
  check.multiple("horizStartPos", record.column, 2);
  if (aipp.format == Format::kYuv420sp) {
    check.multiple("vertStartPos with YUV420SP_U8", record.row, 2);
    check.multiple("srcHorizSize with YUV420SP_U8", record.src_width, 2);
  }
  if (check.ok() && record.column + record.width > record.src_width) {
    check.fail(Code::kCombination,
               fmt::format("columns {}..{} of an image that is {} wide", record.column,
                           record.column + record.width - 1, record.src_width),
               "horizStartPos + horizSize <= srcHorizSize");
  }
}

void check_paddings(const LoadImageRecord& record, const Aipp& aipp, Check& check) {
  const uint32_t height = height_of(record, aipp);
  if (aipp.padding_mode == 0 && (record.top != 0 || record.bottom != 0)) {
    check.fail(Code::kCombination, "topPadSize and botPadSize with paddingMode 0",
               "0: constants stand left and right only");
  } else if (aipp.padding_mode >= 2 && (record.left > record.width || record.right > record.width ||
                                        record.top > height || record.bottom > height)) {
    check.fail(
        Code::kCombination,
        fmt::format("paddings of {}, {}, {}, {} (top, bottom, left, right) from an image of "
                    "{} x {}",
                    record.top, record.bottom, record.left, record.right, height, record.width),
        "paddingMode 2 and 3: no more than vertSize and horizSize");
  }
}

void check(const LoadImageRecord& record, Check& check) {
  const Aipp& aipp = check.registers().aipp;
  if (aipp.out == DType::kNone) {
    check.fail(Code::kCombination, "no image is set",
               "SetAippFunctions before it, in the same block");
    return;
  }
  if (aipp.out != record.dst.dtype) {
    check.fail(Code::kCombination,
               fmt::format("dst holds {}, and SetAippFunctions has {}", name_of(record.dst.dtype),
                           name_of(aipp.out)),
               "the same type");
    return;
  }
  check.in_space("dst", record.dst, Space::kL1);
  if (!check.ok()) return;
  check.aligned("dst", record.dst);
  check_sizes(record, aipp, check);
  if (check.ok()) check_paddings(record, aipp, check);
}

void footprint(const LoadImageRecord& record, Footprint& footprint) {
  const Aipp& aipp = footprint.registers().aipp;
  const uint64_t pixel = image::bytes_of_pixel(aipp.format), height = height_of(record, aipp);
  const uint64_t pitch = record.src_width * pixel;
  footprint.add_blocks(aipp.src0, "src0", Access::kRead, record.row * pitch + record.column * pixel,
                       record.width * pixel, height, int64_t(pitch));
  if (aipp.format == Format::kYuv420sp) {
    const uint64_t first = record.row / 2, last = (record.row + height - 1) / 2;
    footprint.add_blocks(aipp.src1, "src1", Access::kRead, first * pitch + record.column,
                         (record.width + 1u) / 2 * 2, last - first + 1, int64_t(pitch));
  }
  footprint.add_bytes(record.dst, "dst", Access::kWrite, 0,
                      rows_of(record, aipp) * columns_of(record) *
                          bytes_of(record.dst.dtype, channels_of(record, aipp)));
}

// Writes the pixels of a row of the result.
class Row {
 public:
  Row(const LoadImageRecord& record, const State& state, Memory& memory)
      : r_(record),
        aipp_(state.registers.aipp),
        plane0_(memory.data(aipp_.src0)),
        plane1_(aipp_.format == Format::kYuv420sp ? memory.data(aipp_.src1) : nullptr),
        width_(bits_of(record.dst.dtype) / 8),
        channels_(channels_of(record, aipp_)),
        overflow_(state.soc.has(Feature::kFloatSaturates) ? Overflow::kSaturate
                                                          : Overflow::kWrapOrInf) {}

  uint8_t* write(uint32_t row, uint8_t* to) const {
    for (int x = -int(r_.left); x < int(r_.width) + r_.right; ++x) {
      const bool is_constant = aipp_.padding_mode == 0 && (x < 0 || x >= int(r_.width));
      for (uint32_t i = image::channels(aipp_.format); i < channels_; ++i) {
        put(aipp_.channel_value, to + i * width_);
      }
      if (is_constant) {
        for (uint32_t i = 0; i < image::channels(aipp_.format); ++i) {
          put(aipp_.padding[i], to + i * width_);
        }
      } else {
        write_pixel(row, image::padded_index(x, r_.width, r_.left, r_.right, aipp_.padding_mode),
                    to);
      }
      to += channels_ * width_;
    }
    return to;
  }

 private:
  void put(uint32_t bits, uint8_t* to) const { std::memcpy(to, &bits, width_); }
  void write_pixel(uint32_t row, uint32_t column, uint8_t* to) const {
    const image::Pixel pixel = image::with_colours_converted(
        aipp_, image::pixel_at(aipp_, plane0_, plane1_, r_.src_width, uint64_t(r_.row) + row,
                               uint64_t(r_.column) + column));
    for (uint32_t i = 0; i < image::channels(aipp_.format); ++i) {
      put(image::element_of(aipp_, pixel[i], i, overflow_), to + i * width_);
    }
  }

  const LoadImageRecord& r_;
  const Aipp& aipp_;
  const uint8_t* plane0_;
  const uint8_t* plane1_;
  uint32_t width_, channels_;
  Overflow overflow_;
};

void run(const LoadImageRecord& record, const State& state, Memory& memory) {
  const Aipp& aipp = state.registers.aipp;
  const Row row(record, state, memory);
  const int height = int(height_of(record, aipp));
  uint8_t* to = memory.data(record.dst);
  for (int y = -int(record.top); y < height + record.bottom; ++y) {
    to =
        row.write(image::padded_index(y, height, record.top, record.bottom, aipp.padding_mode), to);
  }
}

constexpr Functions<LoadImageRecord> kFunctions{.signature = signature,
                                                .pipe = pipe,
                                                .check = check,
                                                .footprint = footprint,
                                                .run = run};

}  // namespace

extern constinit const Instruction load_image_to_local = make_instruction<kFunctions>(
    "load_image_to_local", "LoadImageToLocal", "LoadImageToLocal", kSupport);

}  // namespace vinci::isa
