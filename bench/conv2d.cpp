// Conv2D of a 40x40 map, C1 = 4, with 128 kernels of 3x3, pad 1, against oneDNN's convolution of
// the same shape, one thread: int8 to int32, and half against float.
//
// L0C holds the result of ten lines at most. There are ten calls, each with a strip of the map that
// lies in L1: the result of four lines stays in the host's nearest cache.
#include <omp.h>
#include <oneapi/dnnl/dnnl.hpp>

#include <string>
#include <unordered_map>
#include <vector>

#include "bench.h"

namespace vinci::bench {
namespace {

constexpr uint32_t kSide = 40, kC1 = 4, kCout = 128, kKernel = 3;
constexpr uint32_t kStrips = 10, kLines = kSide / kStrips;

template <class T>
constexpr uint32_t kC0 = 32 / sizeof(T);

template <class T>
void fill(const AscendC::LocalTensor<T>& tensor, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) tensor.GetPhyAddr()[i] = T(int(i % 17) - 8);
}

// The lines of the map that a strip of the result needs, and the pads where the map ends.
AscendC::Conv2dParams params_of(uint32_t strip, uint32_t cin) {
  const bool first = strip == 0, last = strip + 1 == kStrips;
  const uint32_t lines = kLines + !first + !last;
  return {
      {lines, kSide}, {kKernel, kKernel}, {1, 1}, cin, kCout, {1, 1, first, last}, {1, 1}, 0, 0};
}

template <class Dst, class Src>
void vinci_conv2d(benchmark::State& state) {
  using enum AscendC::TPosition;
  constexpr uint32_t kCin = kC1 * kC0<Src>, kWeights = kCin * kKernel * kKernel * kCout;
  constexpr uint32_t kStrip = kCin * (kLines + 2) * kSide, kResult = kLines * kSide * kCout;
  on_core(state, Checks::kOff, "Ascend310P3", [&](Device&) {
    const AscendC::LocalTensor<Src> weights(B1, 0, kWeights);
    const AscendC::LocalTensor<Src> map(A1, kWeights * sizeof(Src), kStrips * kStrip);
    const AscendC::LocalTensor<Dst> result(CO1, 0, kResult);
    fill(weights, kWeights);
    fill(map, kStrips * kStrip);
    for (auto _ : state) {
      for (uint32_t strip = 0; strip < kStrips; ++strip) {
        const AscendC::Conv2dParams params = params_of(strip, kCin);
        const AscendC::Conv2dTilling tiling = AscendC::GetConv2dTiling<Src>(params);
        AscendC::Conv2D(result, map[strip * kStrip], weights, params, tiling);
      }
      benchmark::ClobberMemory();
    }
  });
}

// In the formats that oneDNN chooses for itself.
template <class Src>
void onednn_convolution(benchmark::State& state, dnnl::memory::data_type src,
                        dnnl::memory::data_type dst, int64_t cin) {
  omp_set_num_threads(1);
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const auto any = [](const dnnl::memory::dims& dims, dnnl::memory::data_type type) {
    return dnnl::memory::desc(dims, type, dnnl::memory::format_tag::any);
  };
  const dnnl::convolution_forward::desc shape(
      dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
      any({1, cin, kSide, kSide}, src), any({kCout, cin, kKernel, kKernel}, src),
      any({1, kCout, kSide, kSide}, dst), {1, 1}, {1, 1}, {1, 1});
  const dnnl::convolution_forward::primitive_desc chosen(shape, engine);
  const dnnl::convolution_forward convolution(chosen);
  const auto filled = [&](const dnnl::memory::desc& desc) {
    dnnl::memory memory(desc, engine);
    auto* data = static_cast<Src*>(memory.get_data_handle());
    for (size_t i = 0; i < desc.get_size() / sizeof(Src); ++i) data[i] = Src(int(i % 17) - 8);
    return memory;
  };
  const std::unordered_map<int, dnnl::memory> arguments{
      {DNNL_ARG_SRC, filled(chosen.src_desc())},
      {DNNL_ARG_WEIGHTS, filled(chosen.weights_desc())},
      {DNNL_ARG_DST, dnnl::memory(chosen.dst_desc(), engine)}};
  for (auto _ : state) {
    convolution.execute(stream, arguments);
    stream.wait();
    benchmark::ClobberMemory();
  }
}

const bool registered = [] {
  using Type = dnnl::memory::data_type;
  benchmark::RegisterBenchmark("conv2d_half/vinci", vinci_conv2d<float, half>);
  benchmark::RegisterBenchmark("conv2d_half/onednn", onednn_convolution<float>, Type::f32,
                               Type::f32, kC1 * kC0<half>);
  benchmark::RegisterBenchmark("conv2d_int8/vinci", vinci_conv2d<int32_t, int8_t>);
  benchmark::RegisterBenchmark("conv2d_int8/onednn", onednn_convolution<int8_t>, Type::s8,
                               Type::s32, kC1 * kC0<int8_t>);
  return true;
}();

}  // namespace
}  // namespace vinci::bench
