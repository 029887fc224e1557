// load_data_3d_v2: a block of the image-to-column matrix X, laid out as an operand of Mmad.
//
//   row m of X is the window at (m / Wo, m % Wo); column k is a channel at a filter point:
//   k = ((c1 * Kh + kh) * Kw + kw) * C0 + c0 for whole blocks of C0 channels, and after these
//   the remaining cx channels, point by point: (kh * Kw + kw) * cx + c.
//
// A column block is the 32 bytes of one window at one filter point. Sources and decisions:
// docs/spec/load_data_3d_v2.md.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/core.h"
#include "core/instruction.h"
#include "isa/family/feature_map.h"
#include "isa/family/fractal.h"
#include "numeric/dtype.h"
#include "vinci/record/cube.h"

namespace vinci::isa {
namespace {

using namespace vinci::feature_map;
using fractal::ceil_div;
using fractal::kRowBytes;

constexpr Signature k2002Types[] = {DType::kUint8, DType::kInt8, DType::kHalf};
constexpr Signature k2201Types[] = {DType::kUint8,  DType::kInt8,  DType::kHalf,  DType::kBfloat16,
                                    DType::kUint32, DType::kInt32, DType::kFloat, DType::kInt4};
constexpr Support kSupport[] = {{kArch2002, k2002Types}, {kArch2201 | kArch3002, k2201Types}};

Signature signature(const LoadData3DV2Record& record) { return record.dst.dtype; }
Pipe pipe(const LoadData3DV2Record&, const Soc&) { return Pipe::kMte1; }

FeatureMap map_of(const LoadData3DV2Record& record, const Registers& registers) {
  return described_by(record, record.right_fmatrix ? registers.fmatrix_right : registers.fmatrix);
}

bool is_nop(const LoadData3DV2Record& record, const FeatureMap& map) {
  return map.h == 0 || map.w == 0 || record.channels == 0 || record.m_extension == 0 ||
         record.k_extension == 0 || record.filter_w == 0 || record.filter_h == 0;
}

// The whole matrix X: its size, and where its elements lie in L1.
class Columns {
 public:
  Columns(const LoadData3DV2Record& record, const FeatureMap& map)
      : record_(record),
        map_(map),
        c0_(fractal::row_elements(record.dst.dtype)),
        points_(uint64_t(record.filter_w) * record.filter_h),
        rest_channels_(record.channels % c0_),
        full_blocks_(uint64_t(record.channels) / c0_ * points_) {
    wo_ =
        steps(map.w + map.pad[0] + map.pad[1], record.filter_w, record.dilation_w, record.stride_w);
    ho_ =
        steps(map.h + map.pad[2] + map.pad[3], record.filter_h, record.dilation_h, record.stride_h);
  }

  int64_t rows() const { return ho_ * wo_; }
  int64_t wo() const { return wo_; }
  // In elements, with the last fractal filled up.
  int64_t width() const { return int64_t(blocks()) * c0_; }
  unsigned c0() const { return c0_; }

  // The first byte in L1 of a pixel's channels in block c1; pixels of the rest lie closer together.
  // Calls piece(offset in the 32 bytes, source byte or -1 for padding, bytes) for what column block
  // `block` of row m holds.
  template <class F>
  void for_each_piece(uint64_t m, uint64_t block, F piece) const {
    if (block < full_blocks_) {
      const int64_t pixel = pixel_at(m, block % points_);
      const uint64_t c1 = block / points_;
      const int64_t plane = int64_t(c1) * map_.h * map_.w;
      piece(0u, pixel < 0 ? -1 : (plane + pixel) * int64_t(kRowBytes), unsigned(kRowBytes));
      return;
    }
    const unsigned pitch = rest_channels_ * bits_of(record_.dst.dtype) / 8;
    const int64_t start = int64_t(record_.channels / c0_) * map_.h * map_.w * int64_t(kRowBytes);
    const uint64_t per_block = c0_ / rest_channels_;
    const uint64_t first = (block - full_blocks_) * per_block;
    for (uint64_t point = first; point < std::min(first + per_block, points_); ++point) {
      const int64_t pixel = pixel_at(m, point);
      piece(unsigned(point - first) * pitch, pixel < 0 ? -1 : start + pixel * pitch, pitch);
    }
  }

 private:
  static int64_t steps(int64_t padded, int64_t filter, int64_t dilation, int64_t stride) {
    const int64_t room = padded - reach(filter, dilation);
    return room < 0 ? 0 : room / stride + 1;
  }
  uint64_t blocks() const {
    const uint64_t rest = rest_channels_ == 0 ? 0 : ceil_div(points_ * rest_channels_, c0_);
    return full_blocks_ + rest;
  }
  // Number of the pixel under a filter point in row m's window, or -1 outside the map.
  int64_t pixel_at(uint64_t m, uint64_t point) const {
    const int64_t y = int64_t(m) / wo_ * record_.stride_h - map_.pad[2] +
                      int64_t(point / record_.filter_w) * record_.dilation_h;
    const int64_t x = int64_t(m) % wo_ * record_.stride_w - map_.pad[0] +
                      int64_t(point % record_.filter_w) * record_.dilation_w;
    const bool inside = y >= 0 && y < map_.h && x >= 0 && x < map_.w;
    return inside ? y * map_.w + x : -1;
  }

