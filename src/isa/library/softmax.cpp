// SoftMax and its kin, on rows: in float, half rounded once at the end.
//
// size: 0 rows, 1 columns, 2 columns that count, 3 flags. dst: 0 result, 1 sum, 2 max, 3 expMax,
// 4 max of the row alone or, of SoftmaxFlashV3, mean. src: 0 data, 1 earlier sum (gradient: src),
// 2 earlier max, 3 earlier mean.
//
// Sources and decisions: docs/spec/softmax.md.
#include <cmath>
#include <memory>
#include <span>

#include "isa/library/folding.h"
#include "isa/library/rows.h"

namespace vinci::isa {
namespace {

using namespace library;

constexpr uint32_t kNz = 1, kUpdate = 2, kOneEach = 4, kFront = 8, kShifts = 16, kBasicBlock = 32;

constexpr uint32_t kEighths = 8;

bool has(const Call& call, uint32_t flag) { return (call.size[3] & flag) != 0; }
Matrix matrix_of(const Call& call) {
  return {call.src[0].dtype, call.size[0], call.size[1], has(call, kNz)};
}
uint32_t columns(const Call& call) { return call.size[2]; }

// One number for each row: a datablock of copies, or one element.
struct PerRow {
  const Call& call;
  const Operand& operand;

