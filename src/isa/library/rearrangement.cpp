// Pad, UnPad, Transpose between NZ and ND, TransData: elements go to other places.
//
// Sources and decisions: docs/spec/rearrangement.md.
#include "isa/library/frame.h"

namespace vinci::isa {
namespace {

using namespace library;

void copy(const uint8_t* from, uint64_t from_index, uint8_t* to, uint64_t to_index, uint64_t count,
          unsigned bytes) {
  std::memcpy(to + to_index * bytes, from + from_index * bytes, count * bytes);
}
uint32_t sixteens(uint32_t n) { return (n + 15) / 16; }

// Pad: size: 0 rows, 1 elements from row to row of src, 2 elements of a row that count, 3 left and
// 4 right columns to add, 5 elements from row to row of dst. scalar: what they get.
Parts pad_parts(const Call& call) {
  Parts parts;
  const DType type = call.dst[0].dtype;
  const uint64_t row = uint64_t(call.size[2]) + call.size[3] + call.size[4];
  parts.read("srcTensor", call.src[0], bytes_of(type, call.size[2]), call.size[0],
             bytes_of(type, call.size[1]));
  parts.write("dstTensor", call.dst[0], bytes_of(type, row), call.size[0],
              bytes_of(type, call.size[5]));
  return parts;
}
void check_pad(const Call& call, Check& check) {
  check.range("srcHeight", call.size[0], 1, UINT32_MAX);
  check.range("srcOriWidth", call.size[2], 1, call.size[1]);
  const bool aligned = call.size[1] == call.size[5];
  if (aligned) {
    check.range("leftPad where srcWidth is whole datablocks", call.size[3], 0, 0);
    check.range("rightPad", call.size[4], 0, int64_t(call.size[5]) - call.size[2]);
    if (call.size[2] == call.size[1]) {
      check.fail(Code::kCombination, "all of srcWidth counts, and is whole datablocks",
                 "rows with columns to fill");
    }
  } else {
    check.range("leftPad + rightPad", int64_t(call.size[3]) + call.size[4], 0,
                int64_t(call.size[5]) - call.size[2]);
  }
}
void run_pad(const Call& call, const State&, Memory& memory) {
  const unsigned bytes = bits_of(call.dst[0].dtype) / 8;
  uint8_t* to = memory.data(call.dst[0]);
  const uint32_t all = call.size[2] + call.size[3] + call.size[4];
  for (uint32_t row = 0; row < call.size[0]; ++row) {
    const uint64_t first = uint64_t(row) * call.size[5];
    for (uint32_t i = 0; i < all; ++i) {
      copy(reinterpret_cast<const uint8_t*>(&call.scalar), 0, to, first + i, 1, bytes);
    }
    copy(memory.data(call.src[0]), uint64_t(row) * call.size[1], to, first + call.size[3],
         call.size[2], bytes);
  }
}

// UnPad: size: 0 rows, 1 elements from row to row of src, 2 elements that remain.
Parts un_pad_parts(const Call& call) {
  Parts parts;
  const DType type = call.dst[0].dtype;
  parts.read("srcTensor", call.src[0], bytes_of(type, call.size[2]), call.size[0],
             bytes_of(type, call.size[1]));
  parts.write("dstTensor", call.dst[0], bytes_of(type, uint64_t(call.size[0]) * call.size[2]));
  return parts;
}
void check_un_pad(const Call& call, Check& check) {
  const uint32_t block = 256 / bits_of(call.dst[0].dtype);
  check.range("srcHeight", call.size[0], 1, UINT32_MAX);
  check.multiple("srcWidth", call.size[1], block);
  check.range("rightPad", int64_t(call.size[1]) - call.size[2], 1,
              std::min<int64_t>(block, call.size[1]) - 1);
}
void run_un_pad(const Call& call, const State&, Memory& memory) {
  for (uint32_t row = 0; row < call.size[0]; ++row) {
    copy(memory.data(call.src[0]), uint64_t(row) * call.size[1], memory.data(call.dst[0]),
         uint64_t(row) * call.size[2], call.size[2], bits_of(call.dst[0].dtype) / 8);
  }
}
constexpr Signature kNumbers[] = {DType::kInt16, DType::kUint16, DType::kHalf,
                                  DType::kInt32, DType::kUint32, DType::kFloat};
constexpr Support kMostNumbers[] = {{kMost, kNumbers, true, kAscendC}};

// Transpose: size: 0 B, 1 N, 2 S, 3 H / N, 4 the kind; of kind 7: 2 H, 3 W.
enum : uint32_t {
  kNz2Nd0213 = 1,
  kNz2Nz0213,
  kNz2NzSplit,
  kNz2NdSplit,
  kNz2NdMerge,
  kNz2NzMerge,
  kNd2Nd
};
struct Axes {
  uint32_t b, n, s, d, kind;

