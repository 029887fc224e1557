// load_data_3d_v2: a block of the image-to-column matrix X, laid out as an operand of Mmad.
//
//   row m of X is the window at (m / Wo, m % Wo); column k is a channel at a filter point:
//   k = ((c1 * Kh + kh) * Kw + kw) * C0 + c0 for whole blocks of C0 channels, and after these
//   the remaining cx channels, point by point: (kh * Kw + kw) * cx + c.
//
// A column block is the 32 bytes of one window at one filter point. Sources and decisions:
// docs/spec/load_data_3d_v2.md.
#include <algorithm>

#include <fmt/format.h>

#include "core/instruction.h"
#include "isa/cube/image_to_column.h"
#include "numeric/dtype.h"
#include "vinci/record/cube.h"

namespace vinci::isa {
namespace {

using namespace vinci::feature_map;
using fractal::kRowBytes;

constexpr Signature k2002Types[] = {DType::kUint8, DType::kInt8, DType::kHalf};
constexpr Signature k2201Types[] = {DType::kUint8,  DType::kInt8,  DType::kHalf,  DType::kBfloat16,
                                    DType::kUint32, DType::kInt32, DType::kFloat, DType::kInt4};
constexpr Support kSupport[] = {{kArch2002, k2002Types}, {kArch2201 | kArch3002, k2201Types}};

Signature signature(const LoadData3DV2Record& record) { return record.dst.dtype; }

FeatureMap map_of(const LoadData3DV2Record& record, const Registers& registers) {
  return described_by(record, record.right_fmatrix ? registers.fmatrix_right : registers.fmatrix);
}

// The whole matrix X: its size, and where its elements lie in L1.
class Matrix {
 public:
  Matrix(const LoadData3DV2Record& record, const FeatureMap& map)
      : record_(record),
        plane_(uint64_t(map.h) * map.w * kRowBytes),
        c0_(fractal::row_elements(record.dst.dtype)),
        points_(unsigned(record.filter_w) * record.filter_h),
        rest_(record.channels % c0_),
        full_blocks_(record.channels / c0_ * points_),
        rows_(positions(map.w + map.pad[0] + map.pad[1], record.filter_w, record.dilation_w,
                        record.stride_w) *
              positions(map.h + map.pad[2] + map.pad[3], record.filter_h, record.dilation_h,
                        record.stride_h)) {}

  int64_t rows() const { return rows_; }
  // In elements, with the last fractal filled up.
  int64_t width() const { return int64_t((full_blocks_ + ceil_div(points_ * rest_, c0_)) * c0_); }
  unsigned c0() const { return c0_; }

  Column column(unsigned block) const {
    Column column;
    if (block < full_blocks_) {
      add(column, block % points_, block / points_ * plane_, kRowBytes);
      return column;
    }
    const unsigned per_block = c0_ / rest_, first = (block - full_blocks_) * per_block;
    for (unsigned point = first; point < std::min(first + per_block, points_); ++point) {
      add(column, point, record_.channels / c0_ * plane_, unsigned(kRowBytes / per_block));
    }
    return column;
  }

 private:
  void add(Column& column, unsigned point, uint64_t start, unsigned bytes) const {
    column.add(int32_t(point / record_.filter_w * record_.dilation_h),
               int32_t(point % record_.filter_w * record_.dilation_w), start, bytes);
  }

  const LoadData3DV2Record& record_;
  uint64_t plane_;  // bytes of a whole block of channels
  unsigned c0_;
  unsigned points_;
  unsigned rest_;         // channels behind the whole blocks
  unsigned full_blocks_;  // column blocks of whole channels
  int64_t rows_;
};

// What is loaded: the blocks of all repeats, as one bigger block, below each other or side by side.
struct Block {
  uint64_t m, k;                         // rows, columns
  uint64_t row_repeats, column_repeats;  // one of them is 1
  uint64_t row_stride, column_stride;    // in X, from a repeat's start to the next