  uint32_t copies() const { return has(call, kOneEach) ? 1 : 256 / bits_of(operand.dtype); }
  uint64_t bytes() const {
    return uint64_t(call.size[0]) * copies() * (bits_of(operand.dtype) / 8);
  }
  float at(const Memory& memory, uint32_t row) const {
    return number_at(memory.data(operand), operand.dtype, uint64_t(row) * copies());
  }
  // Those of the rows from `first` on.
  void put(std::span<const float> numbers, Memory& memory, uint32_t first,
           const State& state) const {
    operand.dtype == DType::kHalf ? fill<uint16_t, DType::kHalf>(numbers, memory, first, state)
                                  : fill<uint32_t, DType::kFloat>(numbers, memory, first, state);
  }
  template <class Word, DType type>
  void fill(std::span<const float> numbers, Memory& memory, uint32_t first,
            const State& state) const {
    const bool one_each = has(call, kOneEach);
    const uint64_t pitch = copies() * sizeof(Word);
    uint8_t* to = memory.data(operand) + first * pitch;
    for (size_t i = 0; i < numbers.size(); ++i, to += pitch) {
      uint8_t bits[sizeof(Word)];
      put_number(numbers[i], bits, type, 0, state);
      if (one_each) {
        std::memcpy(to, bits, sizeof(Word));
        continue;
      }
      Word word;
      std::memcpy(&word, bits, sizeof(word));
      std::array<Word, 32 / sizeof(Word)> block;
      block.fill(word);
      std::memcpy(to, block.data(), sizeof(block));
    }
  }
};
void read_column(Parts& parts, const char* name, const Call& call, const Operand& operand) {
  if (given(operand)) parts.read(name, operand, PerRow{call, operand}.bytes());
}
void write_column(Parts& parts, const char* name, const Call& call, const Operand& operand) {
  if (given(operand)) parts.write(name, operand, PerRow{call, operand}.bytes());
}

void check_shape(const Call& call, Check& check) {
  const uint32_t block = 256 / bits_of(call.src[0].dtype);
  check.multiple("srcK", call.size[1], has(call, kNz) ? 16 : block);
  check.range("oriSrcK", call.size[2], 1, call.size[1]);
  if (!has(call, kBasicBlock)) return;
  check.multiple("srcM of a basic block", call.size[0], 8);
  check.multiple("srcK of a basic block", call.size[1], 64);
  check.range("srcK of a basic block", call.size[1], 2048 / bits_of(call.src[0].dtype), 2047);
}

Parts result_parts(const Call& call) {
  Parts parts;
  read_matrix(parts, "src", call.src[0], matrix_of(call), columns(call));
  read_column(parts, "inSum", call, call.src[1]);
  read_column(parts, "inMax", call, call.src[2]);
  read_column(parts, "inMean", call, call.src[3]);
  write_matrix(parts, "dst", call.dst[0], matrix_of(call), columns(call));
  write_column(parts, "sum", call, call.dst[1]);
  write_column(parts, "max", call, call.dst[2]);
  write_column(parts, "expMax", call, call.dst[3]);
  write_column(parts, has(call, kShifts) ? "mean" : "outReduceMax", call, call.dst[4]);
  return parts;
}

// The type of the data, and that of sums and maxima.
Signature signature(const Call& call) {
  const Operand& column = given(call.dst[1]) ? call.dst[1] : call.src[1];
  return given(column) ? types_of(call.dst[0].dtype, column.dtype) : call.dst[0].dtype;
}
constexpr Signature kPairs[] = {DType::kHalf, DType::kFloat, {DType::kHalf, DType::kFloat}};
constexpr Support kTypes[] = {{kMost, kPairs, true, kAscendC}};
constexpr Support kTypesAnd3002[] = {{kMost | kArch3002, kPairs, true, kAscendC}};

// Calls f(row, x) with the numbers of each row, which f may change.
template <class F>
void for_each_row(const Call& call, const Memory& memory, F f) {
  std::vector<float> x(columns(call));
  for (uint32_t row = 0; row < call.size[0]; ++row) {
    matrix_of(call).load(memory.data(call.src[0]), row, columns(call), x.data());
    f(row, x.data());
  }
}
// e^(x - max) in place. A function of its own has registers enough for its constants.
[[gnu::noinline]] void raise(float* x, uint32_t n, float max) {
  VINCI_LANE_LOOP
  for (uint32_t i = 0; i < n; ++i) x[i] = exp_of(x[i] - max);
}
float raise_and_sum(float* x, uint32_t n, float max) {
  raise(x, n, max);
  return sum_of_row(x, n);
}
void divide(float* x, uint32_t n, float by) {
  VINCI_LANE_LOOP
  for (uint32_t i = 0; i < n; ++i) x[i] = x[i] / by;
}
void put_row(const Call& call, const float* x, uint32_t row, Memory& memory, const State& state) {
  matrix_of(call).store(x, row, columns(call), memory.data(call.dst[0]), state);
}
void put_if_given(const Call& call, const Operand& operand, float number, Memory& memory,
                  uint32_t row, const State& state) {
  if (given(operand)) PerRow{call, operand}.put({&number, 1}, memory, row, state);
}

void run_softmax(const Call& call, const State& state, Memory& memory) {
  for_each_row(call, memory, [&](uint32_t row, float* x) {
    const float max = largest_of_row(x, columns(call));
    const float sum = raise_and_sum(x, columns(call), max);
    divide(x, columns(call), sum);
    put_row(call, x, row, memory, state);
    put_if_given(call, call.dst[1], sum, memory, row, state);
    put_if_given(call, call.dst[2], max, memory, row, state);
  });
}

// log10 of the quotient.
void run_log_softmax(const Call& call, const State& state, Memory& memory) {
  for_each_row(call, memory, [&](uint32_t row, float* x) {
    const float max = largest_of_row(x, columns(call));
    const float sum = raise_and_sum(x, columns(call), max);
    for (uint32_t i = 0; i < columns(call); ++i) x[i] = ln_of(x[i] / sum) * 0.4342944819f;
    put_row(call, x, row, memory, state);
    put_if_given(call, call.dst[1], sum, memory, row, state);
    put_if_given(call, call.dst[2], max, memory, row, state);
  });
}

void run_simple(const Call& call, const State& state, Memory& memory) {
  for_each_row(call, memory, [&](uint32_t row, float* x) {
    raise(x, columns(call), PerRow{call, call.src[2]}.at(memory, row));
    divide(x, columns(call), PerRow{call, call.src[1]}.at(memory, row));
    put_row(call, x, row, memory, state);
  });
}

// Some neighbouring rows: what costs the host a long wait for one number is done for all of them
// at once. As many as its first cache holds.
constexpr uint32_t kRowsAtOnce = 16, kNumbersAtOnce = 4096;
struct SomeRows {
  uint32_t first, count, pitch;
  float* numbers;

