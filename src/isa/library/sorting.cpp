// Arange, Sort, Extract, TopK: exact, but for sums of halves and floats in Arange.
//
// Sources and decisions: docs/spec/sorting.md.
#include <algorithm>
#include <numeric>
#include <vector>

#include "isa/family/sort.h"
#include "isa/library/elementwise.h"

namespace vinci::isa {
namespace {

using namespace library;

unsigned bytes_of_type(DType type) { return bits_of(type) / 8; }

// What Sort leaves: pairs of a score and its index, or region proposals, whose fields x1, y1, x2,
// y2, score, label, and two more are as wide as a score. The index of halves lies in two of them.
struct Sorted {
  uint32_t in_repeat;
  unsigned bytes, score, low, high;  // of a record; where its score and the halves of its index lie
};
Sorted sorted_as(bool proposals, DType type) {
  const unsigned field = bytes_of_type(type);
  if (!proposals) return {32, 8, 0, 4, 6};
  const unsigned y1 = field, score = 4 * field, label = 5 * field;
  if (type == DType::kHalf) return {16, 8 * field, score, y1, label};
  return {16, 8 * field, score, label, label + 2};
}

// Arange: count elements from `scalar` on; size[0] has the bits of the difference.
uint64_t arange_bytes(const Call& call) {
  const uint64_t bytes = bytes_of(call.dst[0].dtype, call.count);
  if (bytes <= vector::kBlockBytes) return bytes;
  return std::min<uint64_t>((bytes + 31) / 32 * 32, call.dst[0].bytes);
}
Parts arange_parts(const Call& call) {
  Parts parts;
  parts.write("dst", call.dst[0], arange_bytes(call));
  return parts;
}
// The first datablock is scalar code; the next ones are the one before and a step, up to 256 bytes,
// and then 256 bytes at once.
template <class V, class T, class Add>
void count_up(const Call& call, Memory& memory, V first, V step, Add add) {
  constexpr uint64_t kBlock = vector::kBlockBytes / sizeof(T);
  constexpr uint64_t kRepeat = vector::kRepeatBytes / sizeof(T);
  const uint64_t n = arange_bytes(call) / sizeof(T);
  T* out = data_of<T>(memory, call.dst[0]);
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t back = i < kRepeat ? kBlock : kRepeat;
    out[i] = i < kBlock ? add(first, step, i, true) : add(V(out[i - back]), step, back, false);
  }
}
void run_arange(const Call& call, const State& state, Memory& memory) {
  const uint64_t step_bits = call.size[0];
  const auto floats = [](float a, float step, uint64_t n, bool) { return a + step * float(n); };
  switch (call.dst[0].dtype) {
    case DType::kFloat:
      return count_up<float, float>(call, memory, from_bits<float>(call.scalar),
                                    from_bits<float>(step_bits), floats);
    case DType::kHalf: {
      const auto halves = [&](uint16_t a, uint16_t step, uint64_t n, bool scalar) {
        float by = float_of_half(step) * float(n);
        if (!scalar) by = float_of_half(half_of_float(by));
        const float sum[] = {float_of_half(a) + by};
        uint16_t bits;
        halves_of_floats(sum, &bits, 1, saturates(state));
        return bits;
      };
      return count_up<uint16_t, uint16_t>(call, memory, from_bits<uint16_t>(call.scalar),
                                          from_bits<uint16_t>(step_bits), halves);
    }
    default: {
      const auto integers = [](uint32_t a, uint32_t step, uint64_t n, bool) {
        return a + step * uint32_t(n);
      };
      if (call.dst[0].dtype == DType::kInt16) {
        return count_up<uint32_t, uint16_t>(call, memory, uint32_t(call.scalar),
                                            uint32_t(step_bits), integers);
      }
      return count_up<uint32_t, uint32_t>(call, memory, uint32_t(call.scalar), uint32_t(step_bits),
                                          integers);
    }
  }
}
constexpr Support kArangeTypes[] = {{kMost, vector::kNumbers, true, kAscendC}};

// The numbers of n scores, `pitch` bytes apart: the largest first, NaN before all; of equals the
// first one.
std::vector<uint32_t> order_of(const uint8_t* scores, DType type, unsigned pitch, uint32_t n,
                               bool largest) {
  std::vector<int64_t> keys(n);
  for (uint32_t i = 0; i < n; ++i, scores += pitch) {
    const bool half = type == DType::kHalf;
    const float x = half ? float_of_half(*reinterpret_cast<const uint16_t*>(scores))
                         : *reinterpret_cast<const float*>(scores);
    const int64_t key = vector::score_key(bits_of_float(x));
    keys[i] = x != x ? INT64_MAX : largest ? key : -key;
  }
  std::vector<uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return keys[a] > keys[b]; });
  return order;
}