  Block(const LoadData3DV2Record& record, const LoadRepeat& repeat, const Soc& soc)
      : row_repeats(repeat.mode == 0 ? repeat.times : 1),
        column_repeats(repeat.mode == 0 ? 1 : repeat.times),
        row_stride(uint64_t(repeat.stride) * fractal::kRows),
        column_stride(uint64_t(repeat.stride) * fractal::row_elements(record.dst.dtype) *
                      (soc.has(Feature::kLoad3DRepeat64) ? 2 : 1)) {
    m = record.m_extension * row_repeats;
    k = record.k_extension * column_repeats;
  }
};

// How the block lies in the destination: in tiles of `tile_rows` rows by one column block.
struct Layout {
  bool transposed;  // the 32 bytes of a row of the destination run along m, not along k
  unsigned tile_rows;
  unsigned per_fractal;       // tiles in a fractal
  uint64_t tiles;             // along m
  uint64_t m_pitch, k_pitch;  // bytes from a tile, or fractal, to the next
  uint64_t bytes;             // of the whole destination

  Layout(const LoadData3DV2Record& record, const Block& block, const Soc& soc) {
    const unsigned c0 = fractal::row_elements(record.dst.dtype);
    const bool in_l0b = soc.space_of(record.dst.position) == Space::kL0B;
    transposed = in_l0b || record.transpose;
    per_fractal = transposed && c0 == 8 ? 2 : 1;
    tile_rows = fractal::kRows / per_fractal;
    tiles = in_l0b ? ceil_div(block.m, tile_rows) : ceil_div(block.m, 16) * per_fractal;
    const uint64_t fractals = ceil_div(block.k, transposed ? 16 : c0);
    bytes = tiles * fractals * fractal::kBytes;
    m_pitch = (transposed && !in_l0b ? 1 : fractals) * fractal::kBytes;
    k_pitch = (transposed && !in_l0b ? tiles : 1) * fractal::kBytes;
  }