  explicit Axes(const Call& call)
      : b(call.size[0]), n(call.size[1]), s(call.size[2]), d(call.size[3]), kind(call.size[4]) {}
  // The place of (row, column) in a matrix of fractals with so many columns.
  static uint64_t fractals(uint64_t row, uint64_t column, uint64_t rows) {
    return (column / 16 * (sixteens(uint32_t(rows)) * 16) + row) * 16 + column % 16;
  }
  uint64_t matrix(uint32_t rows, uint32_t columns) const {
    return uint64_t(sixteens(rows)) * sixteens(columns) * 256;
  }
  bool splits() const { return kind == kNz2NzSplit || kind == kNz2NdSplit; }

  uint64_t src_size() const {
    if (kind == kNd2Nd) return uint64_t(s) * d;
    return splits() ? b * matrix(s, n * d) : uint64_t(b) * n * matrix(s, d);
  }
  uint64_t src(uint32_t ib, uint32_t in, uint32_t is, uint32_t id) const {
    if (kind == kNd2Nd) return uint64_t(is) * d + id;
    if (splits()) return ib * matrix(s, n * d) + fractals(is, uint64_t(in) * d + id, s);
    return (uint64_t(ib) * n + in) * matrix(s, d) + fractals(is, id, s);
  }
  uint64_t dst_size() const {
    switch (kind) {
      case kNz2Nz0213: return uint64_t(b) * s * matrix(n, d);
      case kNz2NzSplit: return uint64_t(b) * n * matrix(s, d);
      case kNz2NdSplit: return uint64_t(b) * n * s * sixteens(d) * 16;
      case kNz2NdMerge: return uint64_t(b) * s * sixteens(n * d) * 16;
      case kNz2NzMerge: return b * matrix(s, n * d);
      default: return uint64_t(b) * n * s * d;
    }
  }
  uint64_t dst(uint32_t ib, uint32_t in, uint32_t is, uint32_t id) const {
    switch (kind) {
      case kNz2Nz0213: return (uint64_t(ib) * s + is) * matrix(n, d) + fractals(in, id, n);
      case kNz2NzSplit: return (uint64_t(ib) * n + in) * matrix(s, d) + fractals(is, id, s);
      case kNz2NdSplit: return ((uint64_t(ib) * n + in) * s + is) * sixteens(d) * 16 + id;
      case kNz2NdMerge: return (uint64_t(ib) * s + is) * sixteens(n * d) * 16 + in * d + id;
      case kNz2NzMerge: return ib * matrix(s, n * d) + fractals(is, uint64_t(in) * d + id, s);
      case kNd2Nd: return uint64_t(id) * s + is;
      default: return ((uint64_t(ib) * s + is) * n + in) * d + id;
    }
  }
};
Parts transpose_parts(const Call& call) {
  Parts parts;
  const Axes axes(call);
  parts.read("src", call.src[0], bytes_of(call.src[0].dtype, axes.src_size()));
  parts.write("dst", call.dst[0], bytes_of(call.dst[0].dtype, axes.dst_size()));
  return parts;
}
void check_transpose(const Call& call, Check& check) {
  const Axes axes(call);
  check.range("transposeType", axes.kind, kNz2Nd0213, kNd2Nd);
  for (const uint32_t size : {axes.b, axes.n, axes.s, axes.d}) {
    check.range("an axis of the tiling", size, 1, UINT32_MAX);
  }
  check.multiple(axes.kind == kNd2Nd ? "H" : "S", axes.s, 16);
  if (axes.kind == kNd2Nd) check.multiple("W", axes.d, 16);
  if (axes.kind == kNz2Nd0213 || axes.kind == kNz2Nz0213) check.multiple("H / N", axes.d, 16);
}
// What dst has beside the axes becomes 0.
void run_transpose(const Call& call, const State&, Memory& memory) {
  const Axes axes(call);
  const unsigned bytes = bits_of(call.dst[0].dtype) / 8;
  const uint8_t* from = memory.data(call.src[0]);
  uint8_t* to = memory.data(call.dst[0]);
  std::memset(to, 0, axes.dst_size() * bytes);
  for (uint32_t b = 0; b < axes.b; ++b) {
    for (uint32_t n = 0; n < axes.n; ++n) {
      for (uint32_t s = 0; s < axes.s; ++s) {
        for (uint32_t d = 0; d < axes.d; ++d) {
          copy(from, axes.src(b, n, s, d), to, axes.dst(b, n, s, d), 1, bytes);
        }
      }
    }
  }
}

// TransData: size: 0 N, 1 C, 2 D, 3 H * W, 4 the kind, 5 C1, 6 C0, 7 N1, 8 N0 as the layout has
// them. Rows of H * W begin at datablocks in NCDHW.
enum : uint32_t { kToZ3d = 0, kFromZ3d, kTo5Hd, kFrom5Hd };
struct Blocks {
  uint32_t n, c, d, hw, kind;

