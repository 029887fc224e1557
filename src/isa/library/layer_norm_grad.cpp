// LayerNormGrad and LayerNormGradBeta: the gradients of LayerNorm, in float, half rounded once.
//
// size: 0 rows, 1 elements from row to row, 2 elements of a row that count.
//
// Sources and decisions: docs/spec/layer_norm_grad.md.
#include "isa/library/rows.h"

namespace vinci::isa {
namespace {

using namespace library;

Matrix matrix_of(const Call& call) { return {call.src[0].dtype, call.size[0], call.size[1]}; }
std::vector<float> numbers(const Operand& operand, const Memory& memory, uint32_t n) {
  std::vector<float> x(n);
  load_numbers(memory.data(operand), operand.dtype, 0, n, x.data());
  return x;
}
// All rows, one after the other: results may lie where sources lay.
std::vector<float> all_of(const Call& call, const Operand& operand, const Memory& memory) {
  const uint32_t n = call.size[2];
  std::vector<float> x(size_t(call.size[0]) * n);
  for (uint32_t row = 0; row < call.size[0]; ++row) {
    matrix_of(call).load(memory.data(operand), row, n, &x[size_t(row) * n]);
  }
  return x;
}
void check_shape(const Call& call, Check& check) {
  check.range("B * S", call.size[0], 1, UINT32_MAX);
  check.multiple("H", call.size[1], 256 / bits_of(call.src[0].dtype));
  check.range("originalH", call.size[2], 1, call.size[1]);
}

// dst: 0 pdX, 1 resForGamma; src: 0 dy, 1 x, 2 variance, 3 mean, 4 gamma; number[0]: epsilon.
Parts gradient_parts(const Call& call) {
  Parts parts;
  const DType type = call.src[0].dtype;
  read_matrix(parts, "inputDy", call.src[0], matrix_of(call), call.size[2]);
  read_matrix(parts, "inputX", call.src[1], matrix_of(call), call.size[2]);
  parts.read("inputVariance", call.src[2], bytes_of(type, call.size[0]));
  parts.read("inputMean", call.src[3], bytes_of(type, call.size[0]));
  parts.read("inputGamma", call.src[4], bytes_of(type, call.size[2]));
  write_matrix(parts, "outputPdX", call.dst[0], matrix_of(call), call.size[2]);
  write_matrix(parts, "resForGamma", call.dst[1], matrix_of(call), call.size[2]);
  return parts;
}
// Of one row: dy becomes the gradient of x, x what that of gamma needs.
void differentiate(float* dy, float* x, const std::vector<float>& gamma, float mean, float root) {
  const auto n = uint32_t(gamma.size());
  const float part = 1.0f / float(n), cube = root * root * root;
  std::vector<float> products(n);
  for (uint32_t i = 0; i < n; ++i) {
    dy[i] *= gamma[i];
    x[i] -= mean;
    products[i] = -0.5f * dy[i] * x[i] * cube;
  }
  const float of_variance = sum_of_row(products.data(), n);
  for (uint32_t i = 0; i < n; ++i) products[i] = -1.0f * dy[i] * root;
  const float direct = sum_of_row(products.data(), n);
  for (uint32_t i = 0; i < n; ++i) products[i] = -2.0f * x[i];
  const float of_mean = direct + of_variance * part * sum_of_row(products.data(), n);
  for (uint32_t i = 0; i < n; ++i) {
    dy[i] = dy[i] * root + of_variance * (2.0f * part) * x[i] + of_mean * part;
    x[i] *= root;
  }
}
void run_gradient(const Call& call, const State& state, Memory& memory) {
  const uint32_t n = call.size[2], rows = call.size[0];
  std::vector<float> dy = all_of(call, call.src[0], memory), x = all_of(call, call.src[1], memory);
  const auto variance = numbers(call.src[2], memory, rows),
             mean = numbers(call.src[3], memory, rows);
  const auto gamma = numbers(call.src[4], memory, n);
  for (uint32_t row = 0; row < rows; ++row) {
    const float root = 1.0f / sqrt_of(variance[row] + call.number[0]);
    float *dy_row = &dy[size_t(row) * n], *x_row = &x[size_t(row) * n];
    differentiate(dy_row, x_row, gamma, mean[row], root);
    matrix_of(call).store(dy_row, row, n, memory.data(call.dst[0]), state);
    matrix_of(call).store(x_row, row, n, memory.data(call.dst[1]), state);
  }
}

// dst: 0 pdGamma, 1 pdBeta; src: 0 resForGamma, 1 dy: sums down the columns, row after row.
Parts beta_parts(const Call& call) {
  Parts parts;
  const uint64_t bytes = bytes_of(call.src[0].dtype, call.size[2]);
  read_matrix(parts, "resForGamma", call.src[0], matrix_of(call), call.size[2]);
  read_matrix(parts, "inputDy", call.src[1], matrix_of(call), call.size[2]);
  parts.write("outputPdGamma", call.dst[0], bytes);
  parts.write("outputPdBeta", call.dst[1], bytes);
  return parts;
}
void run_beta(const Call& call, const State& state, Memory& memory) {
  const uint32_t n = call.size[2];
  std::vector<float> gamma(n), beta(n), normalized(n), dy(n);
  for (uint32_t row = 0; row < call.size[0]; ++row) {
    matrix_of(call).load(memory.data(call.src[0]), row, n, normalized.data());
    matrix_of(call).load(memory.data(call.src[1]), row, n, dy.data());
    for (uint32_t i = 0; i < n; ++i) {
      gamma[i] += dy[i] * normalized[i];
      beta[i] += dy[i];
    }
  }
  matrix_of(call).store(gamma.data(), 0, n, memory.data(call.dst[0]), state);
  matrix_of(call).store(beta.data(), 0, n, memory.data(call.dst[1]), state);
}

}  // namespace

extern constinit const Instruction layer_norm_grad =
    function<gradient_parts, run_gradient, check_shape, Overlaps::kSame>("layer_norm_grad",
                                                                         "LayerNormGrad", kFloats);
extern constinit const Instruction layer_norm_grad_beta =
    function<beta_parts, run_beta, check_shape, Overlaps::kSame>("layer_norm_grad_beta",
                                                                 "LayerNormGradBeta", kFloats);

}  // namespace vinci::isa
