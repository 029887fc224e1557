// C = A * B, 16 x 64 x 16, with B compressed 4:2; operands lie in GM in the order of their
// fractals.
#include "kernel_operator.h"

using namespace AscendC;

namespace {

constexpr uint16_t kM = 16, kK = 64, kN = 16;
constexpr uint32_t kABytes = kM * kK, kBBytes = kK / 2 * kN, kIndexBytes = kBBytes / 4;

class SparseGemm {
 public:
  void init(GM_ADDR a, GM_ADDR b, GM_ADDR index, GM_ADDR c) {
    a_.SetGlobalBuffer((__gm__ int8_t*)a);
    b_.SetGlobalBuffer((__gm__ int8_t*)b);
    index_.SetGlobalBuffer((__gm__ uint8_t*)index);
    c_.SetGlobalBuffer((__gm__ int32_t*)c);
    pipe_.InitBuffer(a1_, 1, kABytes);
    pipe_.InitBuffer(a2_, 1, kABytes);
    pipe_.InitBuffer(b1_, 1, kBBytes);
    pipe_.InitBuffer(index_b1_, 1, kIndexBytes);
    pipe_.InitBuffer(b2_, 1, kBBytes);
    pipe_.InitBuffer(co1_, 1, kM * kN * sizeof(int32_t));
  }

  void run() {
    copy_in(a1_, a_, kABytes);
    copy_in(b1_, b_, kBBytes);
    copy_in(index_b1_, index_, kIndexBytes);
    load_a();
    load_b();
    multiply();
    copy_out();
  }

 private:
  template <class Queue, class T>
  static void copy_in(Queue& queue, const GlobalTensor<T>& from, uint32_t count) {
    LocalTensor<T> to = queue.template AllocTensor<T>();
    DataCopy(to, from, count);
    queue.EnQue(to);
  }

  void load_a() {
    LocalTensor<int8_t> from = a1_.DeQue<int8_t>();
    LocalTensor<int8_t> to = a2_.AllocTensor<int8_t>();
    LoadData2DParams params;
    params.repeatTimes = kABytes / 512;
    params.srcStride = 1;
    LoadData(to, from, params);
    a2_.EnQue(to);
    a1_.FreeTensor(from);
  }

  void load_b() {
    LocalTensor<int8_t> from = b1_.DeQue<int8_t>();
    LocalTensor<uint8_t> index = index_b1_.DeQue<uint8_t>();
    LocalTensor<int8_t> to = b2_.AllocTensor<int8_t>();
    LoadData2DParams params;
    params.repeatTimes = kBBytes / 512;
    LoadDataWithSparse(to, from, index, params);
    b2_.EnQue(to);
    b1_.FreeTensor(from);
    index_b1_.FreeTensor(index);
  }

  void multiply() {
    LocalTensor<int8_t> a = a2_.DeQue<int8_t>();
    LocalTensor<int8_t> b = b2_.DeQue<int8_t>();
    LocalTensor<int32_t> c = co1_.AllocTensor<int32_t>();
    MmadWithSparse(c, a, b, MmadParams(kM, kN, kK, false, 0, false, false, false));
    co1_.EnQue(c);
    a2_.FreeTensor(a);
    b2_.FreeTensor(b);
  }

  void copy_out() {
    LocalTensor<int32_t> c = co1_.DeQue<int32_t>();
    Fixpipe(c_, c, FixpipeParamsV220(kN, kM, kM, kN, false));
    co1_.FreeTensor(c);
  }

  TPipe pipe_;
  TQue<TPosition::A1, 1> a1_;
  TQue<TPosition::A2, 1> a2_;
  TQue<TPosition::B1, 1> b1_, index_b1_;
  TQue<TPosition::B2, 1> b2_;
  TQue<TPosition::CO1, 1> co1_;
  GlobalTensor<int8_t> a_, b_;
  GlobalTensor<uint8_t> index_;
  GlobalTensor<int32_t> c_;
};

}  // namespace

extern "C" __global__ __aicore__ void sparse_gemm(GM_ADDR a, GM_ADDR b, GM_ADDR index, GM_ADDR c) {
  SparseGemm gemm;
  gemm.init(a, b, index, c);
  gemm.run();
}
