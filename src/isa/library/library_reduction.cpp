// ReduceSum, ReduceMax, ReduceAny and so on with a pattern, Sum, Mean, CumSum, ReduceXorSum.
//
// Sources and decisions: docs/spec/library_reduction.md.
#include <fmt/format.h>

#include "isa/library/folding.h"
#include "isa/library/rows.h"

namespace vinci::isa {
namespace {

using namespace library;

// With a pattern: size: 0 first axis, 1 last axis, 2 whether the first one is reduced (RA).
// Rows of src begin at datablocks.
uint32_t padded(const Call& call) {
  const uint32_t block = 256 / bits_of(call.src[0].dtype);
  return (call.size[1] + block - 1) / block * block;
}
bool first_axis(const Call& call) { return call.size[2] != 0; }

Parts pattern_parts(const Call& call) {
  Parts parts;
  const DType type = call.src[0].dtype;
  parts.read("src", call.src[0], bytes_of(type, call.size[1]), call.size[0],
             bytes_of(type, padded(call)));
  parts.write("dst", call.dst[0], bytes_of(type, call.size[first_axis(call) ? 1 : 0]));
  return parts;
}
void check_axes(const Call& call, Check& check) {
  check.range("the first axis", call.size[0], 1, UINT32_MAX);
  check.range("the last axis", call.size[1], 1, UINT32_MAX);
}

template <class Op>
void reduce(const Call& call, const State& state, Memory& memory, float neutral, float factor) {
  const Matrix matrix{call.src[0].dtype, call.size[0], padded(call)};
  const uint32_t rows = call.size[0], n = call.size[1];
  const uint8_t* from = memory.data(call.src[0]);
  uint8_t* to = memory.data(call.dst[0]);
  std::vector<float> results(first_axis(call) ? n : rows);
  if (!first_axis(call)) {
    std::vector<float> x(std::max<uint32_t>(n, 64));
    for (uint32_t row = 0; row < rows; ++row) {
      matrix.load(from, row, n, x.data());
      results[row] = reduce_row<Op>(x.data(), n, neutral);
    }
  } else {
    std::vector<float> all(size_t(rows) * n);
    for (uint32_t row = 0; row < rows; ++row) matrix.load(from, row, n, &all[size_t(row) * n]);
    const auto fold = [&](uint32_t begin, uint32_t count) {
      for (size_t i = 0; i < size_t(count) * n; ++i) {
        all[i] = Op::of(all[i], all[size_t(begin) * n + i]);
      }
    };
    uint32_t left = rows;
    if (!std::has_single_bit(left)) {
      fold(std::bit_floor(left), left - std::bit_floor(left));
      left = std::bit_floor(left);
    }
    for (; left > 1; left /= 2) fold(left / 2, left / 2);
    std::copy_n(all.begin(), n, results.begin());
  }
  for (size_t i = 0; i < results.size(); ++i) {
    const float result = factor == 1 ? results[i] : results[i] * factor;
    put_number(result, to, call.dst[0].dtype, i, state);
  }
}
constexpr float kInf = __builtin_inff();

void run_sum(const Call& call, const State& state, Memory& memory) {
  reduce<Sum>(call, state, memory, -0.0f, 1);
}
void run_mean(const Call& call, const State& state, Memory& memory) {
  const uint32_t n = call.size[first_axis(call) ? 0 : 1];
  reduce<Sum>(call, state, memory, -0.0f, 1.0f / float(n));
}
void run_product(const Call& call, const State& state, Memory& memory) {
  reduce<Product>(call, state, memory, 1.0f, 1);
}
void run_max(const Call& call, const State& state, Memory& memory) {
  reduce<Largest>(call, state, memory, -kInf, 1);
}
void run_min(const Call& call, const State& state, Memory& memory) {
  reduce<Smallest>(call, state, memory, kInf, 1);
}
// ReduceAny and ReduceAll take zeros and ones, and are their largest and smallest number.
template <bool kAny>
void run_truth(const Call& call, const State& state, Memory& memory) {
  if (call.src[0].dtype == DType::kFloat) {
    return kAny ? run_max(call, state, memory) : run_min(call, state, memory);
  }
  const uint8_t* from = memory.data(call.src[0]);
  uint8_t* to = memory.data(call.dst[0]);
  std::vector<uint8_t> results(call.size[first_axis(call) ? 1 : 0], kAny ? 0 : 0xFF);
  for (uint32_t row = 0; row < call.size[0]; ++row) {
    for (uint32_t i = 0; i < call.size[1]; ++i) {
      const uint8_t number = from[uint64_t(row) * padded(call) + i];
      uint8_t& result = results[first_axis(call) ? i : row];
      result = kAny ? std::max(result, number) : std::min(result, number);
    }
  }
  std::memcpy(to, results.data(), results.size());
}
constexpr Signature kTruths[] = {DType::kUint8, DType::kFloat};
constexpr Support kTruthsOn2201[] = {{kArch2201, kTruths, true, kAscendC}};

// ReduceXorSum: the sum of src0 ^ src1, which saturates.
Parts xor_parts(const Call& call) {
  Parts parts;
  parts.read("src0Tensor", call.src[0], call.count * 2);
  parts.read("src1Tensor", call.src[1], call.count * 2);
  parts.write("dstTensor", call.dst[0], 2);
  return parts;
}
void check_xor(const Call& call, Check& check) {
  check.range("calCount", int64_t(call.count), 1, int64_t(UINT32_MAX));
}
void run_xor(const Call& call, const State&, Memory& memory) {
  const int16_t *a = data_of<int16_t>(memory, call.src[0]),
                *b = data_of<int16_t>(memory, call.src[1]);
  int64_t sum = 0;
  for (uint64_t i = 0; i < call.count; ++i) sum += int16_t(a[i] ^ b[i]);
  *data_of<int16_t>(memory, call.dst[0]) = int16_t(std::clamp<int64_t>(sum, INT16_MIN, INT16_MAX));
}
constexpr Signature kInt16[] = {DType::kInt16};
constexpr Support kXorTypes[] = {{kMost, kInt16, true, kAscendC}};

constexpr Signature kFloat[] = {DType::kFloat};
constexpr Support kFloatOn2201[] = {{kArch2201, kFloat, true, kAscendC}};
constexpr Support kFloatsOn2201[] = {{kArch2201, vector::kFloats, true, kAscendC}};

// Sum and Mean: size: 0 rows, 1 elements from row to row, 2 elements that count, 3 steps of Mean in
// float. The sum of 256 bytes by neighbours, and of such sums again.
Parts rows_parts(const Call& call) {
  Parts parts;
  const DType type = call.src[0].dtype;
  parts.read("src", call.src[0], bytes_of(type, call.size[2]), call.size[0],
             bytes_of(type, call.size[1]));
  parts.write("dst", call.dst[0], bytes_of(type, call.size[0]));
  return parts;
}
void check_rows(const Call& call, Check& check) {
  check.multiple("inner", call.size[1], 256 / bits_of(call.src[0].dtype));
  check.range("n", call.size[2], 1, call.size[1]);
  const uint32_t unit = 256 / bits_of(call.src[0].dtype);
  if (check.ok() && call.size[1] - call.size[2] >= unit) {
    check.fail(Code::kCombination, fmt::format("inner {} with n {}", call.size[1], call.size[2]),
               fmt::format("inner {}, n rounded up to a multiple of {}",
                           (call.size[2] + unit - 1) / unit * unit, unit));
  }
}
float in_type(float number, DType type, const State& state) {
  if (type != DType::kHalf) return number;
  uint16_t bits;
  halves_of_floats(&number, &bits, 1, saturates(state));
  return float_of_half(bits);
}
float sum_by_repeats(std::vector<float>& x, DType type, const State& state) {
  const uint32_t lanes = vector::kRepeatBytes * 8 / bits_of(type);
  while (x.size() > 1) {
    const size_t repeats = (x.size() + lanes - 1) / lanes;
    x.resize(repeats * lanes, -0.0f);
    for (size_t r = 0; r < repeats; ++r) {
      float* part = &x[r * lanes];
      for (uint32_t n = lanes; n > 1; n /= 2) {
        for (uint32_t i = 0; i < n / 2; ++i) {
          part[i] = in_type(part[2 * i] + part[2 * i + 1], type, state);
        }
      }
      x[r] = part[0];
    }
    x.resize(repeats);
  }
  return x[0];
}
template <bool kMean>
void run_rows(const Call& call, const State& state, Memory& memory) {
  const DType type = call.size[3] != 0 ? DType::kFloat : call.src[0].dtype;
  const Matrix matrix{call.src[0].dtype, call.size[0], call.size[1]};
  std::vector<float> x;
  for (uint32_t row = 0; row < call.size[0]; ++row) {
    x.resize(call.size[2]);
    matrix.load(memory.data(call.src[0]), row, call.size[2], x.data());
    float sum = sum_by_repeats(x, type, state);
    if (kMean) {
      sum = in_type(sum * in_type(1.0f / float(call.size[2]), type, state), type, state);
    }
    if (call.src[0].dtype == DType::kHalf) sum = in_type(sum, DType::kHalf, state);
    put_number(sum, memory.data(call.dst[0]), call.dst[0].dtype, row, state);
  }
}

// CumSum: size: 0 rows, 1 columns, 2 whether along a row, else down the columns; dst[1]: last row.
Parts running_parts(const Call& call) {
  Parts parts;
  const uint64_t bytes = bytes_of(call.src[0].dtype, uint64_t(call.size[0]) * call.size[1]);
  parts.read("src", call.src[0], bytes);
  parts.write("dst", call.dst[0], bytes);
  if (given(call.dst[1])) {
    parts.write("lastRow", call.dst[1], bytes_of(call.src[0].dtype, call.size[1]));
  }
  return parts;
}
void check_running(const Call& call, Check& check) {
  check.range("outter", call.size[0], 1, UINT32_MAX);
  check.range("inner", call.size[1], 1, UINT32_MAX);
  check.multiple("inner", call.size[1], 256 / bits_of(call.src[0].dtype));
}
void run_running(const Call& call, const State& state, Memory& memory) {
  const Matrix matrix{call.src[0].dtype, call.size[0], call.size[1]};
  std::vector<float> x(call.size[1]), sums(call.size[1], -0.0f);
  for (uint32_t row = 0; row < call.size[0]; ++row) {
    matrix.load(memory.data(call.src[0]), row, call.size[1], x.data());
    if (call.size[2] != 0) {
      float sum = -0.0f;
      for (uint32_t i = 0; i < call.size[1]; ++i) sums[i] = sum += x[i];
    } else {
      for (uint32_t i = 0; i < call.size[1]; ++i) sums[i] += x[i];
    }
    matrix.store(sums.data(), row, call.size[1], memory.data(call.dst[0]), state);
  }
  if (given(call.dst[1])) {
    matrix.store(sums.data(), 0, call.size[1], memory.data(call.dst[1]), state);
  }
}

template <auto run>
constexpr Instruction pattern(std::string_view mnemonic, std::string_view api,
                              std::span<const Support> support) {
  return function<pattern_parts, run, check_axes>(mnemonic, api, support);
}

}  // namespace

extern constinit const Instruction reduce_sum_pattern =
    pattern<run_sum>("reduce_sum_pattern", "ReduceSum", kFloatOn2201);
extern constinit const Instruction reduce_mean =
    pattern<run_mean>("reduce_mean", "ReduceMean", kFloatOn2201);
extern constinit const Instruction reduce_prod =
    pattern<run_product>("reduce_prod", "ReduceProd", kFloatOn2201);
extern constinit const Instruction reduce_max_pattern =
    pattern<run_max>("reduce_max_pattern", "ReduceMax", kFloatsOn2201);
extern constinit const Instruction reduce_min_pattern =
    pattern<run_min>("reduce_min_pattern", "ReduceMin", kFloatsOn2201);
extern constinit const Instruction reduce_any =
    pattern<run_truth<true>>("reduce_any", "ReduceAny", kTruthsOn2201);
extern constinit const Instruction reduce_all =
    pattern<run_truth<false>>("reduce_all", "ReduceAll", kTruthsOn2201);
extern constinit const Instruction reduce_xor_sum =
    function<xor_parts, run_xor, check_xor>("reduce_xor_sum", "ReduceXorSum", kXorTypes);
extern constinit const Instruction sum_rows =
    function<rows_parts, run_rows<false>, check_rows>("sum_rows", "Sum", kFloats);
extern constinit const Instruction mean_rows =
    function<rows_parts, run_rows<true>, check_rows>("mean_rows", "Mean", kFloats);
extern constinit const Instruction cum_sum =
    function<running_parts, run_running, check_running>("cum_sum", "CumSum", kFloats);

}  // namespace vinci::isa
