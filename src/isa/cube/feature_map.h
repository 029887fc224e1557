// The feature map in L1, as 3D loads see it: [C1, H, W, C0], with imaginary pads around it.
#pragma once

#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "core/check.h"
#include "core/registers.h"
#include "kernel/fractal.h"
#include "numeric/dtype.h"

namespace vinci::feature_map {

// The pad value as the PADDING register keeps it: the element repeated through the word.
constexpr uint32_t padding_word(uint32_t element, unsigned bits) {
  if (bits >= 32) return element;
  uint32_t word = element & ((1u << bits) - 1);
  for (; bits < 32; bits *= 2) word |= word << bits;
  return word;
}

// The map that a load works with: its own description, or the register's.
template <class R>
FeatureMap described_by(const R& record, const FeatureMap& in_register) {
  if (!record.set_fmatrix) return in_register;
  FeatureMap map{record.l1_h, record.l1_w, {}};
  std::memcpy(map.pad, record.pad, sizeof(map.pad));
  return map;
}

// The PADDING register during and after a load.
template <class R>
uint32_t padding_of(const R& record, const Registers& registers) {
  return record.set_padding ? padding_word(record.pad_value, bits_of(record.dst.dtype))
                            : registers.padding;
}

// Extent of a dilated filter along one axis.
constexpr int32_t reach(int32_t filter, int32_t dilation) { return (filter - 1) * dilation + 1; }

// Positions of a dilated filter along one axis; 0 if it does not fit.
constexpr int32_t positions(int32_t padded, int32_t filter, int32_t dilation, int32_t stride) {
  const int32_t room = padded - reach(filter, dilation);
  return room < 0 ? 0 : room / stride + 1;
}

// Rules that all 3D loads share.
template <class R>
void check_geometry(const R& record, const FeatureMap& map, Check& check, int64_t most_filter) {
  if (!record.set_fmatrix && map.h == 0 && map.w == 0) {
    check.fail(Code::kRange,
               "nothing in this block has described the feature map: l1H and l1W are 0",
               "SetFmatrix, or a load with isSetFMatrix = true, before this one");
  } else {
    check.range("l1H", map.h, 1, 32767);
    check.range("l1W", map.w, 1, 32767);
  }
  check.range("strideW", record.stride_w, 1, 63);
  check.range("strideH", record.stride_h, 1, 63);
  check.range("filterW", record.filter_w, 1, most_filter);
  check.range("filterH", record.filter_h, 1, most_filter);
  check.range("dilationFilterW", record.dilation_w, 1, 255);
  check.range("dilationFilterH", record.dilation_h, 1, 255);
}

// The documents list 8-bit elements to B2 on the 910 and the 310P, and say no more about them.
inline void refuse_bytes_to_l0b(DType type, Check& check) {
  check.unimplemented(
      fmt::format("{} to B2: no source gives the order of the elements in a fractal",
                  name_of(type)),
      fmt::format("half to B2, or {} to A2", name_of(type)));
}

// One row of a fractal filled with the pad value.
struct PadRow {
  uint8_t bytes[fractal::kRowBytes];

  explicit PadRow(uint32_t padding_word) {
    for (unsigned i = 0; i < sizeof(bytes); i += sizeof(padding_word)) {
      std::memcpy(bytes + i, &padding_word, sizeof(padding_word));
    }
  }
};

}  // namespace vinci::feature_map