  uint64_t offset(uint64_t tile, uint64_t column) const {
    return tile * m_pitch + column / per_fractal * k_pitch +
           column % per_fractal * (fractal::kBytes / per_fractal);
  }
};

bool legal_channels(unsigned channels, DType type) {
  const unsigned c0 = fractal::row_elements(type);
  const unsigned rest = channels % c0;
  return rest == 0 || (c0 % rest == 0 && rest >= (type == DType::kInt4 ? 8 : 4));
}

// One direction of the repeats: whole fractals, and none twice.
void check_repeats(Check& check, char axis, uint64_t extension, uint64_t unit, uint64_t repeats,
                   uint64_t stride) {
  if (repeats <= 1) return;
  if (extension % unit != 0) {
    check.fail(Code::kMultiple, fmt::format("{}Extension {} with repeats", axis, extension),
               fmt::format("a multiple of {}", unit));
  }
  if (extension > stride) {
    check.fail(Code::kCombination,
               fmt::format("SetLoadDataRepeat left a repeat every {}, and {}Extension is {}",
                           stride, axis, extension),
               "repeats that do not overlap: a larger repeatStride");
  }
}

// "mStartPt 0 + 2 repeats of 32 + mExtension 16"
std::string sum_of(char axis, uint64_t start, uint64_t repeats, uint64_t stride,
                   uint64_t extension) {
  const std::string way =
      repeats == 1 ? "" : fmt::format(" + {} repeats of {}", repeats - 1, stride);
  return fmt::format("{0}StartPt {1}{2} + {0}Extension {3}", axis, start, way, extension);
}

// Rows that end above the last fractal, in the middle of one. Kernels load them: the chip goes on
// to the fractal's end, and so does this.
void check_rows(const LoadData3DV2Record& record, Check& check, int64_t m_end, int64_t rows) {
  const int64_t last_fractal = (rows - 1) / 16 * 16;
  if (m_end > last_fractal || (record.m_start % 16 == 0 && record.m_extension % 16 == 0)) return;
  check.warn(Code::kPartialFractal,
             fmt::format("mStartPt {} and mExtension {} are not whole fractals, and end above the "
                         "last one of {} rows; the last fractal is made whole",
                         record.m_start, record.m_extension, rows),
             fmt::format("multiples of 16, or a sum above {}", last_fractal));
}

void check_block(const LoadData3DV2Record& record, Check& check, const Matrix& matrix,
                 const Block& block) {
  const auto c0 = int64_t(matrix.c0());
  if (matrix.rows() <= 0) {
    check.fail(Code::kCombination, "the dilated filter is larger than the padded feature map",
               "(filter - 1) * dilation + 1 <= size + pads, in height and width");
    return;
  }
  check.multiple("kStartPt", record.k_start, c0);
  check_repeats(check, 'm', record.m_extension, fractal::kRows, block.row_repeats,
                block.row_stride);
  check_repeats(check, 'k', record.k_extension, matrix.c0(), block.column_repeats,
                block.column_stride);
  if (!check.ok()) return;
  const auto k_end = int64_t(record.k_start + (block.column_repeats - 1) * block.column_stride +
                             record.k_extension);
  const auto m_end =
      int64_t(record.m_start + (block.row_repeats - 1) * block.row_stride + record.m_extension);
  if (k_end > matrix.width()) {
    check.fail(Code::kCombination,
               fmt::format("{} of a matrix {} wide",
                           sum_of('k', record.k_start, block.column_repeats, block.column_stride,
                                  record.k_extension),
                           matrix.width()),
               fmt::format("a sum of at most {}", matrix.width()));
  } else if (record.k_extension % c0 != 0 && k_end <= matrix.width() - c0) {
    check.fail(Code::kMultiple,
               fmt::format("kExtension {} ends inside the matrix, {} wide", record.k_extension,
                           matrix.width()),
               fmt::format("a multiple of {}, or an end in the last fractal", c0));
  }
  const auto most = int64_t(ceil_div(uint64_t(matrix.rows()), 16) * 16);
  if (m_end > most) {
    check.fail(Code::kCombination,
               fmt::format("{} of a matrix with {} rows",
                           sum_of('m', record.m_start, block.row_repeats, block.row_stride,
                                  record.m_extension),
                           matrix.rows()),
               fmt::format("a sum of at most {}", most));
  }
  if (check.ok()) check_rows(record, check, m_end, matrix.rows());
}

// The numbers that start at 1, and how many channels.
void check_sizes(const LoadData3DV2Record& record, const FeatureMap& map, Check& check) {
  check_geometry(record, map, check, 511);
  check.range("kExtension", record.k_extension, 1, 65535);
  check.range("mExtension", record.m_extension, 1, 65535);
  check.range("channelSize", record.channels, 1, 65535);
  if (record.channels == 0 || legal_channels(record.channels, record.dst.dtype)) return;
  const unsigned c0 = fractal::row_elements(record.dst.dtype);
  check.fail(Code::kMultiple,
             fmt::format("channelSize {} is not legal for {} on {}", record.channels,
                         name_of(record.dst.dtype), check.soc().name),
             fmt::format("{0}*N, or {1} left over after dividing by {0}", c0,
                         c0 == 64   ? "8, 16 or 32"
                         : c0 == 8  ? "4"
                         : c0 == 16 ? "4 or 8"
                                    : "4, 8 or 16"));
}

void check_destination(const LoadData3DV2Record& record, Check& check) {
  const Space to = check.soc().space_of(record.dst.position);
  const unsigned bits = bits_of(record.dst.dtype);
  if (to != Space::kL0A && to != Space::kL0B) {
    check.fail(Code::kPosition,
               fmt::format("dstLocal is in {} ({})", name_of(record.dst.position), name_of(to)),
               "A2, B2");
  } else if (to == Space::kL0B && check.soc().has(Feature::kLoad3DListsBytesToB) && bits == 8) {
    refuse_bytes_to_l0b(record.dst.dtype, check);
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
  check_boundary(check, record.src, check.registers().load_boundary, 1024);
  const FeatureMap map = map_of(record, check.registers());
  check_sizes(record, map, check);
  const LoadRepeat& repeat = check.registers().load_repeat;
  if (check.ok() && repeat.times != 0) {
    check_block(record, check, Matrix(record, map), Block(record, repeat, check.soc()));
  }
  if (check.ok() && record.small_k) {
    check.warn(Code::kNoEffect, "enSmallK is true, and no chip has it any more",
               "enSmallK = false");
  }
}

// All of a load: what, from where, to where.
struct Load {
  Matrix matrix;
  Block block;
  Layout layout;
  Windows windows;

  Load(const LoadData3DV2Record& record, const FeatureMap& map, const LoadRepeat& repeat,
       const Soc& soc)
      : matrix(record, map),
        block(record, repeat, soc),
        layout(record, block, soc),
        windows(record, map) {
    windows.join_lines(record);
  }

  // Rows of a column block that follow each other in X.
  int32_t rows() const { return int32_t(layout.tiles / block.row_repeats * layout.tile_rows); }

  // Calls strip(number of the column block, Column, first tile, its first row's window) for rows()
  // rows at a time.
  template <class F>
  void for_each_strip(const LoadData3DV2Record& record, F strip) const {
    const uint64_t per_repeat = ceil_div(record.k_extension, matrix.c0());
    for (uint64_t n = 0; n < per_repeat * block.column_repeats; ++n) {
      const uint64_t k = record.k_start + n / per_repeat * block.column_stride;
      const Column column = matrix.column(unsigned(k / matrix.c0() + n % per_repeat));
      for (uint64_t i = 0; i < block.row_repeats; ++i) {
        strip(n, column, i * (layout.tiles / block.row_repeats),
              windows.at(int32_t(record.m_start + i * block.row_stride)));
      }
    }
  }
};

std::string src_reach(const Record& base, const Soc&) {
  const auto& record = static_cast<const LoadData3DV2Record&>(base);
  return fmt::format("channelSize {}, mStartPt {}, mExtension {}, kStartPt {}, kExtension {}",
                     record.channels, record.m_start, record.m_extension, record.k_start,
                     record.k_extension);
}
std::string dst_reach(const Record& base, const Soc&) {
  const auto& record = static_cast<const LoadData3DV2Record&>(base);
  return fmt::format("mExtension {}, kExtension {}", record.m_extension, record.k_extension);
}

// Columns of a transposed strip that are written: to the end of the block, or of what the points
// fill.
template <class T>
unsigned columns_of(const Column& column, uint64_t columns_left) {
  return unsigned(std::min<uint64_t>(columns_left, column.bytes / sizeof(T)));
}

// Calls add(region) for what each strip writes of `whole`, the destination.
template <class F>
void for_each_written(const LoadData3DV2Record& record, const Load& load, const Region& whole,
                      F add) {
  const Layout& layout = load.layout;
  const unsigned width = bits_of(record.dst.dtype) / 8;
  load.for_each_strip(record, [&](uint64_t n, const Column& column, uint64_t tile, const Window&) {
    Region strip = whole;
    strip.address += layout.offset(tile, n);
    strip.repeats = uint64_t(load.rows()) / layout.tile_rows;
    strip.repeat_stride = int64_t(layout.m_pitch);
    const uint64_t left = load.block.k - n * load.matrix.c0();
    if (layout.transposed) {
      const unsigned columns =
          width == 4 ? columns_of<uint32_t>(column, left) : columns_of<uint16_t>(column, left);
      strip.block_bytes = columns * kRowBytes;
    } else {
      strip.block_bytes = column.bytes;
      strip.blocks = fractal::kRows;
      strip.block_stride = int64_t(kRowBytes);
    }
    add(strip);
  });
}

// What is written of the destination: points that do not fill a row leave the rest of it alone.
void add_written(const LoadData3DV2Record& record, const Load& load, uint64_t times,
                 Footprint& footprint) {
  const Operand& dst = record.dst;
  const Region whole{dst, "dstLocal", Access::kWrite, true, dst.address, load.layout.bytes, 1, 0,
                     1,   0,          dst_reach};
  if (!footprint.scatters({&whole, 1})) return;
  // Strips of one repeat do not overlap: if they have as many bytes, they are all of it.
  uint64_t bytes = 0;
  for_each_written(record, load, whole, [&](const Region& strip) {
    bytes += strip.block_bytes * strip.blocks * strip.repeats;
  });
  if (times == 1 && bytes == whole.block_bytes) return footprint.add(whole);
  for_each_written(record, load, whole, [&](const Region& strip) { footprint.add(strip); });
}

void footprint(const LoadData3DV2Record& record, Footprint& footprint) {
  const Registers& registers = footprint.registers();
  if (registers.load_repeat.times == 0) return;
  const FeatureMap map = map_of(record, registers);
  const Soc& soc = footprint.soc();
  const Load load(record, map, registers.load_repeat, soc);
  add_written(record, load, registers.load_repeat.times, footprint);
  // A block that does not fit is not worth a walk.
  if (load.layout.bytes > soc.size_of(soc.space_of(record.dst.position))) return;
  add_pixels(footprint, record.src, registers.load_boundary, src_reach, load.windows,
             [&](auto add) {
               load.for_each_strip(
                   record, [&](uint64_t, const Column& column, uint64_t, const Window& window) {
                     add(window, load.rows(), column);
                   });
             });
}

// One strip of a destination whose rows run along m.
template <class T>
void read_turned(const Reader& reader, Window window, int32_t rows, const Column& column,
                 uint64_t columns_left, uint8_t* out, uint64_t pitch) {
  const unsigned columns = columns_of<T>(column, columns_left);
  if (column.count == 1 && columns == kRowBytes / sizeof(T)) {
    reader.read_turned<T>(window, rows, column, out, pitch);
  } else {
    reader.read_part_turned<T>(window, rows, column, columns, out, pitch);
  }
}

void run(const LoadData3DV2Record& record, const State& state, Memory& memory) {
  const Registers& registers = state.registers;
  const FeatureMap map = map_of(record, registers);
  if (registers.load_repeat.times == 0) return;
  const unsigned bits = bits_of(record.dst.dtype);
  const Load load(record, map, registers.load_repeat, state.soc);
  const Reader reader(load.windows, record.src, memory, padding_of(record, registers),
                      registers.load_boundary);
  const int32_t rows = load.rows();
  const uint64_t pitch = load.layout.m_pitch;
  uint8_t* dst = memory.data(record.dst);
  load.for_each_strip(
      record, [&](uint64_t n, const Column& column, uint64_t tile, const Window& window) {
        uint8_t* out = dst + load.layout.offset(tile, n);
        const uint64_t columns_left = load.block.k - n * load.matrix.c0();
        if (!load.layout.transposed) {
          reader.read(window, rows, column, out, pitch);
        } else if (bits == 32) {
          read_turned<uint32_t>(reader, window, rows, column, columns_left, out, pitch);
        } else {
          read_turned<uint16_t>(reader, window, rows, column, columns_left, out, pitch);
        }
      });
}

void advance(const LoadData3DV2Record& record, const Soc&, Registers& registers) {
  if (record.set_fmatrix) {
    FeatureMap& described = record.right_fmatrix ? registers.fmatrix_right : registers.fmatrix;
    described = map_of(record, registers);
  }
  registers.padding = padding_of(record, registers);
}

constexpr Functions<LoadData3DV2Record> kFunctions{.signature = signature,
                                                   .pipe = Pipe::kMte1,
                                                   .check = check,
                                                   .footprint = footprint,
                                                   .run = run,
                                                   .advance = advance};

}  // namespace

extern constinit const Instruction load_data_3d_v2 =
    make_instruction<kFunctions>("load_data_3d_v2", "LoadData (3D v2)", "LoadData", kSupport);

}  // namespace vinci::isa
