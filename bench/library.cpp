// SoftMax and LayerNorm of rows of 1024 floats in UB: against a plain loop over SLEEF's exp and a
// loop of AVX2. A head of examples/flash_attention has its counterpart here too: oneDNN's products
// of the same numbers.
#include <omp.h>
#include <sleef.h>

#include <cmath>
#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>
#include <vector>

#include "bench.h"
#include "host.h"

namespace vinci::bench {
namespace {

constexpr uint32_t kRows = 8, kColumns = 1024, kCount = kRows * kColumns;
constexpr uint32_t kBytes = kCount * sizeof(float), kScratchBytes = 64 << 10;
// Where in UB gamma, beta, the means, the variances and the scratch memory lie, behind y and x.
constexpr uint32_t kGammaAt = 2 * kBytes, kBetaAt = kGammaAt + 4 * kColumns;
constexpr uint32_t kMeanAt = kBetaAt + 4 * kColumns, kVarianceAt = kMeanAt + 32;
constexpr uint32_t kScratchAt = kVarianceAt + 32;
constexpr float kEpsilon = 1e-5f;

AscendC::LocalTensor<float> numbers(uint32_t byte, uint32_t count = kCount) {
  return {AscendC::TPosition::VECCALC, byte, count};
}

AscendC::LocalTensor<uint8_t> scratch() {
  return {AscendC::TPosition::VECCALC, kScratchAt, kScratchBytes};
}

void fill(float* x, float* gamma, float* beta) {
  spread(x, kCount, -4, 4);
  spread(gamma, kColumns, 0.5f, 2);
  spread(beta, kColumns, -1, 1);
}

template <class Call>
void vinci_call(benchmark::State& state, Call call) {
  on_core(state, Checks::kOff, "Ascend910B1", [&](Device&) {
    fill(numbers(kBytes).GetPhyAddr(), numbers(kGammaAt, kColumns).GetPhyAddr(),
         numbers(kBetaAt, kColumns).GetPhyAddr());
    for (auto _ : state) {
      call();
      benchmark::ClobberMemory();
    }
  });
}

void softmax() {
  SoftMaxTiling tiling;
  const AscendC::SoftMaxShapeInfo shape{kRows, kColumns, kRows, kColumns};
  AscendC::SoftMax<float>(numbers(0), numbers(kBytes), scratch(), tiling, shape);
}

void layer_norm() {
  LayerNormTiling tiling;
  tiling.bLength = 1;
  tiling.sLength = kRows;
  tiling.hLength = tiling.originalHLength = kColumns;
  AscendC::LayerNorm<float>(numbers(0), numbers(kMeanAt, kRows), numbers(kVarianceAt, kRows),
                            numbers(kBytes), numbers(kGammaAt, kColumns),
                            numbers(kBetaAt, kColumns), scratch(), kEpsilon, tiling);
}

template <class Step>
float over_row(const float* x, __m256 start, Step step) {
  __m256 all = start;
  for (uint32_t i = 0; i < kColumns; i += 8) all = step(all, load(x + i));
  alignas(32) float lanes[8];
  _mm256_store_ps(lanes, all);
  float result = lanes[0];
  for (int i = 1; i < 8; ++i) {
    result = _mm256_cvtss_f32(step(_mm256_set1_ps(result), _mm256_set1_ps(lanes[i])));
  }
  return result;
}

float sum_of(const float* x) {
  return over_row(x, _mm256_setzero_ps(), [](__m256 a, __m256 b) { return _mm256_add_ps(a, b); });
}

void host_softmax_row(const float* x, float* y) {
  const __m256 largest = _mm256_set1_ps(over_row(
      x, _mm256_set1_ps(-INFINITY), [](__m256 a, __m256 b) { return _mm256_max_ps(a, b); }));
  for (uint32_t i = 0; i < kColumns; i += 8) {
    store(y + i, Sleef_expf8_u10avx2(_mm256_sub_ps(load(x + i), largest)));
  }
  const __m256 factor = _mm256_set1_ps(1 / sum_of(y));
  for (uint32_t i = 0; i < kColumns; i += 8) store(y + i, _mm256_mul_ps(load(y + i), factor));
}

void host_layer_norm_row(const float* x, const float* gamma, const float* beta, float* y) {
  const __m256 mean = _mm256_set1_ps(sum_of(x) / kColumns);
  __m256 squares = _mm256_setzero_ps();
  for (uint32_t i = 0; i < kColumns; i += 8) {
    const __m256 apart = _mm256_sub_ps(load(x + i), mean);
    store(y + i, apart);
    squares = _mm256_fmadd_ps(apart, apart, squares);
  }
  alignas(32) float lanes[8];
  _mm256_store_ps(lanes, squares);
  float variance = 0;
  for (float lane : lanes) variance += lane / kColumns;
  const __m256 factor = _mm256_set1_ps(1 / std::sqrt(variance + kEpsilon));
  for (uint32_t i = 0; i < kColumns; i += 8) {
    store(y + i,
          _mm256_fmadd_ps(_mm256_mul_ps(load(y + i), factor), load(gamma + i), load(beta + i)));
  }
}

// `row`: gets x, gamma, beta and y.
template <class Row>
void host_call(benchmark::State& state, Row row) {
  float* const y = host_address<float>(0);
  float* const x = host_address<float>(kBytes);
  float* const gamma = host_address<float>(kGammaAt);
  float* const beta = host_address<float>(kBetaAt);
  fill(x, gamma, beta);
  for (auto _ : state) {
    for (uint32_t i = 0; i < kRows; ++i) row(x + i * kColumns, gamma, beta, y + i * kColumns);
    benchmark::ClobberMemory();
  }
}

void sleef_softmax(benchmark::State& state) {
  host_call(state,
            [](const float* x, const float*, const float*, float* y) { host_softmax_row(x, y); });
}

void loop_layer_norm(benchmark::State& state) { host_call(state, host_layer_norm_row); }

// A product of floats, m x k times k x n; `transposed`: the second lies as n x k.
class Product {
 public:
  Product(const dnnl::engine& engine, int m, int n, int k, bool transposed = false)
      : a_(m * k, 0.25f), b_(k * n, 0.5f), c_(m * n) {
    using Tag = dnnl::memory::format_tag;
    const auto matrix = [](int rows, int columns, Tag tag) {
      return dnnl::memory::desc({rows, columns}, dnnl::memory::data_type::f32, tag);
    };
    const auto a = matrix(m, k, Tag::ab), b = matrix(k, n, transposed ? Tag::ba : Tag::ab),
               c = matrix(m, n, Tag::ab);
    product_ = dnnl::matmul(dnnl::matmul::primitive_desc({a, b, c}, engine));
    arguments_ = {{DNNL_ARG_SRC, dnnl::memory(a, engine, a_.data())},
                  {DNNL_ARG_WEIGHTS, dnnl::memory(b, engine, b_.data())},
                  {DNNL_ARG_DST, dnnl::memory(c, engine, c_.data())}};
  }
  void execute(dnnl::stream& stream) { product_.execute(stream, arguments_); }

