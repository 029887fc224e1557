// Faults below several calls: in a method, a template, a lambda, a header, a macro.
#include "kernel_operator.h"
#include "places.h"

using namespace AscendC;

namespace tiles {

template <class T, int kSize>
class Kernel {
 public:
  __aicore__ inline void Process(int64_t n) {
    for (int i = 0; i < 1; ++i) Step(n);  // HERE Process
  }

 private:
  __aicore__ inline void Step(int64_t n) {
    LocalTensor<T> tensor(TPosition::VECCALC, 0, kSize);
    tensor.SetValue(n, 1);  // HERE Step
  }
};

}  // namespace tiles

extern "C" __global__ __aicore__ void in_a_method(GM_ADDR, int64_t n) {
  tiles::Kernel<half, 128> op;
  op.Process(n);  // HERE in_a_method
}

extern "C" __global__ __aicore__ void in_a_lambda(GM_ADDR, int64_t n) {
  const auto set = [&](int64_t index) {
    LocalTensor<half> tensor(TPosition::VECCALC, 0, 128);
    tensor.SetValue(index, 1);  // HERE lambda
  };
  set(n);  // HERE in_a_lambda
}

extern "C" __global__ __aicore__ void in_a_header(GM_ADDR, int64_t n) {
  set_in_header(n);  // HERE in_a_header
}

template <class T>
decltype(auto) set_and_get(LocalTensor<T>& tensor, int64_t index) {
  tensor.SetValue(index, 1);  // HERE deduced
  return (tensor);
}
template <class T>
auto set_again(LocalTensor<T>& tensor, int64_t index) -> decltype(set_and_get(tensor, index)) {
  return set_and_get(tensor, index);  // HERE spelled
}
extern "C" __global__ __aicore__ void in_a_deduced(GM_ADDR, int64_t n) {
  LocalTensor<half> tensor(TPosition::VECCALC, 0, 128);
  set_again(tensor, n);  // HERE in_a_deduced
}

#define SET(index) tensor.SetValue(index, 1)
extern "C" __global__ __aicore__ void in_a_macro(GM_ADDR, int64_t n) {
  LocalTensor<half> tensor(TPosition::VECCALC, 0, 128);
  SET(n);  // HERE in_a_macro
}

__attribute__((noinline)) void set_far_away(int64_t n) {
  LocalTensor<half> tensor(TPosition::VECCALC, 0, 128);
  Duplicate(tensor, half(0), n);  // HERE set_far_away
}

extern "C" __global__ __aicore__ void in_a_function(GM_ADDR, int64_t n) {
  set_far_away(n);  // HERE in_a_function
}

extern "C" __global__ __aicore__ void over_lines(GM_ADDR, int64_t n) {
  LocalTensor<half> tensor(TPosition::VECCALC, 0, 128);
  Duplicate(tensor,  // HERE over_lines
            half(0),
            n);
}

namespace tiles {
template <class T, int kSize, class... More>
struct Layout {};
template <class A, class B>
struct Product {
  template <class T>
  __aicore__ inline void Run(T n) {
    set_far_away(n);  // HERE Run
  }
};
}  // namespace tiles

extern "C" __global__ __aicore__ void in_a_long_name(GM_ADDR, int64_t n) {
  tiles::Product<tiles::Layout<half, 16, float, int32_t>, tiles::Layout<half, 32, uint8_t>> product;
  product.Run(n);  // HERE in_a_long_name
}

// What an operator is called has brackets of its own.
struct Operators {
  template <int kTimes>
  __aicore__ inline void operator()(int64_t n) {
    set_far_away(n * kTimes);  // HERE call
  }
  template <class T>
  __aicore__ inline void operator<<(T n) {
    set_far_away(n);  // HERE shift
  }
  template <class T>
  __aicore__ inline bool operator<(T n) {
    set_far_away(n);  // HERE less
    return true;
  }
  __aicore__ inline explicit operator bool() {
    set_far_away(200);  // HERE conversion
    return true;
  }
};
extern "C" __global__ __aicore__ void in_operators(GM_ADDR, int64_t n) {
  Operators operators;
  operators.operator()<1>(n);
  operators << n;
  if (operators < n && operators) set_far_away(n);
}
