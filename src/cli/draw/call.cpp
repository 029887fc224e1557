// From options to a call: operands, record, and the parameters as the picture's caption has them.
#include <fmt/format.h>

#include "ascendc/load_data.h"
#include "cli/draw/draw.h"
#include "cli/draw/matrix.h"
#include "cli/error.h"
#include "numeric/dtype.h"

namespace vinci::cli {
namespace {

constexpr uint64_t kGmBytes = 1 << 20;  // a source in GM is as large as the largest L1

Position position_named(const std::string& name, std::initializer_list<Position> legal) {
  std::string list;
  for (const Position position : legal) {
    if (name_of(position) == name) return position;
    list += fmt::format("{}{}", list.empty() ? "" : ", ", name_of(position));
  }
  throw usage(fmt::format("{} is no position for this operand; there are: {}", name, list));
}

std::string on_or_off(bool flag) { return flag ? "true" : "false"; }

template <class... Values>
void add(Movement& movement, fmt::format_string<Values...> format, Values&&... values) {
  movement.parameters.push_back(fmt::format(format, std::forward<Values>(values)...));
}

void set_load_2d(const Load2DOptions& load, Movement& movement) {
  add(movement, "startIndex {}", load.start_index);
  add(movement, "repeatTimes {}", load.repeats);
  add(movement, "srcStride {}", load.src_stride);
  add(movement, "dstGap {}", load.dst_gap);
  add(movement, "ifTranspose {}", on_or_off(load.transpose));
  add(movement, "addrMode {}", load.addr_mode);
  if (load.sid != 0) add(movement, "sid {}", load.sid);
  movement.run = [load, dst = movement.dst, src = movement.src](uint32_t) {
    issue(LoadData2DRecord{{&isa::load_data_2d},
                           dst,
                           src,
                           uint16_t(load.start_index),
                           uint16_t(load.src_stride),
                           uint16_t(load.dst_gap),
                           uint8_t(load.repeats),
                           uint8_t(load.addr_mode),
                           load.transpose});
  };
}

void set_transpose(TransposeOptions& load, Movement& movement) {
  const unsigned bits = bits_of(movement.dst.dtype);
  const int fractals = bits == 4 ? 4 : bits == 16 ? 1 : 2;  // of a square
  if (load.dst_gap == kNotGiven) load.dst_gap = fractals * (load.dst_frac_gap + 1) - 1;
  if (load.dst_gap > 65535) throw usage("give --dstGap: what it would be by default exceeds 65535");
  add(movement, "startIndex {}", load.start_index);
  add(movement, "repeatTimes {}", load.repeats);
  add(movement, "srcStride {}", load.src_stride);
  add(movement, "dstGap {}", load.dst_gap);
  add(movement, "dstFracGap {}", load.dst_frac_gap);
  movement.run = [load, dst = movement.dst, src = movement.src](uint32_t) {
    issue(LoadDataTransposeRecord{{&isa::load_data_with_transpose},
                                  dst,
                                  src,
                                  uint16_t(load.start_index),
                                  uint16_t(load.src_stride),
                                  uint16_t(load.dst_gap),
                                  uint16_t(load.dst_frac_gap),
                                  uint8_t(load.repeats)});
  };
}

// What both 3D loads have in common.
template <class Record>
Record record_of_map(const Load3DOptions& load, const Movement& movement) {
  Record record;
  record.dst = movement.dst;
  record.src = movement.src;
  for (int i = 0; i < 4; ++i) record.pad[i] = uint8_t(load.pad[size_t(i)]);
  record.l1_h = uint16_t(load.l1_h);
  record.l1_w = uint16_t(load.l1_w);
  record.stride_w = uint8_t(load.stride_w);
  record.stride_h = uint8_t(load.stride_h);
  record.filter_w = uint8_t(load.filter_w);
  record.filter_h = uint8_t(load.filter_h);
  record.dilation_w = uint8_t(load.dilation_w);
  record.dilation_h = uint8_t(load.dilation_h);
  return record;
}

void add_map(const Load3DOptions& load, Movement& movement) {
  add(movement, "l1H {}, l1W {}", load.l1_h, load.l1_w);
  add(movement, "padList {{{}, {}, {}, {}}}", load.pad[0], load.pad[1], load.pad[2], load.pad[3]);
  add(movement, "filterH {}, filterW {}", load.filter_h, load.filter_w);
  add(movement, "strideH {}, strideW {}", load.stride_h, load.stride_w);
  add(movement, "dilationFilterH {}, dilationFilterW {}", load.dilation_h, load.dilation_w);
  add(movement, "padValue {}", load.pad_value);
}

void set_load_3d_v1(Load3DOptions& load, Movement& movement) {
  if (load.left_top_w == kNotGiven) load.left_top_w = -load.pad[0];
  if (load.left_top_h == kNotGiven) load.left_top_h = -load.pad[2];
  add_map(load, movement);
  add(movement, "leftTopH {}, leftTopW {}", load.left_top_h, load.left_top_w);
  add(movement, "fetchFilterH {}, fetchFilterW {}", load.fetch_filter_h, load.fetch_filter_w);
  add(movement, "c1Index {}", load.c1_index);
  add(movement, "repeatMode {}", load.repeat_mode);
  add(movement, "repeatTime {}", load.repeats);
  add(movement, "jumpStride {}", load.jump_stride);
  if (load.c_size != 0) add(movement, "cSize {}", load.c_size);
  auto record = record_of_map<LoadData3DV1Record>(load, movement);
  record.instruction = &isa::load_data_3d_v1;
  record.c1_index = uint16_t(load.c1_index);
  record.fetch_filter_w = uint8_t(load.fetch_filter_w);
  record.fetch_filter_h = uint8_t(load.fetch_filter_h);
  record.left_top_w = int16_t(load.left_top_w);
  record.left_top_h = int16_t(load.left_top_h);
  record.jump_stride = uint8_t(load.jump_stride);
  record.repeat_mode = uint8_t(load.repeat_mode);
  record.repeats = uint8_t(load.repeats);
  record.c_size = uint8_t(load.c_size);
  movement.run = [record](uint32_t pad_bits) mutable {
    record.pad_value = pad_bits;
    issue(record);
  };
}

// Extensions that are not given reach to the end of the matrix, as far as it has one.
void complete_extensions(Load3DOptions& load, int c0) {
  const ImageMatrix matrix(load, load.channels, c0);
  const auto rest = [](int64_t size, int start) {
    return int(std::clamp<int64_t>(size - start, 1, 65535));
  };
  if (load.k_extension == kNotGiven) load.k_extension = rest(matrix.width(), load.k_start);
  if (load.m_extension == kNotGiven) load.m_extension = rest(matrix.rows(), load.m_start);
}

void set_load_3d_v2(Load3DOptions& load, Movement& movement) {
  complete_extensions(load, int(movement.row_elements()));
  add_map(load, movement);
  add(movement, "channelSize {}", load.channels);
  add(movement, "mStartPt {}, mExtension {}", load.m_start, load.m_extension);
  add(movement, "kStartPt {}, kExtension {}", load.k_start, load.k_extension);
  add(movement, "enTranspose {}", on_or_off(load.transpose));
  if (load.small_k) add(movement, "enSmallK true");
  if (load.right_fmatrix) add(movement, "fMatrixCtrl true");
  if (load.filter_size_h) add(movement, "filterSizeH true");
  if (load.filter_size_w) add(movement, "filterSizeW true");
  auto record = record_of_map<LoadData3DV2Record>(load, movement);
  record.instruction = &isa::load_data_3d_v2;
  record.filter_w = uint16_t(load.filter_w + 256 * load.filter_size_w);
  record.filter_h = uint16_t(load.filter_h + 256 * load.filter_size_h);
  record.channels = uint16_t(load.channels);
  record.k_extension = uint16_t(load.k_extension);
  record.m_extension = uint16_t(load.m_extension);
  record.k_start = uint16_t(load.k_start);
  record.m_start = uint16_t(load.m_start);
  record.transpose = load.transpose;
  record.right_fmatrix = load.right_fmatrix;
  movement.run = [record](uint32_t pad_bits) mutable {
    record.pad_value = pad_bits;
    issue(record);
  };
}

}  // namespace

Movement movement_of(DrawOptions& options, const Soc& soc, DType type) {
  const bool is_2d = options.what == "load_data_2d";
  using enum Position;
  const Position to =
      is_2d ? position_named(options.to, {A1, B1, A2, B2}) : position_named(options.to, {A2, B2});
  const char* fits = to == A2 ? "A1" : to == B2 ? "B1" : "GM";
  const std::string from = options.from.empty() ? fits : options.from;
  const Position source =
      is_2d ? position_named(from, {GM, A1, B1}) : position_named(from, {A1, B1});

  const auto extent = [&](Position position) -> uint64_t {
    return position == GM ? kGmBytes : soc.size_of(soc.space_of(position));
  };
  Movement movement{soc,
                    {0, extent(to), 0, to, type},
                    {0, extent(source), 0, source, type},
                    {fmt::format("{} to {}", name_of(source), name_of(to)),
                     std::string(name_of(type)), std::string(soc.name)},
                    {},
                    {}};
  return movement;
}

void set_call(DrawOptions& options, Movement& movement) {
  if (options.load_3d.pad.size() != 4)
    throw usage("--padList: four numbers, left,right,top,bottom");
  if (options.what == "load_data_2d") return set_load_2d(options.load_2d, movement);
  if (options.what == "load_data_3d_v1") return set_load_3d_v1(options.load_3d, movement);
  if (options.what == "load_data_3d_v2") return set_load_3d_v2(options.load_3d, movement);
  set_transpose(options.transpose, movement);
}

}  // namespace vinci::cli