  float* row(uint32_t i) const { return numbers + size_t(i) * pitch; }
};
using OneEach = std::array<float, kRowsAtOnce>;

// Has f(rows) turn the numbers of all rows into the result, some rows at a time: rows of floats
// where the result lies, others in an array. It returns the rows' sums, of which NaN, infinity and
// 0 say that there may be a NaN in the row.
template <class F>
void for_some_rows(const Call& call, const State& state, Memory& memory, F f) {
  const uint32_t n = columns(call), all = call.size[0];
  const Matrix matrix = matrix_of(call);
  const uint8_t* const src = memory.data(call.src[0]);
  uint8_t* const dst = memory.data(call.dst[0]);
  const bool in_place = matrix.type == DType::kFloat && !matrix.nz;
  const uint32_t most = std::clamp(kNumbersAtOnce / n, 1u, kRowsAtOnce);
  const uint32_t pitch = in_place ? matrix.columns : n;
  const auto array = std::make_unique_for_overwrite<float[]>(in_place ? 0 : size_t(most) * n);
  for (uint32_t first = 0; first < all; first += most) {
    float* const numbers =
        in_place ? reinterpret_cast<float*>(dst) + matrix.index(first, 0) : array.get();
    const SomeRows rows{first, std::min(most, all - first), pitch, numbers};
    for (uint32_t i = 0; i < rows.count && !(in_place && dst == src); ++i) {
      matrix.load(src, first + i, n, rows.row(i));
    }
    const OneEach sums = f(rows);
    for (uint32_t i = 0; i < rows.count; ++i) {
      if (!in_place || !std::isnormal(sums[i])) matrix.store(rows.row(i), first + i, n, dst, state);
    }
  }
}
OneEach get(const Call& call, const Operand& operand, const Memory& memory, const SomeRows& rows) {
  OneEach numbers{};
  const PerRow column{call, operand};
  for (uint32_t i = 0; i < rows.count; ++i) numbers[i] = column.at(memory, rows.first + i);
  return numbers;
}
void put_if_given(const Call& call, const Operand& operand, const OneEach& numbers, Memory& memory,
                  const SomeRows& rows, const State& state) {
  if (!given(operand)) return;
  PerRow{call, operand}.put({numbers.data(), rows.count}, memory, rows.first, state);
}

// Goes on from an earlier sum and max, or begins; the first version divides by the sum.
template <bool kDivides>
void run_flash(const Call& call, const State& state, Memory& memory) {
  const bool goes_on = has(call, kUpdate);
  const uint32_t n = columns(call);
  for_some_rows(call, state, memory, [&](const SomeRows& rows) {
    OneEach max{}, sum{}, scale{};
    for (uint32_t i = 0; i < rows.count; ++i) max[i] = largest_of_row(rows.row(i), n);
    put_if_given(call, call.dst[4], max, memory, rows, state);
    if (goes_on) {
      const OneEach before = get(call, call.src[2], memory, rows);
      VINCI_LANE_LOOP
      for (uint32_t i = 0; i < kRowsAtOnce; ++i) {
        max[i] = Largest::of(max[i], before[i]);
        scale[i] = exp_of(before[i] - max[i]);
      }
    }
    for (uint32_t i = 0; i < rows.count; ++i) raise(rows.row(i), n, max[i]);
    for (uint32_t i = 0; i < rows.count; ++i) sum[i] = sum_of_row(rows.row(i), n);
    if (goes_on) {
      const OneEach before = get(call, call.src[1], memory, rows);
      for (uint32_t i = 0; i < rows.count; ++i) {
        const float carried = scale[i] * before[i];
        sum[i] = carried + sum[i];
        if (kDivides) scale[i] = carried / sum[i];
      }
    }
    for (uint32_t i = 0; i < rows.count && kDivides; ++i) divide(rows.row(i), n, sum[i]);
    put_if_given(call, call.dst[1], sum, memory, rows, state);
    put_if_given(call, call.dst[2], max, memory, rows, state);
    if (goes_on) put_if_given(call, call.dst[3], scale, memory, rows, state);
    return sum;
  });
}

// SoftmaxFlashV3: of numbers that are shifted by what eight means of a row are apart from the mean
// of the row. size[4]: the number of calls so far; number[0]: alpha.
//
// The i-th mean is that of the i-th 64 of the first 512 numbers, and of the i-th eight of each 64
// behind them; but it shifts the i-th eighth of the row, as the documents have it.
void means_of(const float* x, uint32_t n, float (&means)[kEighths]) {
  float sums[64], part[8];
  for (uint32_t i = 0; i < 64; ++i) {
    std::copy_n(x + 8 * i, 8, part);
    sums[i] = sum_of_neighbours(part, 8);
  }
  for (uint32_t i = 512; i < n; ++i) sums[i % 64] += x[i];
  for (uint32_t i = 0; i < kEighths; ++i) {
    means[i] = sum_of_neighbours(sums + 8 * i, 8) / float(n / kEighths);
  }
}
void shift(float* x, uint32_t n, float mean, const float (&means)[kEighths], float factor) {
  for (uint32_t i = 0; i < n; ++i) x[i] -= (mean - means[i / (n / kEighths)]) * factor;
}
void run_shifted(const Call& call, const State& state, Memory& memory) {
  const uint32_t n = columns(call);
  if (n < 512) return;
  const float factor = call.number[0] / (1.0f - call.number[0]);
  for_each_row(call, memory, [&](uint32_t row, float* x) {
    float means[kEighths], all[kEighths];
    means_of(x, n, means);
    std::copy_n(means, kEighths, all);
    const float own = sum_of_neighbours(all, kEighths) / float(kEighths);
    shift(x, n, own, means, factor);
    float mean = own, scale = 0, max = largest_of_row(x, n), shifted = 0;
    if (has(call, kUpdate)) {
      const float calls = float(call.size[4]);
      const float before = PerRow{call, call.src[3]}.at(memory, row);
      const float largest = PerRow{call, call.src[2]}.at(memory, row);
      mean = (own + before * (calls - 1.0f)) / calls;
      shifted = (own - mean) * factor;
      const float earlier = (before - mean) * factor;
      max = Largest::of(shifted + max, earlier + largest);
      scale = exp_of(largest - max + earlier);
    }
    float total = raise_and_sum(x, n, max - shifted);
    if (has(call, kUpdate)) total = scale * PerRow{call, call.src[1]}.at(memory, row) + total;
    put_row(call, x, row, memory, state);
    put_if_given(call, call.dst[1], total, memory, row, state);
    put_if_given(call, call.dst[2], max, memory, row, state);
    put_if_given(call, call.dst[4], mean, memory, row, state);
    if (has(call, kUpdate)) put_if_given(call, call.dst[3], scale, memory, row, state);
  });
}
void check_shifted(const Call& call, Check& check) {
  check.multiple("srcM", call.size[0], 8);
  check.range("srcK", call.size[1], 512, UINT32_MAX);
  check.multiple("srcK", call.size[1], 64);
  check.range("oriSrcK", call.size[2], call.size[1], call.size[1]);
  check.range("splitMeanCnt", call.size[5], kEighths, kEighths);
  if (has(call, kUpdate)) check.range("loopCnt", call.size[4], 1, UINT32_MAX);
}
constexpr Signature kHalfAndFloat[] = {{DType::kHalf, DType::kFloat}};
constexpr Support kShiftedTypes[] = {{kArch2201, kHalfAndFloat, true, kAscendC}};

// dst = (grad - s) * src, s the sum of grad * src; or s, once for each element of a datablock.
Parts gradient_parts(const Call& call) {
  Parts parts;
  const Matrix matrix = matrix_of(call);
  read_matrix(parts, "grad", call.src[0], matrix, columns(call));
  read_matrix(parts, "src", call.src[1], matrix, columns(call));
  if (has(call, kFront)) {
    write_column(parts, "dst", call, call.dst[0]);
  } else {
    write_matrix(parts, "dst", call.dst[0], matrix, columns(call));
  }
  return parts;
}
void run_gradient(const Call& call, const State& state, Memory& memory) {
  const uint32_t n = columns(call);
  std::vector<float> y(n), products(n);
  for_each_row(call, memory, [&](uint32_t row, float* grad) {
    matrix_of(call).load(memory.data(call.src[1]), row, n, y.data());
    for (uint32_t i = 0; i < n; ++i) products[i] = grad[i] * y[i];
    const float sum = sum_of_row(products.data(), n);
    if (has(call, kFront)) return put_if_given(call, call.dst[0], sum, memory, row, state);
    for (uint32_t i = 0; i < n; ++i) grad[i] = (grad[i] - sum) * y[i];
    put_row(call, grad, row, memory, state);
  });
}
constexpr Support kGradientTypes[] = {{kMost | kArch3002, vector::kFloats, true, kAscendC}};

template <auto run>
constexpr Instruction rows(std::string_view mnemonic, std::string_view api,
                           std::span<const Support> support) {
  return function<result_parts, run, check_shape, Overlaps::kPairs, signature>(mnemonic, api,
                                                                               support);
}
constexpr Instruction gradient(std::string_view mnemonic, std::string_view api) {
  return function<gradient_parts, run_gradient, check_shape, Overlaps::kSame, signature_of>(
      mnemonic, api, kGradientTypes);
}

}  // namespace

extern constinit const Instruction soft_max =
    rows<run_softmax>("soft_max", "SoftMax", kTypesAnd3002);
extern constinit const Instruction simple_soft_max =
    rows<run_simple>("simple_soft_max", "SimpleSoftMax", kTypesAnd3002);
extern constinit const Instruction log_soft_max =
    rows<run_log_softmax>("log_soft_max", "LogSoftMax", kTypes);
extern constinit const Instruction softmax_flash =
    rows<run_flash<true>>("softmax_flash", "SoftmaxFlash", kTypes);
extern constinit const Instruction softmax_flash_v2 =
    rows<run_flash<false>>("softmax_flash_v2", "SoftmaxFlashV2", kTypesAnd3002);
extern constinit const Instruction softmax_flash_v3 =
    function<result_parts, run_shifted, check_shifted, Overlaps::kPairs, signature>(
        "softmax_flash_v3", "SoftmaxFlashV3", kShiftedTypes);
extern constinit const Instruction softmax_grad = gradient("softmax_grad", "SoftmaxGrad");
extern constinit const Instruction softmax_grad_front =
    gradient("softmax_grad_front", "SoftmaxGradFront");

}  // namespace vinci::isa