// Sort and Extract: size[0] repeats; size[1] whether of proposals; Sort's size[2] whether all are
// sorted and not each repeat alone.
Sorted layout_of(const Call& call) { return sorted_as(call.size[1] != 0, call.dst[0].dtype); }
uint64_t score_count(const Call& call) {
  return uint64_t(call.size[0]) * layout_of(call).in_repeat;
}
uint64_t sorted_bytes(const Call& call) { return score_count(call) * layout_of(call).bytes; }

Parts sort_parts(const Call& call) {
  Parts parts;
  const uint64_t n = score_count(call);
  parts.read("concat", call.src[0],
             call.size[1] != 0 ? sorted_bytes(call) : bytes_of(call.src[0].dtype, n));
  parts.read("index", call.src[1], n * sizeof(uint32_t));
  parts.write("dst", call.dst[0], sorted_bytes(call));
  return parts;
}
void check_repeats(const Call& call, Check& check) {
  check.range("repeatTime", int32_t(call.size[0]), 0, 255);
}
// Proposals keep their other fields, pairs have zeros there.
void run_sort(const Call& call, const State&, Memory& memory) {
  const DType type = call.src[0].dtype;
  const Sorted layout = layout_of(call);
  const bool proposals = call.size[1] != 0;
  const unsigned pitch = proposals ? layout.bytes : bytes_of_type(type);
  const uint32_t together = call.size[2] != 0 ? uint32_t(score_count(call)) : layout.in_repeat;
  const uint8_t* from = memory.data(call.src[0]);
  const uint8_t* index = memory.data(call.src[1]);
  uint8_t* to = memory.data(call.dst[0]);
  for (uint64_t first = 0; first < score_count(call); first += together) {
    const unsigned score = proposals ? layout.score : 0;
    for (const uint32_t i : order_of(from + score, type, pitch, together, true)) {
      std::memset(to, 0, layout.bytes);
      std::memcpy(to, from + uint64_t(i) * pitch, pitch);
      std::memcpy(to + layout.low, index + uint64_t(i) * 4, 2);
      std::memcpy(to + layout.high, index + uint64_t(i) * 4 + 2, 2);
      to += layout.bytes;
    }
    from += uint64_t(together) * pitch;
    index += uint64_t(together) * 4;
  }
}

Parts extract_parts(const Call& call) {
  Parts parts;
  const uint64_t n = score_count(call);
  parts.read("sorted", call.src[0], sorted_bytes(call));
  parts.write("dstValue", call.dst[0], bytes_of(call.dst[0].dtype, n));
  parts.write("dstIndex", call.dst[1], n * sizeof(uint32_t));
  return parts;
}
void run_extract(const Call& call, const State&, Memory& memory) {
  const Sorted layout = layout_of(call);
  const unsigned bytes = bytes_of_type(call.dst[0].dtype);
  const uint8_t* from = memory.data(call.src[0]);
  uint8_t* value = memory.data(call.dst[0]);
  uint8_t* index = memory.data(call.dst[1]);
  for (uint64_t i = 0; i < score_count(call); ++i, from += layout.bytes) {
    std::memcpy(value + i * bytes, from + layout.score, bytes);
    std::memcpy(index + i * 4, from + layout.low, 2);
    std::memcpy(index + i * 4 + 2, from + layout.high, 2);
  }
}

// TopK: size: 0 rows, 1 columns of a row in src, 2 columns that count, 3 k, 4 flags.
constexpr uint32_t kWithIndex = 1, kWithFinish = 2, kSmall = 4, kLargest = 8;

