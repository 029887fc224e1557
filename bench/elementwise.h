// An element-wise instruction on 16384 numbers in UB, as one count and in repeats with gaps,
// against a hand-written loop of the same arithmetic.
#pragma once

#include <string>

#include "bench.h"
#include "host.h"

namespace vinci::bench {

constexpr uint32_t kCount = 16384;
constexpr uint32_t kRepeatBytes = 256, kStepBytes = 288;  // a repeat, a gap of one datablock
constexpr uint8_t kStepBlocks = kStepBytes / 32;
constexpr uint8_t kRepeats = 128;  // in one call
constexpr double kSeconds = 0.02;  // of a repetition: thousands of calls

template <class T>
constexpr uint32_t kLanes = kRepeatBytes / sizeof(T);  // of a repeat

// Three places in UB, of dst, a and b; the same in the counterpart's memory.
template <class T>
struct Tensors {
  static constexpr uint32_t kBytes = kCount / kLanes<T> * kStepBytes;
  static constexpr uint32_t kElements = kBytes / sizeof(T);
  AscendC::LocalTensor<T> dst{AscendC::TPosition::VECOUT, 0, kElements};
  AscendC::LocalTensor<T> a{AscendC::TPosition::VECIN, kBytes, kElements};
  AscendC::LocalTensor<T> b{AscendC::TPosition::VECIN, 2 * kBytes, kElements};
};

// Both operands: positive, and small enough that no result overflows half.
template <class T>
void fill(T* a, T* b) {
  spread(a, Tensors<T>::kElements, 0.0625f, 8);
  spread(b, Tensors<T>::kElements, 0.5f, 4);
}

// Calls f(first element) for each call that the repeats need.
template <class T, class F>
void in_repeats(F f) {
  constexpr uint32_t kStep = kRepeats * kStepBytes / sizeof(T);
  for (uint32_t first = 0; first < Tensors<T>::kElements; first += kStep) f(first);
}

// The instruction in both forms.
template <class T>
struct Calls {
  void (*count)(const Tensors<T>&);
  void (*strided)(const Tensors<T>&);
};

// exp_calls<T> for VINCI_UNARY_CALLS(exp_calls, Exp), and so on.
#define VINCI_UNARY_CALLS(calls, Name)                                               \
  template <class T>                                                                 \
  constexpr Calls<T> calls{                                                          \
      [](const Tensors<T>& t) { AscendC::Name(t.dst, t.a, int32_t(kCount)); },       \
      [](const Tensors<T>& t) {                                                      \
        in_repeats<T>([&](uint32_t first) {                                          \
          AscendC::Name(t.dst[first], t.a[first], uint64_t{kLanes<T>}, kRepeats,     \
                        AscendC::UnaryRepeatParams(1, 1, kStepBlocks, kStepBlocks)); \
        });                                                                          \
      }};
#define VINCI_BINARY_CALLS(calls, Name)                                                     \
  template <class T>                                                                        \
  constexpr Calls<T> calls{                                                                 \
      [](const Tensors<T>& t) { AscendC::Name(t.dst, t.a, t.b, int32_t(kCount)); },         \
      [](const Tensors<T>& t) {                                                             \
        in_repeats<T>([&](uint32_t first) {                                                 \
          AscendC::Name(                                                                    \
              t.dst[first], t.a[first], t.b[first], uint64_t{kLanes<T>}, kRepeats,          \
              AscendC::BinaryRepeatParams(1, 1, 1, kStepBlocks, kStepBlocks, kStepBlocks)); \
        });                                                                                 \
      }};

template <class T>
void vinci_call(benchmark::State& state, void (*call)(const Tensors<T>&)) {
  // UB must hold three times 72 KB; half does not saturate on the other chip, as it does not here.
  const char* soc = sizeof(T) == 4 ? "Ascend310P3" : "Ascend910B1";
  on_core(state, Checks::kOff, soc, [&](Device&) {
    const Tensors<T> tensors;
    fill(tensors.a.GetPhyAddr(), tensors.b.GetPhyAddr());
    for (auto _ : state) {
      call(tensors);
      benchmark::ClobberMemory();
    }
  });
}

// Eight results; an operation on one number leaves the second alone.
using HostOperation = __m256 (*)(__m256 a, __m256 b);

template <class T, HostOperation op>
void host_span(const T* a, const T* b, T* out, uint32_t count) {
  for (uint32_t i = 0; i < count; i += 8) store(out + i, op(load(a + i), load(b + i)));
}

template <class T, HostOperation op, bool strided>
void host_call(benchmark::State& state) {
  T* const out = host_address<T>(0);
  T* const a = host_address<T>(Tensors<T>::kBytes);
  T* const b = host_address<T>(2 * Tensors<T>::kBytes);
  fill(a, b);
  for (auto _ : state) {
    if constexpr (strided) {
      for (uint32_t i = 0; i < Tensors<T>::kElements; i += kStepBytes / sizeof(T)) {
        host_span<T, op>(a + i, b + i, out + i, kLanes<T>);
      }
    } else {
      host_span<T, op>(a, b, out, kCount);
    }
    benchmark::ClobberMemory();
  }
}

// Registers <work>/vinci and <work>/<counterpart>, and both with _strided.
template <class T, HostOperation op>
void add_elementwise(const std::string& work, Calls<T> calls, const std::string& counterpart) {
  const auto add = [](const std::string& name, auto function, auto... arguments) {
    benchmark::RegisterBenchmark(name.c_str(), function, arguments...)->MinTime(kSeconds);
  };
  add(work + "/vinci", vinci_call<T>, calls.count);
  add(work + "/" + counterpart, host_call<T, op, false>);
  add(work + "_strided/vinci", vinci_call<T>, calls.strided);
  add(work + "_strided/" + counterpart, host_call<T, op, true>);
}

}  // namespace vinci::bench
