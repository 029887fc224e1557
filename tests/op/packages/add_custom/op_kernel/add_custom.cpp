#include "kernel_operator.h"
using namespace AscendC;

class KernelAdd {
 public:
  __aicore__ inline KernelAdd() {}
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, const AddCustomTilingData& t,
                              TPipe* pipe) {
    const uint32_t index = GetBlockIdx();
    const uint32_t big = index < t.bigCores ? index : t.bigCores;
    const uint32_t start = big * t.bigLength + (index - big) * t.smallLength;
    uint32_t length = index < t.bigCores ? t.bigLength : t.smallLength;
    if (start + length > t.totalLength) length = t.totalLength - start;
    this->length = length;
    this->tile = t.tileLength;
    xGm.SetGlobalBuffer((__gm__ DTYPE_X*)x + start, length);
    yGm.SetGlobalBuffer((__gm__ DTYPE_Y*)y + start, length);
    zGm.SetGlobalBuffer((__gm__ DTYPE_Z*)z + start, length);
    pipe->InitBuffer(xQue, 1, tile * sizeof(DTYPE_X));
    pipe->InitBuffer(yQue, 1, tile * sizeof(DTYPE_Y));
    pipe->InitBuffer(zQue, 1, tile * sizeof(DTYPE_Z));
  }
  __aicore__ inline void Process() {
    for (uint32_t at = 0; at < length; at += tile) {
      Step(at, length - at < tile ? length - at : tile);
    }
  }

 private:
  __aicore__ inline void Step(uint32_t at, uint32_t count) {
    constexpr uint32_t perBlock = 32 / sizeof(DTYPE_X);
    const uint32_t whole = (count + perBlock - 1) / perBlock * perBlock;
    LocalTensor<DTYPE_X> x = xQue.AllocTensor<DTYPE_X>();
    LocalTensor<DTYPE_Y> y = yQue.AllocTensor<DTYPE_Y>();
    CopyIn(x, xGm[at], count);
    CopyIn(y, yGm[at], count);
    xQue.EnQue(x);
    yQue.EnQue(y);
    LocalTensor<DTYPE_X> a = xQue.DeQue<DTYPE_X>();
    LocalTensor<DTYPE_Y> b = yQue.DeQue<DTYPE_Y>();
    LocalTensor<DTYPE_Z> z = zQue.AllocTensor<DTYPE_Z>();
    Add(z, a, b, count);
    xQue.FreeTensor(a);
    yQue.FreeTensor(b);
    zQue.EnQue(z);
    LocalTensor<DTYPE_Z> out = zQue.DeQue<DTYPE_Z>();
    CopyOut(zGm[at], out, count);
    zQue.FreeTensor(out);
  }

  template <class T>
  __aicore__ inline void CopyIn(const LocalTensor<T>& to, const GlobalTensor<T>& from,
                                uint32_t count) {
#if __NPU_ARCH__ == 2201 || __NPU_ARCH__ == 3002
    const DataCopyExtParams how{1, uint32_t(count * sizeof(T)), 0, 0, 0};
    const uint32_t perBlock = 32 / sizeof(T);
    const DataCopyPadExtParams<T> pad{true, 0, uint8_t((perBlock - count % perBlock) % perBlock),
                                      T(0)};
    DataCopyPad(to, from, how, pad);
#else
    constexpr uint32_t perBlock = 32 / sizeof(T);
    if (count >= perBlock) DataCopy(to, from, count / perBlock * perBlock);
    for (uint32_t i = count / perBlock * perBlock; i < count; ++i) {
      to.SetValue(i, from.GetValue(i));
    }
#endif
  }
  template <class T>
  __aicore__ inline void CopyOut(const GlobalTensor<T>& to, const LocalTensor<T>& from,
                                 uint32_t count) {
#if __NPU_ARCH__ == 2201 || __NPU_ARCH__ == 3002
    DataCopyPad(to, from, DataCopyExtParams{1, uint32_t(count * sizeof(T)), 0, 0, 0});
#else
    constexpr uint32_t perBlock = 32 / sizeof(T);
    if (count >= perBlock) DataCopy(to, from, count / perBlock * perBlock);
    PipeBarrier<PIPE_ALL>();
    for (uint32_t i = count / perBlock * perBlock; i < count; ++i) {
      to.SetValue(i, from.GetValue(i));
    }
#endif
  }

  TQue<TPosition::VECIN, 1> xQue, yQue;
  TQue<TPosition::VECOUT, 1> zQue;
  GlobalTensor<DTYPE_X> xGm;
  GlobalTensor<DTYPE_Y> yGm;
  GlobalTensor<DTYPE_Z> zGm;
  uint32_t length, tile;
};

extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                                                 GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  TPipe pipe;
  KernelAdd op;
  op.Init(x, y, z, t, &pipe);
  op.Process();
}
