// LayerNorm in both forms, Normalize, RmsNorm, DeepNorm, BatchNorm, GroupNorm: in float, half
// rounded once at the end.
//
// size: 0 rows, 1 elements from row to row, 2 elements of a row that count, 3 flags.
// number[0]: epsilon. dst: 0 result, 1 mean, 2 variance or its reciprocal root, one for each row.
// src: 0 data, 1 gamma, 2 beta; those that a call leaves out are empty.
//
// Sources and decisions: docs/spec/normalization.md.
#include "isa/library/folding.h"
#include "isa/library/rows.h"

namespace vinci::isa {
namespace {

using namespace library;

constexpr uint32_t kBasicBlock = 1;

uint32_t rows(const Call& call) { return call.size[0]; }
uint32_t counted(const Call& call) { return call.size[2]; }
Matrix matrix_of(const Call& call) { return {call.src[0].dtype, call.size[0], call.size[1]}; }

void read_row(Parts& parts, const char* name, const Operand& operand, uint64_t n) {
  if (given(operand)) parts.read(name, operand, bytes_of(operand.dtype, n));
}
void write_row(Parts& parts, const char* name, const Operand& operand, uint64_t n) {
  if (given(operand)) parts.write(name, operand, bytes_of(operand.dtype, n));
}
// `n` numbers; without an operand all are `instead`.
std::vector<float> row_of(const Operand& operand, const Memory& memory, uint32_t n, float instead) {
  std::vector<float> row(n, instead);
  if (given(operand)) load_numbers(memory.data(operand), operand.dtype, 0, n, row.data());
  return row;
}
void put_if_given(const Operand& operand, float number, Memory& memory, uint32_t i,
                  const State& state) {
  if (given(operand)) put_number(number, memory.data(operand), operand.dtype, i, state);
}

void check_shape(const Call& call, Check& check) {
  check.range("rows", call.size[0], 1, UINT32_MAX);
  check.range("H", call.size[1], 1, UINT32_MAX);
  check.multiple("H", call.size[1], 256 / bits_of(call.src[0].dtype));
  if (call.size[1] != 0) check.range("originalH", call.size[2], 1, call.size[1]);
}
// A basic block has eights of rows, and rows of 64 elements each.
void check_basic_block(const Call& call, Check& check, int64_t most) {
  check_shape(call, check);
  if ((call.size[3] & kBasicBlock) == 0) return;
  check.multiple("B * S of a basic block", call.size[0], 8);
  check.multiple("H of a basic block", call.size[1], 64);
  check.range("H of a basic block", call.size[1], 64, most);
}

Parts row_parts(const Call& call) {
  Parts parts;
  read_matrix(parts, "inputX", call.src[0], matrix_of(call), counted(call));
  read_row(parts, "gamma", call.src[1], counted(call));
  read_row(parts, "beta", call.src[2], counted(call));
  write_matrix(parts, "output", call.dst[0], matrix_of(call), counted(call));
  write_row(parts, "outputMean", call.dst[1], rows(call));
  write_row(parts, "outputVariance", call.dst[2], rows(call));
  return parts;
}

// Sums of a row, whose numbers they may change; x has room for 64 at least.
struct ByColumns {
  static float of(float* x, uint32_t n) { return sum_of_row(x, n); }
};
struct ByFolding {
  static float of(float* x, uint32_t n) { return reduce_row<Sum>(x, n, -0.0f); }
};

void subtract(float* x, uint32_t n, float number) {
  VINCI_LANE_LOOP
  for (uint32_t i = 0; i < n; ++i) x[i] -= number;
}
void multiply_squares(const float* x, uint32_t n, float factor, float* to) {
  VINCI_LANE_LOOP
  for (uint32_t i = 0; i < n; ++i) to[i] = x[i] * x[i] * factor;
}

// Mean and variance of n numbers, which become their distances from the mean.
struct Moments {
  float mean, variance;
};
template <class Order>
Moments centre(float* x, uint32_t n, std::vector<float>& room) {
  room.resize(std::max<uint32_t>(n, 64));
  float* const products = room.data();
  const float part = 1.0f / float(n);
  VINCI_LANE_LOOP
  for (uint32_t i = 0; i < n; ++i) products[i] = x[i] * part;
  const float mean = Order::of(products, n);
  subtract(x, n, mean);
  multiply_squares(x, n, part, products);
  return {mean, Order::of(products, n)};
}
float reciprocal_root(float variance, float epsilon) { return 1.0f / sqrt_of(variance + epsilon); }
void scale_and_shift(float* x, uint32_t n, float factor, const float* gamma, const float* beta) {
  VINCI_LANE_LOOP
  for (uint32_t i = 0; i < n; ++i) x[i] = x[i] * factor * gamma[i] + beta[i];
}

// What LayerNorm makes of each row that `load` fetches. kReciprocal: dst[2] gets the reciprocal
// root of variance + epsilon instead of the variance.
template <class Order, bool kReciprocal, class Load>
void normalize_rows(const Call& call, const Operand& gammas, const Operand& betas,
                    const State& state, Memory& memory, Load load) {
  const uint32_t n = counted(call);
  const std::vector<float> gamma = row_of(gammas, memory, n, 1.0f);
  const std::vector<float> beta = row_of(betas, memory, n, -0.0f);
  std::vector<float> x(n), products;
  for (uint32_t row = 0; row < rows(call); ++row) {
    load(row, x.data());
    const Moments moments = centre<Order>(x.data(), n, products);
    const float factor = reciprocal_root(moments.variance, call.number[0]);
    scale_and_shift(x.data(), n, factor, gamma.data(), beta.data());
    matrix_of(call).store(x.data(), row, n, memory.data(call.dst[0]), state);
    put_if_given(call.dst[1], moments.mean, memory, row, state);
    put_if_given(call.dst[2], kReciprocal ? factor : moments.variance, memory, row, state);
  }
}
template <class Order, bool kReciprocal>
void run_layer_norm(const Call& call, const State& state, Memory& memory) {
  normalize_rows<Order, kReciprocal>(
      call, call.src[1], call.src[2], state, memory, [&](uint32_t row, float* x) {
        matrix_of(call).load(memory.data(call.src[0]), row, counted(call), x);
      });
}

// Normalize: src[3] the means, src[4] the variances, dst[1] the reciprocal roots.
Parts normalize_parts(const Call& call) {
  Parts parts;
  read_matrix(parts, "inputX", call.src[0], matrix_of(call), counted(call));
  read_row(parts, "gamma", call.src[1], counted(call));
  read_row(parts, "beta", call.src[2], counted(call));
  read_row(parts, "inputMean", call.src[3], rows(call));
  read_row(parts, "inputVariance", call.src[4], rows(call));
  write_matrix(parts, "output", call.dst[0], matrix_of(call), counted(call));
  write_row(parts, "outputRstd", call.dst[1], rows(call));
  return parts;
}
void run_normalize(const Call& call, const State& state, Memory& memory) {
  const uint32_t n = counted(call);
  const std::vector<float> gamma = row_of(call.src[1], memory, n, 1.0f);
  const std::vector<float> beta = row_of(call.src[2], memory, n, -0.0f);
  std::vector<float> x(n);
  for (uint32_t row = 0; row < rows(call); ++row) {
    const float mean = number_at(memory.data(call.src[3]), DType::kFloat, row);
    const float variance = number_at(memory.data(call.src[4]), DType::kFloat, row);
    const float factor = reciprocal_root(variance, call.number[0]);
    matrix_of(call).load(memory.data(call.src[0]), row, n, x.data());
    subtract(x.data(), n, mean);
    scale_and_shift(x.data(), n, factor, gamma.data(), beta.data());
    matrix_of(call).store(x.data(), row, n, memory.data(call.dst[0]), state);
    put_if_given(call.dst[1], factor, memory, row, state);
  }
}

// The types of data and of gamma and beta, which are float or the data's.
Signature with_gamma(const Call& call) {
  const Operand& gamma = given(call.src[1]) ? call.src[1] : call.src[2];
  return given(gamma) ? types_of(call.dst[0].dtype, gamma.dtype) : call.dst[0].dtype;
}
constexpr Signature kPairs[] = {DType::kHalf, DType::kFloat, {DType::kHalf, DType::kFloat}};
constexpr Support kGammaTypes[] = {{kMost, kPairs, true, kAscendC}};

// RmsNorm computes what lies behind the elements that count too, of which the mean has no part.
Parts rms_parts(const Call& call) {
  Parts parts;
  read_matrix(parts, "srcLocal", call.src[0], matrix_of(call), call.size[1]);
  read_row(parts, "gammaLocal", call.src[1], call.size[1]);
  write_matrix(parts, "dstLocal", call.dst[0], matrix_of(call), call.size[1]);
  return parts;
}
void check_rms(const Call& call, Check& check) { check_basic_block(call, check, 2047); }
void run_rms(const Call& call, const State& state, Memory& memory) {
  const uint32_t all = call.size[1], n = counted(call);
  const std::vector<float> gamma = row_of(call.src[1], memory, all, 1.0f);
  const std::vector<float> beta(all, -0.0f);  // changes no number
  std::vector<float> x(all), squares(n);
  const float part = 1.0f / float(n);
  for (uint32_t row = 0; row < rows(call); ++row) {
    matrix_of(call).load(memory.data(call.src[0]), row, all, x.data());
    multiply_squares(x.data(), n, part, squares.data());
    const float factor = reciprocal_root(sum_of_row(squares.data(), n), call.number[0]);
    scale_and_shift(x.data(), all, factor, gamma.data(), beta.data());
    matrix_of(call).store(x.data(), row, all, memory.data(call.dst[0]), state);
  }
}

// DeepNorm: LayerNorm of number[1] * src[0] + src[3]; size[4]: dst[0] may be src[0].
Parts deep_parts(const Call& call) {
  Parts parts = row_parts(call);
  read_matrix(parts, "gxLocal", call.src[3], matrix_of(call), counted(call));
  return parts;
}
void check_deep(const Call& call, Check& check) {
  check_basic_block(call, check, 2040);
  check.range("H", call.size[1], 1, 2040);
  if (call.size[4] == 0 && call.dst[0].address == call.src[0].address) {
    check.fail(Code::kOverlap, "dstLocal and srcLocal overlap", "no overlap without isReuseSrc");
  }
}
void run_deep(const Call& call, const State& state, Memory& memory) {
  std::vector<float> gx(counted(call));
  normalize_rows<ByColumns, false>(
      call, call.src[1], call.src[2], state, memory, [&](uint32_t row, float* x) {
        matrix_of(call).load(memory.data(call.src[0]), row, counted(call), x);
        matrix_of(call).load(memory.data(call.src[3]), row, counted(call), gx.data());
        const float alpha = call.number[1], *const added = gx.data();
        VINCI_LANE_LOOP
        for (uint32_t i = 0; i < counted(call); ++i) x[i] = x[i] * alpha + added[i];
      });
}

// BatchNorm: a mean for each column, gamma and beta for each row.
Parts batch_parts(const Call& call) {
  Parts parts;
  read_matrix(parts, "inputX", call.src[0], matrix_of(call), counted(call));
  read_row(parts, "gamma", call.src[1], rows(call));
  read_row(parts, "beta", call.src[2], rows(call));
  write_matrix(parts, "output", call.dst[0], matrix_of(call), counted(call));
  write_row(parts, "outputMean", call.dst[1], counted(call));
  write_row(parts, "outputVariance", call.dst[2], counted(call));
  return parts;
}
void check_batch(const Call& call, Check& check) {
  check.range("originalB", call.size[0], 1, UINT32_MAX);
  check.range("S * H", call.size[1], 1, UINT32_MAX);
  check.multiple("S * H", call.size[1], 256 / bits_of(call.src[0].dtype));
  if ((call.size[3] & kBasicBlock) == 0) return;
  check.multiple("originalB of a basic block", call.size[0], 8);
  check.multiple("S * H of a basic block", call.size[1], 64);
  check.range("S * H of a basic block", call.size[1], 64, 2047);
}
void run_batch(const Call& call, const State& state, Memory& memory) {
  const uint32_t n = counted(call), count = rows(call);
  const Matrix matrix = matrix_of(call);
  std::vector<float> all(size_t(n) * count), mean(n), variance(n);
  const float part = 1.0f / float(count);
  for (uint32_t row = 0; row < count; ++row) {
    float* x = &all[size_t(row) * n];
    matrix.load(memory.data(call.src[0]), row, n, x);
    for (uint32_t i = 0; i < n; ++i) mean[i] += x[i] * part;
  }
  for (uint32_t row = 0; row < count; ++row) {
    float* x = &all[size_t(row) * n];
    for (uint32_t i = 0; i < n; ++i) {
      x[i] -= mean[i];
      variance[i] += x[i] * x[i] * part;
    }
  }
  const std::vector<float> gamma = row_of(call.src[1], memory, count, 1.0f);
  const std::vector<float> beta = row_of(call.src[2], memory, count, -0.0f);
  for (uint32_t row = 0; row < count; ++row) {
    float* x = &all[size_t(row) * n];
    for (uint32_t i = 0; i < n; ++i) {
      const float factor = reciprocal_root(variance[i], call.number[0]);
      x[i] = x[i] * factor * gamma[row] + beta[row];
    }
    matrix.store(x, row, n, memory.data(call.dst[0]), state);
  }
  for (uint32_t i = 0; i < n; ++i) {
    put_if_given(call.dst[1], mean[i], memory, i, state);
    put_if_given(call.dst[2], variance[i], memory, i, state);
  }
}

// GroupNorm: rows are channels of images, size[4] of them a group, size[5] an image.
Parts group_parts(const Call& call) {
  Parts parts;
  const uint32_t groups = rows(call) / call.size[4];
  read_matrix(parts, "inputX", call.src[0], matrix_of(call), counted(call));
  read_row(parts, "gamma", call.src[1], call.size[5]);
  read_row(parts, "beta", call.src[2], call.size[5]);
  write_matrix(parts, "output", call.dst[0], matrix_of(call), counted(call));
  write_row(parts, "outputMean", call.dst[1], groups);
  write_row(parts, "outputVariance", call.dst[2], groups);
  return parts;
}
void check_group(const Call& call, Check& check) {
  check.range("groupNum", call.size[6], 1, UINT32_MAX);
  check.range("C", call.size[5], 1, UINT32_MAX);
  if (check.ok()) check.multiple("C", call.size[5], call.size[6]);
  check.range("H * W", call.size[2], 1, UINT32_MAX);
}
void run_group(const Call& call, const State& state, Memory& memory) {
  const uint32_t n = counted(call), channels = call.size[4];
  const Matrix matrix = matrix_of(call);
  const std::vector<float> gamma = row_of(call.src[1], memory, call.size[5], 1.0f);
  const std::vector<float> beta = row_of(call.src[2], memory, call.size[5], -0.0f);
  std::vector<float> x(size_t(n) * channels), products;
  for (uint32_t group = 0; group < rows(call) / channels; ++group) {
    for (uint32_t i = 0; i < channels; ++i) {
      matrix.load(memory.data(call.src[0]), group * channels + i, n, &x[size_t(i) * n]);
    }
    const Moments moments = centre<ByColumns>(x.data(), n * channels, products);
    const float factor = reciprocal_root(moments.variance, call.number[0]);
    for (uint32_t i = 0; i < channels; ++i) {
      const uint32_t channel = (group * channels + i) % call.size[5];
      float* part = &x[size_t(i) * n];
      for (uint32_t k = 0; k < n; ++k) {
        part[k] = part[k] * factor * gamma[channel] + beta[channel];
      }
      matrix.store(part, group * channels + i, n, memory.data(call.dst[0]), state);
    }
    put_if_given(call.dst[1], moments.mean, memory, group, state);
    put_if_given(call.dst[2], moments.variance, memory, group, state);
  }
}
constexpr Support kFloatsOn2201[] = {{kArch2201, vector::kFloats, true, kAscendC}};

}  // namespace

extern constinit const Instruction layer_norm =
    function<row_parts, run_layer_norm<ByColumns, false>, check_shape, Overlaps::kFirst>(
        "layer_norm", "LayerNorm", kFloats);
extern constinit const Instruction layer_norm_rstd =
    function<row_parts, run_layer_norm<ByFolding, true>, check_shape, Overlaps::kNever, with_gamma>(
        "layer_norm_rstd", "LayerNorm", kGammaTypes);
extern constinit const Instruction normalize =
    function<normalize_parts, run_normalize, check_shape, Overlaps::kNever, with_gamma>(
        "normalize", "Normalize", kGammaTypes);
extern constinit const Instruction rms_norm =
    function<rms_parts, run_rms, check_rms, Overlaps::kFirst>("rms_norm", "RmsNorm", kFloats);
extern constinit const Instruction deep_norm =
    function<deep_parts, run_deep, check_deep, Overlaps::kFirst>("deep_norm", "DeepNorm", kFloats);
extern constinit const Instruction batch_norm =
    function<batch_parts, run_batch, check_batch, Overlaps::kFirst>("batch_norm", "BatchNorm",
                                                                    kFloats);
extern constinit const Instruction group_norm =
    function<group_parts, run_group, check_group>("group_norm", "GroupNorm", kFloatsOn2201);

}  // namespace vinci::isa
