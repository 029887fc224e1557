// LoadData and its relatives against memcpy of the bytes that they write. 64 KB of destination, and
// for the 3D loads a 3x3 filter with pads of 1 on a 32x32 map of 64 channels.
#include <cstring>
#include <vector>

#include "bench.h"

namespace vinci::bench {
namespace {

using AscendC::LocalTensor;
using AscendC::TPosition;

constexpr uint32_t kBytes = 64 << 10;
constexpr char kLater[] = "Ascend910B1", kEarlier[] = "Ascend310P3";

template <class T>
LocalTensor<T> tensor(TPosition position, uint32_t bytes = kBytes) {
  return LocalTensor<T>(position, 0, bytes * 8 / bits_of(dtype_of<T>));
}

// Times call() inside a core, whose L1 has been written.
template <class F>
void timed(benchmark::State& state, const char* soc, Checks checks, Waits waits, F call) {
  on_core(state, checks, soc, [&](Device& device) {
    constexpr uint32_t kSource = 4 * kBytes;
    AscendC::GlobalTensor<half> zeros;
    zeros.SetGlobalBuffer(static_cast<half*>(device.allocate(kSource, "zeros", true)), kSource / 2);
    DataCopy(tensor<half>(TPosition::A1, kSource), zeros, kSource / 2);
    AscendC::PipeBarrier<PIPE_ALL>();
    for (auto _ : state) {
      call();
      if (waits == Waits::kYes) AscendC::PipeBarrier<PIPE_MTE1>();
      benchmark::ClobberMemory();
    }
  });
}

// Every second of 256 fractals.
void load_2d(bool transpose) {
  LoadData(tensor<half>(TPosition::A2), tensor<half>(TPosition::A1, 2 * kBytes),
           AscendC::LoadData2DParams(0, 128, 2, 0, 0, transpose, 0));
}

template <class T>
void load_with_transpose() {
  constexpr uint32_t kBits = bits_of(dtype_of<T>);
  constexpr uint16_t kFractals = kBits == 4 ? 4 : kBits == 16 ? 1 : 2;
  AscendC::LoadDataWithTranspose(
      tensor<T>(TPosition::B2), tensor<T>(TPosition::B1),
      AscendC::LoadData2dTransposeParams(0, uint8_t(128 / kFractals), 1, kFractals - 1, 0));
}

// 128 rows of 256 halves.
void nd_to_nz(benchmark::State& state, Checks checks, Waits waits) {
  on_core(state, checks, kLater, [&](Device& device) {
    AscendC::GlobalTensor<half> src;
    src.SetGlobalBuffer(static_cast<half*>(device.allocate(kBytes, "source", true)), kBytes / 2);
    for (auto _ : state) {
      DataCopy(tensor<half>(TPosition::A1), src,
               AscendC::Nd2NzParams(1, 128, 256, 0, 256, 128, 1, 0));
      if (waits == Waits::kYes) AscendC::PipeBarrier<PIPE_MTE2>();
      benchmark::ClobberMemory();
    }
  });
}

constexpr uint8_t kPads[] = {1, 1, 1, 1};

// Mode 0: 16 positions of all 36 column blocks, 3 times; mode 1: 64 fractals of 2 column blocks.
void load_3d_v1(TPosition from, TPosition to, uint8_t mode) {
  const auto src = tensor<half>(from, 128 << 10);
  const auto dst = tensor<half>(to);
  for (uint16_t call = 0; call < (mode == 0 ? 3 : 2); ++call) {
    const int16_t top = mode == 0 ? int16_t(call * 8 - 1) : -1;
    const uint8_t fetch = mode == 0 ? 0 : uint8_t(call);
    LoadData(dst[mode == 0 ? call * 36 * 256 : call * 256], src,
             AscendC::LoadData3DParamsV1<half>(kPads, 32, 32, 0, fetch, 0, -1, top, 1, 1, 3, 3, 1,
                                               1, 2, mode, mode == 0 ? 36 : 64, 0, half(0)));
  }
}

// Rows and columns of X, from (0, 0).
template <class T>
void load_3d_v2(TPosition from, TPosition to, bool transpose, uint16_t m, uint16_t k) {
  LoadData(tensor<T>(to), tensor<T>(from, 256 << 10),
           AscendC::LoadData3DParamsV2<T>(kPads, 32, 32, 64, k, m, 0, 0, 1, 1, 3, 3, 1, 1,
                                          transpose, false, T()));
}

void copy(benchmark::State& state, uint32_t bytes) {
  std::vector<uint8_t> src(bytes, 1), dst(bytes);
  for (auto _ : state) {
    std::memcpy(dst.data(), src.data(), bytes);
    benchmark::ClobberMemory();
  }
}

// <work>/vinci and <work>/memcpy, and the same work with all checks: <work>_checks/full and /off.
template <class F>
void add(const std::string& work, const char* soc, uint32_t bytes, F call) {
  const auto run = [=](Checks checks, Waits waits) {
    return [=](benchmark::State& state) { timed(state, soc, checks, waits, call); };
  };
  benchmark::RegisterBenchmark((work + "/vinci").c_str(), run(Checks::kOff, Waits::kNo));
  benchmark::RegisterBenchmark((work + "/memcpy").c_str(), copy, bytes);
  benchmark::RegisterBenchmark((work + "_checks/full").c_str(), run(Checks::kFull, Waits::kYes));
  benchmark::RegisterBenchmark((work + "_checks/off").c_str(), run(Checks::kOff, Waits::kYes));
}

const bool registered = [] {
  using enum AscendC::TPosition;
  add("load_2d", kLater, kBytes, [] { load_2d(false); });
  add("load_2d_transpose", kLater, kBytes, [] { load_2d(true); });
  add("transpose_b4", kLater, kBytes, load_with_transpose<AscendC::int4b_t>);
  add("transpose_b8", kLater, kBytes, load_with_transpose<int8_t>);
  add("transpose_b16", kLater, kBytes, load_with_transpose<half>);
  add("transpose_b32", kLater, kBytes, load_with_transpose<float>);
  const uint32_t mode_0 = 3 * 36 * 512;
  add("load_3d_v1_a2_mode_0", kEarlier, mode_0, [] { load_3d_v1(A1, A2, 0); });
  add("load_3d_v1_a2_mode_1", kEarlier, kBytes, [] { load_3d_v1(A1, A2, 1); });
  add("load_3d_v1_b2_mode_0", kEarlier, mode_0, [] { load_3d_v1(B1, B2, 0); });
  add("load_3d_v1_b2_mode_1", kEarlier, kBytes, [] { load_3d_v1(B1, B2, 1); });
  add("load_3d_v2_a2", kLater, kBytes, [] { load_3d_v2<half>(A1, A2, false, 128, 256); });
  add("load_3d_v2_a2_turned_b16", kLater, kBytes, [] { load_3d_v2<half>(A1, A2, true, 128, 256); });
  add("load_3d_v2_a2_turned_b32", kLater, kBytes,
      [] { load_3d_v2<float>(A1, A2, true, 128, 128); });
  add("load_3d_v2_b2_b16", kLater, kBytes, [] { load_3d_v2<half>(B1, B2, false, 128, 256); });
  add("load_3d_v2_b2_b32", kLater, kBytes, [] { load_3d_v2<float>(B1, B2, false, 128, 128); });
  benchmark::RegisterBenchmark("nd2nz/vinci", nd_to_nz, Checks::kOff, Waits::kNo);
  benchmark::RegisterBenchmark("nd2nz_checks/off", nd_to_nz, Checks::kOff, Waits::kYes);
  benchmark::RegisterBenchmark("nd2nz/memcpy", copy, kBytes);
  benchmark::RegisterBenchmark("nd2nz_checks/full", nd_to_nz, Checks::kFull, Waits::kYes);
  return true;
}();

}  // namespace
}  // namespace vinci::bench