 private:
  std::vector<float> a_, b_, c_;
  dnnl::matmul product_;
  std::unordered_map<int, dnnl::memory> arguments_;
};

// The products of one causal head of 1024 rows, q * k^T and weights * v: of each 128 rows with the
// keys up to them, in whole tiles of 128, as the kernel does.
void onednn_attention(benchmark::State& state) {
  constexpr int kLength = 1024, kTile = 128, kWidth = 64;
  omp_set_num_threads(1);
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  std::vector<Product> products;
  for (int seen = kTile; seen <= kLength; seen += kTile) {
    products.emplace_back(engine, kTile, seen, kWidth, true);
    products.emplace_back(engine, kTile, kWidth, seen);
  }
  for (auto _ : state) {
    for (Product& product : products) product.execute(stream);
    stream.wait();
    benchmark::ClobberMemory();
  }
}

const bool registered = [] {
  benchmark::RegisterBenchmark("softmax_library/vinci",
                               [](benchmark::State& state) { vinci_call(state, softmax); });
  benchmark::RegisterBenchmark("softmax_library/sleef", sleef_softmax);
  benchmark::RegisterBenchmark("layer_norm_library/vinci",
                               [](benchmark::State& state) { vinci_call(state, layer_norm); });
  benchmark::RegisterBenchmark("layer_norm_library/loop", loop_layer_norm);
  benchmark::RegisterBenchmark("flash_attention/onednn", onednn_attention);
  return true;
}();

}  // namespace
}  // namespace vinci::bench