  const LoadData3DV2Record& record_;
  const FeatureMap& map_;
  unsigned c0_;
  uint64_t points_;
  unsigned rest_channels_;
  uint64_t full_blocks_;
  int64_t ho_, wo_;
};

// How a block of X lies in the destination.
struct Layout {
  bool by_element;  // false: the 32 bytes of a column block stay together (zZ in L0A)
  uint64_t m_unit;  // rows come in multiples of this
  uint64_t bytes;   // of the whole destination
};

Layout layout_of(const LoadData3DV2Record& record, const Soc& soc) {
  const unsigned bits = bits_of(record.dst.dtype);
  const uint64_t m = record.m_extension, k = record.k_extension;
  const uint64_t c0 = fractal::row_elements(record.dst.dtype);
  if (soc.space_of(record.dst.position) == Space::kL0B) {
    const uint64_t unit = bits == 32 ? 8 : 16;
    return {true, unit, ceil_div(m, unit) * ceil_div(k, 16) * fractal::kBytes};
  }
  if (record.transpose) {
    return {true, 16, ceil_div(k, 16) * ceil_div(m, 16) * (bits == 32 ? 2 : 1) * fractal::kBytes};
  }
  return {false, 16, ceil_div(m, 16) * ceil_div(k, c0) * fractal::kBytes};
}

// Byte offset of element (m, k) of the block where elements are placed one by one. In L0B and in a
// transposed L0A the runs of 32 bytes go along m.
uint64_t element_offset(const LoadData3DV2Record& record, bool in_l0b, uint64_t m, uint64_t k) {
  const uint64_t width = bits_of(record.dst.dtype) / 8;
  const uint64_t run = kRowBytes / width;
  const uint64_t fractal = in_l0b
                               ? m / run * ceil_div(record.k_extension, 16) + k / 16
                               : k / 16 * ceil_div(record.m_extension, 16) * (16 / run) + m / run;
  return fractal * fractal::kBytes + k % 16 * kRowBytes + m % run * width;
}

bool legal_channels(unsigned channels, DType type) {
  const unsigned c0 = fractal::row_elements(type);
  const unsigned rest = channels % c0;
  return rest == 0 || (c0 % rest == 0 && rest >= (type == DType::kInt4 ? 8 : 4));
}

void check_block(const LoadData3DV2Record& record, Check& check, const Columns& columns) {
  const auto c0 = int64_t(columns.c0());
  if (columns.rows() <= 0) {
    check.fail(Code::kCombination, "the dilated filter is larger than the padded feature map",
               "(filter - 1) * dilation + 1 <= size + pads, in height and width");
    return;
  }
  check.multiple("kStartPt", record.k_start, c0);
  const int64_t k_end = int64_t(record.k_start) + record.k_extension;
  const int64_t m_end = int64_t(record.m_start) + record.m_extension;
  if (k_end > columns.width()) {
    check.fail(Code::kCombination,
               fmt::format("kStartPt {} + kExtension {} of a matrix {} wide", record.k_start,
                           record.k_extension, columns.width()),
               fmt::format("a sum of at most {}", columns.width()));
  } else if (record.k_extension % c0 != 0 && k_end <= columns.width() - c0) {
    check.fail(Code::kMultiple,
               fmt::format("kExtension {} ends inside the matrix, {} wide", record.k_extension,
                           columns.width()),
               fmt::format("a multiple of {}, or an end in the last fractal", c0));
  }
  const auto most = int64_t(ceil_div(uint64_t(columns.rows()), 16) * 16);
  if (m_end > most) {
    check.fail(Code::kCombination,
               fmt::format("mStartPt {} + mExtension {} of a matrix with {} rows", record.m_start,
                           record.m_extension, columns.rows()),
               fmt::format("a sum of at most {}", most));
  }
}

void check_destination(const LoadData3DV2Record& record, Check& check) {
  const Space to = check.soc().space_of(record.dst.position);
  const unsigned bits = bits_of(record.dst.dtype);
  if (to != Space::kL0A && to != Space::kL0B) {
    check.fail(Code::kPosition,
               fmt::format("dstLocal is in {} ({})", name_of(record.dst.position), name_of(to)),
               "A2, B2");
  } else if (to == Space::kL0B && bits < 16) {
    check.fail(Code::kCombination, fmt::format("{} to B2", name_of(record.dst.dtype)),
               "16- and 32-bit elements to B2");
  } else if (to == Space::kL0A && record.transpose && bits < 16) {
    check.fail(Code::kCombination, fmt::format("enTranspose with {}", name_of(record.dst.dtype)),
               "16- and 32-bit elements");
  }
}

void check(const LoadData3DV2Record& record, Check& check) {
  check.in_space("srcLocal", record.src, Space::kL1);
  check_destination(record, check);
  if (!check.ok()) return;
  check.aligned("srcLocal", record.src);
  check.aligned("dstLocal", record.dst);
  const FeatureMap map = map_of(record, check.registers());
  if (is_nop(record, map)) return;
  check_geometry(record, map, check, 511);
  if (!legal_channels(record.channels, record.dst.dtype)) {
    const unsigned c0 = fractal::row_elements(record.dst.dtype);
    const bool int4 = record.dst.dtype == DType::kInt4;
    check.fail(Code::kMultiple,
               fmt::format("channelSize {} is not legal for {} on {}", record.channels,
                           name_of(record.dst.dtype), check.soc().name),
               fmt::format("{0}*N, or {1} left over after dividing by {0}", c0,
                           int4       ? "8, 16 or 32"
                           : c0 == 8  ? "4"
                           : c0 == 16 ? "4 or 8"
                                      : "4, 8 or 16"));
  }
  if (check.soc().has(Feature::kLoad3DStartMultiple)) {
    check.multiple("mStartPt", record.m_start, 16);
  } else {
    check.range("mStartPt", record.m_start, 0, 32767);
  }
  if (check.ok()) check_block(record, check, Columns(record, map));
}

// Calls piece(m, column block, offset, source, bytes) over the block, m and column block relative.
template <class F>
void for_each_piece(const LoadData3DV2Record& record, const FeatureMap& map, uint64_t m_unit,
                    F piece) {
  const Columns columns(record, map);
  const uint64_t rows = ceil_div(record.m_extension, m_unit) * m_unit;
  const uint64_t blocks = ceil_div(record.k_extension, columns.c0());
  const uint64_t first_block = record.k_start / columns.c0();
  for (uint64_t m = 0; m < rows; ++m) {
    for (uint64_t block = 0; block < blocks; ++block) {
      columns.for_each_piece(record.m_start + m, first_block + block,
                             [&](unsigned offset, int64_t source, unsigned bytes) {
                               piece(m, block, offset, source, bytes);
                             });
    }
  }
}

void footprint(const LoadData3DV2Record& record, Core& core, Footprint& footprint) {
  const FeatureMap map = map_of(record, core.registers());
  if (is_nop(record, map)) return;
  const Layout layout = layout_of(record, core.soc());
  int64_t first = INT64_MAX, end = 0;
  for_each_piece(record, map, layout.m_unit,
                 [&](uint64_t, uint64_t, unsigned, int64_t source, unsigned bytes) {
                   if (source < 0) return;
                   first = std::min(first, source);
                   end = std::max(end, source + int64_t(bytes));
                 });
  if (end > 0) {
    footprint.add_bytes(record.src, "srcLocal", Access::kRead, uint64_t(first),
                        uint64_t(end - first));
  }
  footprint.add_bytes(record.dst, "dstLocal", Access::kWrite, 0, layout.bytes);
}

// Spreads the elements of a piece along k, one place each.
void scatter(const LoadData3DV2Record& record, bool in_l0b, uint64_t m, uint64_t k,
             const uint8_t* from, unsigned bytes, uint8_t* dst) {
  const unsigned width = bits_of(record.dst.dtype) / 8;
  for (unsigned i = 0; i < bytes && k < record.k_extension; i += width, ++k) {
    std::memcpy(dst + element_offset(record, in_l0b, m, k), from + i, width);
  }
}

void execute(const LoadData3DV2Record& record, Core& core) {
  Registers& registers = core.registers();
  const FeatureMap map = map_of(record, registers);
  if (record.set_fmatrix) {
    (record.right_fmatrix ? registers.fmatrix_right : registers.fmatrix) = map;
  }
  const unsigned bits = bits_of(record.dst.dtype);
  if (record.set_padding) registers.padding = padding_word(record.pad_value, bits);
  if (is_nop(record, map)) return;

  const PadRow pad(registers.padding);
  const Layout layout = layout_of(record, core.soc());
  const bool in_l0b = core.soc().space_of(record.dst.position) == Space::kL0B;
  const uint64_t blocks = ceil_div(record.k_extension, fractal::row_elements(record.dst.dtype));
  const uint8_t* src = core.data(record.src);
  uint8_t* dst = core.data(record.dst);
  for_each_piece(record, map, layout.m_unit,
                 [&](uint64_t m, uint64_t block, unsigned offset, int64_t source, unsigned bytes) {
                   const uint8_t* from = source < 0 ? pad.bytes : src + source;
                   if (!layout.by_element) {
                     std::memcpy(dst + (m / 16 * blocks + block) * fractal::kBytes +
                                     m % 16 * kRowBytes + offset,
                                 from, bytes);
                     return;
                   }
                   const uint64_t k = (block * kRowBytes + offset) * 8 / bits;
                   scatter(record, in_l0b, m, k, from, bytes, dst);
                 });
}

}  // namespace

extern constinit const Instruction load_data_3d_v2 =
    make_instruction<LoadData3DV2Record, signature, pipe, check, footprint, execute>(
        "load_data_3d_v2", "LoadData (3D v2)", "LoadData", kSupport);

}  // namespace vinci::isa