bool has(const Call& call, uint32_t flag) { return (call.size[4] & flag) != 0; }
// Elements from a row of the result to the next.
uint32_t pitch_of(const Call& call, DType type) {
  const uint32_t block = 256 / bits_of(type);
  return has(call, kSmall) ? call.size[3] : (call.size[3] + block - 1) / block * block;
}
Parts top_k_parts(const Call& call) {
  Parts parts;
  const DType type = call.src[0].dtype;
  const uint32_t rows = call.size[0], inner = call.size[1], k = call.size[3];
  parts.read("src", call.src[0], bytes_of(type, uint64_t(rows) * inner));
  if (has(call, kWithIndex)) {
    parts.read("srcIndex", call.src[1], uint64_t(has(call, kSmall) ? rows : 1) * inner * 4);
  }
  if (has(call, kWithFinish)) parts.read("finish", call.src[2], rows);
  parts.write("dstValue", call.dst[0], bytes_of(type, k), rows,
              bytes_of(type, pitch_of(call, type)));
  parts.write("dstIndex", call.dst[1], uint64_t(k) * 4, rows,
              uint64_t(pitch_of(call, DType::kInt32)) * 4);
  return parts;
}
void check_top_k(const Call& call, Check& check) {
  // Of halves the 310P counts in halves, which hold no more.
  const bool in_halves = check.soc().arch->bit == kArch2002 && call.src[0].dtype == DType::kHalf &&
                         !has(call, kWithIndex);
  check.range("inner", call.size[1], 32, has(call, kSmall) ? 32 : in_halves ? 2048 : 4096);
  check.multiple("inner", call.size[1], 32);
  check.range("n", call.size[2], 1, call.size[1]);
  if (check.ok()) check.range("k", int32_t(call.size[3]), 1, call.size[2]);
  if (has(call, kSmall) && has(call, kWithFinish)) {
    check.fail(Code::kCombination, "isHasfinish is true in TOPK_NSMALL", "false there");
  }
}
void run_top_k(const Call& call, const State&, Memory& memory) {
  const DType type = call.src[0].dtype;
  const unsigned bytes = bytes_of_type(type);
  const uint32_t n = call.size[2], k = call.size[3];
  for (uint32_t row = 0; row < call.size[0]; ++row) {
    const uint8_t* scores = memory.data(call.src[0]) + uint64_t(row) * call.size[1] * bytes;
    uint8_t* values = memory.data(call.dst[0]) + uint64_t(row) * pitch_of(call, type) * bytes;
    int32_t* indices =
        data_of<int32_t>(memory, call.dst[1]) + uint64_t(row) * pitch_of(call, DType::kInt32);
    const int32_t* given_indices = nullptr;
    if (has(call, kWithIndex)) {
      given_indices = data_of<int32_t>(memory, call.src[1]) +
                      (has(call, kSmall) ? uint64_t(row) * call.size[1] : 0);
    }
    const bool finished = has(call, kWithFinish) && memory.data(call.src[2])[row] != 0;
    const auto order = order_of(scores, type, bytes, call.size[1], has(call, kLargest));
    for (uint32_t i = 0; i < k; ++i) {
      std::memcpy(values + uint64_t(i) * bytes, scores + uint64_t(order[i]) * bytes, bytes);
      indices[i] = finished                   ? int32_t(n)
                   : given_indices != nullptr ? given_indices[order[i]]
                                              : int32_t(order[i]);
    }
  }
}

Signature type_of_dst(const Call& call) { return call.dst[0].dtype; }

}  // namespace

extern constinit const Instruction arange =
    function<arange_parts, run_arange, check_count, Overlaps::kNever, type_of_dst>(
        "arange", "Arange", kArangeTypes);
extern constinit const Instruction sort =
    function<sort_parts, run_sort, check_repeats>("sort", "Sort", kFloats);
extern constinit const Instruction extract =
    function<extract_parts, run_extract, check_repeats>("extract", "Extract", kFloats);
extern constinit const Instruction top_k =
    function<top_k_parts, run_top_k, check_top_k>("top_k", "TopK", kFloats);

}  // namespace vinci::isa
