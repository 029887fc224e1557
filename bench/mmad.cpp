// Mmad on 128x128x128, operands in L0A and L0B, against one thread of OpenBLAS (sgemm, for floats)
// and of oneDNN (matmul of int8 to int32, for integers) on the same size.
#include <cblas.h>
#include <omp.h>
#include <oneapi/dnnl/dnnl.hpp>

#include <string>
#include <unordered_map>
#include <vector>

#include "bench.h"

namespace vinci::bench {
namespace {

constexpr int kSize = 128;

template <class T>
T small_number(int i) {
  if constexpr (std::is_integral_v<T>) {
    return T(i % 17 * 7);
  } else {
    return T(0.25f * float(i % 17));
  }
}

// A and B are the operands' types, and Stored what memory holds: int4 come two to a byte.
template <class A, class B, class Result, class Stored = A>
void vinci_mmad(benchmark::State& state, const char* soc) {
  using enum AscendC::TPosition;
  constexpr int kCount = kSize * kSize;
  on_core(state, Checks::kOff, soc, [&](Device&) {
    const AscendC::LocalTensor<A> a(A2, 0, kCount);
    const AscendC::LocalTensor<B> b(B2, 0, kCount);
    const AscendC::LocalTensor<Result> c(CO1, 0, kCount);
    constexpr int kStored = std::is_same_v<A, Stored> ? kCount : kCount / 2;
    const AscendC::LocalTensor<Stored> a_memory(A2, 0, kStored), b_memory(B2, 0, kStored);
    for (int i = 0; i < kStored; ++i) {
      a_memory.GetPhyAddr()[i] = small_number<Stored>(i);
      b_memory.GetPhyAddr()[i] = small_number<Stored>(5 * i + 1);
    }
    const AscendC::MmadParams params(kSize, kSize, kSize, 0, false, true);
    for (auto _ : state) {
      AscendC::Mmad(c, a, b, params);
      benchmark::ClobberMemory();
    }
  });
}

void openblas_sgemm(benchmark::State& state) {
  openblas_set_num_threads(1);
  std::vector<float> a(kSize * kSize, 0.25f), b(kSize * kSize, 0.5f), c(kSize * kSize);
  for (auto _ : state) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, kSize, kSize, kSize, 1.0f, a.data(),
                kSize, b.data(), kSize, 0.0f, c.data(), kSize);
    benchmark::ClobberMemory();
  }
}

// A of Source, B of int8, C of int32.
template <class Source>
void onednn_matmul(benchmark::State& state) {
  omp_set_num_threads(1);
  using Type = dnnl::memory::data_type;
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const auto square = [](Type type) {
    return dnnl::memory::desc({kSize, kSize}, type, dnnl::memory::format_tag::ab);
  };
  const auto a_type = square(std::is_signed_v<Source> ? Type::s8 : Type::u8);
  const auto b_type = square(Type::s8), c_type = square(Type::s32);
  std::vector<Source> a(kSize * kSize);
  std::vector<int8_t> b(kSize * kSize);
  for (int i = 0; i < kSize * kSize; ++i) {
    a[i] = small_number<Source>(i);
    b[i] = small_number<int8_t>(5 * i + 1);
  }
  const dnnl::matmul product(dnnl::matmul::primitive_desc({a_type, b_type, c_type}, engine));
  const std::unordered_map<int, dnnl::memory> arguments{
      {DNNL_ARG_SRC, dnnl::memory(a_type, engine, a.data())},
      {DNNL_ARG_WEIGHTS, dnnl::memory(b_type, engine, b.data())},
      {DNNL_ARG_DST, dnnl::memory(c_type, engine)}};
  for (auto _ : state) {
    product.execute(stream, arguments);
    stream.wait();
    benchmark::ClobberMemory();
  }
}

// One row of the table: a type, and the counterpart that runs beside it.
void add_row(const std::string& type, const char* soc, void (*ours)(benchmark::State&, const char*),
             const char* counterpart, void (*theirs)(benchmark::State&)) {
  benchmark::RegisterBenchmark(("mmad_" + type + "/vinci").c_str(), ours, soc);
  benchmark::RegisterBenchmark(("mmad_" + type + "/" + counterpart).c_str(), theirs);
}

const bool registered = [] {
  using AscendC::int4b_t;
  const char *old = "Ascend310P3", *newer = "Ascend910B1";
  add_row("half", old, vinci_mmad<half, half, float>, "openblas", openblas_sgemm);
  add_row("bfloat16", newer, vinci_mmad<bfloat16_t, bfloat16_t, float>, "openblas", openblas_sgemm);
  add_row("float", newer, vinci_mmad<float, float, float>, "openblas", openblas_sgemm);
  add_row("int8", old, vinci_mmad<int8_t, int8_t, int32_t>, "onednn", onednn_matmul<int8_t>);
  add_row("uint8", old, vinci_mmad<uint8_t, int8_t, int32_t>, "onednn", onednn_matmul<uint8_t>);
  add_row("int4", old, vinci_mmad<int4b_t, int4b_t, int32_t, int8_t>, "onednn",
          onednn_matmul<int8_t>);
  return true;
}();

}  // namespace
}  // namespace vinci::bench

BENCHMARK_MAIN();