  explicit Blocks(const Call& call)
      : n(call.size[0]), c(call.size[1]), d(call.size[2]), hw(call.size[3]), kind(call.size[4]) {}
  bool z3d() const { return kind == kToZ3d || kind == kFromZ3d; }
  bool from() const { return kind == kFromZ3d || kind == kFrom5Hd; }
  uint64_t pitch() const { return uint64_t(sixteens(hw)) * 16; }
  uint64_t plain(uint32_t in, uint32_t ic, uint32_t id) const {
    return ((uint64_t(in) * c + ic) * d + id) * pitch();
  }
  uint64_t size() const {
    return uint64_t(z3d() ? sixteens(n) * 16 : n) * d * sixteens(c) * 16 * hw;
  }
  uint64_t place(uint32_t in, uint32_t ic, uint32_t id, uint32_t i) const {
    const uint32_t c1 = sixteens(c), n1 = sixteens(n);
    if (!z3d()) return (((uint64_t(in) * d + id) * c1 + ic / 16) * hw + i) * 16 + ic % 16;
    return (((uint64_t(id) * c1 + ic / 16) * hw + i) * n1 * 16 + in) * 16 + ic % 16;
  }
};
Parts trans_data_parts(const Call& call) {
  Parts parts;
  const Blocks blocks(call);
  const uint64_t rows = uint64_t(blocks.n) * blocks.c * blocks.d;
  if (blocks.from()) {
    parts.read("srcTensor", call.src[0], blocks.size() * 2);
    parts.write("dstTensor", call.dst[0], uint64_t(blocks.hw) * 2, rows, blocks.pitch() * 2);
  } else {
    parts.read("srcTensor", call.src[0], uint64_t(blocks.hw) * 2, rows, blocks.pitch() * 2);
    parts.write("dstTensor", call.dst[0], blocks.size() * 2);
  }
  return parts;
}
void check_trans_data(const Call& call, Check& check) {
  const Blocks blocks(call);
  const char* const names[] = {"N", "C", "D", "H * W"};
  for (int i = 0; i < 4; ++i) check.range(names[i], call.size[i], 1, UINT32_MAX);
  check.range("C1", call.size[5], sixteens(blocks.c), sixteens(blocks.c));
  check.range("C0", call.size[6], 16, 16);
  if (!blocks.z3d()) return;
  check.range("N1", call.size[7], sixteens(blocks.n), sixteens(blocks.n));
  check.range("N0", call.size[8], 16, 16);
}
// Channels and images that fill up sixteens are 0.
void run_trans_data(const Call& call, const State&, Memory& memory) {
  const Blocks blocks(call);
  const uint8_t* from = memory.data(call.src[0]);
  uint8_t* to = memory.data(call.dst[0]);
  if (!blocks.from()) std::memset(to, 0, blocks.size() * 2);
  for (uint32_t n = 0; n < blocks.n; ++n) {
    for (uint32_t c = 0; c < blocks.c; ++c) {
      for (uint32_t d = 0; d < blocks.d; ++d) {
        for (uint32_t i = 0; i < blocks.hw; ++i) {
          const uint64_t plain = blocks.plain(n, c, d) + i, other = blocks.place(n, c, d, i);
          copy(from, blocks.from() ? other : plain, to, blocks.from() ? plain : other, 1, 2);
        }
      }
    }
  }
}
constexpr Signature k16BitTypes[] = {DType::kInt16, DType::kUint16, DType::kHalf, DType::kBfloat16};
constexpr Support k16BitOn2201[] = {{kArch2201, k16BitTypes, true, kAscendC}};

}  // namespace

extern constinit const Instruction pad =
    function<pad_parts, run_pad, check_pad>("pad", "Pad", kMostNumbers);
extern constinit const Instruction un_pad =
    function<un_pad_parts, run_un_pad, check_un_pad>("un_pad", "UnPad", kMostNumbers);
extern constinit const Instruction confusion_transpose =
    function<transpose_parts, run_transpose, check_transpose>("confusion_transpose", "Transpose",
                                                              kMostNumbers);
extern constinit const Instruction trans_data =
    function<trans_data_parts, run_trans_data, check_trans_data>("trans_data", "TransData",
                                                                 k16BitOn2201);

}  // namespace vinci::isa
