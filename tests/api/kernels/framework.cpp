// What the framework offers beside TPipe, TQue and TBuf.
#include "kernel_operator.h"
#include "kernel_operator_layout.h"
#include "kernel_operator_list_tensor_intf.h"

using namespace AscendC;

namespace {

class Answers {
 public:
  explicit Answers(GM_ADDR out) { out_.SetGlobalBuffer(reinterpret_cast<__gm__ int64_t*>(out)); }
  template <class... Numbers>
  void add(Numbers... numbers) {
    (out_.SetValue(count_++, int64_t(numbers)), ...);
  }

 private:
  GlobalTensor<int64_t> out_;
  uint64_t count_ = 0;
};

}  // namespace

// A kernel without a TPipe: tensors from an allocator and by hand.
extern "C" __global__ __aicore__ void placed(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
  InitSocState();
  GlobalTensor<half> gx, gy, gz;
  gx.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(x), 256);
  gy.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(y), 256);
  gz.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(z), 256);
  LocalMemAllocator<Hardware::UB> allocator;
  LocalTensor<half> lx = allocator.Alloc<half, 256>();
  LocalTensor<half> ly = allocator.Alloc<TPosition::VECIN, half>(256);
  LocalTensor<half> lz(TPosition::VECOUT, allocator.GetCurAddr(), 256);
  DataCopy(lx, gx, 256);
  DataCopy(ly, gy, 256);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Add(lz, lx, ly, 256);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(gz, lz, 256);
}

extern "C" __global__ __aicore__ void allocators(GM_ADDR out) {
  Answers answers(out);
  LocalMemAllocator ub;
  answers.add(ub.GetCurAddr());
  auto first = ub.Alloc<int8_t, 33>();
  auto second = ub.Alloc<TPosition::VECOUT, float, 8>();
  answers.add(ub.GetCurAddr(), first.GetSize(), second.GetLength());
  answers.add(int(first.GetPosition()), int(second.GetPosition()));
  LocalMemAllocator<Hardware::L1> l1;
  LocalMemAllocator<Hardware::L0A> l0a;
  LocalMemAllocator<Hardware::L0B> l0b;
  LocalMemAllocator<Hardware::L0C> l0c;
  answers.add(int(l1.Alloc<half>(16).GetPosition()), int(l0a.Alloc<half>(16).GetPosition()),
              int(l0b.Alloc<half>(16).GetPosition()), int(l0c.Alloc<float>(16).GetPosition()));
  answers.add(l0c.GetCurAddr());
}

// As much as there is, and one byte more.
extern "C" __global__ __aicore__ void allocate_all(GM_ADDR, uint32_t bytes) {
  LocalMemAllocator<Hardware::UB> ub;
  ub.Alloc<int8_t>(bytes - 64);
  ub.Alloc<int8_t>(64);
}

// Counter mode, a mask, atomic copies and then InitSocState: which of them are left?
extern "C" __global__ __aicore__ void init_state(GM_ADDR out) {
  GlobalTensor<float> gm;
  gm.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(out), 64);
  LocalTensor<float> data(TPosition::VECCALC, 0, 64), zero(TPosition::VECCALC, 256, 64);
  Duplicate(data, 0.0f, 64);
  Duplicate(zero, 1.0f, 64);
  PipeBarrier<PIPE_ALL>();
  DataCopy(gm, zero, 64);
  PipeBarrier<PIPE_ALL>();
  SetVectorMask<float>(0, 0xFF);
  SetAtomicAdd<float>();
  InitSocState();
  Adds<float, false>(data, zero, 4.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
  PipeBarrier<PIPE_ALL>();
  DataCopy(gm, data, 64);
  ResetMask();
}

extern "C" __global__ __aicore__ void find_pipe(GM_ADDR out) {
  TPipe first;
  Answers answers(out);
  answers.add(GetTPipePtr() == &first, AscendC::GetTPipePtr() == &first);
  first.Destroy();
  TPipe second;
  answers.add(GetTPipePtr() == &second);
  TQue<TPosition::VECIN, 1> queue;
  GetTPipePtr()->InitBuffer(queue, 2, 64);
  LocalTensor<int32_t> tensor = queue.AllocTensor<int32_t>();
  answers.add(tensor.GetSize());
  queue.FreeTensor(tensor);
}

// The bytes in front of tensors of several positions.
extern "C" __global__ __aicore__ void base_addresses(GM_ADDR out) {
  TPipe pipe;
  Answers answers(out);
  for (const auto& [position, byte] :
       {std::pair{TPosition::VECIN, 0}, {TPosition::VECCALC, 96}, {TPosition::A1, 64},
        {TPosition::B1, 512}, {TPosition::A2, 1024}, {TPosition::CO1, 0}}) {
    LocalTensor<half> tensor(position, byte, 16);
    answers.add((uint8_t*)tensor.GetPhyAddr() - pipe.GetBaseAddr(int8_t(position)));
  }
}
extern "C" __global__ __aicore__ void find_no_pipe(GM_ADDR) { GetTPipePtr()->Reset(); }

// A copy into a TPipe's buffer, then 1 into the next one's, which is the same. `way`: how it ends.
extern "C" __global__ __aicore__ void two_pipes(GM_ADDR in, GM_ADDR out, int32_t way) {
  GlobalTensor<float> gm;
  gm.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(in), 64);
  TBuf<TPosition::VECCALC> buffer;
  {
    TPipe first;
    first.InitBuffer(buffer, 256);
    DataCopy(buffer.Get<float>(), gm, 64);
    if (way == 1) first.Destroy();
    if (way == 2) first.DestroyWithoutPipeAll();
  }
  TPipe second;
  second.InitBuffer(buffer, 256);
  Duplicate(buffer.Get<float>(), 1.0f, 64);
  PipeBarrier<PIPE_ALL>();
  gm.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(out), 64);
  DataCopy(gm, buffer.Get<float>(), 64);
}

// All that is left of UB, before and after 1024 bytes of it.
extern "C" __global__ __aicore__ void rest(GM_ADDR out) {
  TPipe pipe;
  Answers answers(out);
  LocalTensor<int16_t> all, some;
  const bool was = PopStackBuffer<int16_t, TPosition::VECCALC>(all);
  answers.add(was, all.GetLength());
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 1000);
  const bool is = PopStackBuffer<int16_t, TPosition::LCM>(some);
  answers.add(is, some.GetLength());
  some.SetValue(0, 7);
  buffer.Get<int16_t>().SetValue(0, 8);
  answers.add(some.GetValue(0));
}

extern "C" __global__ __aicore__ void buffers(GM_ADDR out) {
  TPipe pipe;
  Answers answers(out);
  TBuf<TPosition::VECCALC> one, several;
  pipe.InitBuffer(one, 64);
  pipe.InitBuffer(several, 3, 64);
  LocalTensor<int32_t> tensor = several.AllocTensor<int32_t>();
  answers.add(tensor.GetSize());
  several.FreeTensor(tensor);
  LocalTensor<int8_t> left;
  PopStackBuffer<int8_t, TPosition::VECCALC>(left);
  answers.add(253952 - left.GetSize());
  // In place: depth 0.
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 0> queue;
  pipe.InitBuffer(queue, 1, 64);
  LocalTensor<int32_t> same;
  queue.AllocTensor<int32_t>(same);
  same.SetValue(3, 33);
  queue.EnQue(same);
  queue.DeQue<int32_t>(same);
  answers.add(same.GetValue(3));
  queue.FreeTensor(same);
  // Where the kernel wants them.
  TQue<TPosition::VECIN, 2> placed;
  pipe.InitBuffer(placed, Std::make_tuple(4096, 128), Std::make_tuple(8192, 128));
  LocalTensor<int8_t> a = placed.AllocTensor<int8_t>(), b = placed.AllocTensor<int8_t>();
  answers.add(b.GetPhyAddr() - a.GetPhyAddr(), a.GetSize(), placed.HasIdleBuffer());
  placed.FreeTensor(a);
  placed.FreeTensor(b);
  placed.FreeAllEvent();
}

namespace {

class OwnPool {
 public:
  OwnPool() { Init(); }
  template <class Queue>
  bool InitBuffer(Queue& queue, uint8_t num, uint32_t len) {
    auto handle = GetBufHandle(GetCurBufSize());
    queue.InitStartBufHandle(handle, num, len);
    for (uint32_t i = 0; i < num; ++i) {
      queue.InitBufHandle(this, i, handle, GetCurAddr() + i * 2 * len, len);
    }
    SetCurAddr(GetCurAddr() + num * 2 * len);
    SetCurBufSize(GetCurBufSize() + num);
    return true;
  }
  EXTERN_IMPL_BUFPOOL(OwnPool, TPosition::VECCALC, 16);
};

template <class Queue>
int64_t place_of(Queue& queue) {
  LocalTensor<int32_t> tensor = queue.template AllocTensor<int32_t>();
  const int64_t place = int64_t(reinterpret_cast<uint64_t>(tensor.GetPhyAddr()) & 0xFFFFF);
  tensor.SetValue(0, int32_t(place));
  queue.FreeTensor(tensor);
  return place;
}

}  // namespace

extern "C" __global__ __aicore__ void pools(GM_ADDR out) {
  TPipe pipe;
  Answers answers(out);
  TBufPool<TPosition::VECCALC> all, first, second;
  TQue<TPosition::VECIN, 1> a, b, c;
  TQue<TPosition::VECOUT, 1> d;
  TBuf<TPosition::VECCALC> e;
  pipe.InitBufPool(all, 1000);  // 0..1023
  all.InitBuffer(a, 1, 256);    // 0..255
  all.InitBufPool(first, 512);  // 256..767
  all.InitBufPool(second, 512, first);
  first.InitBuffer(b, 2, 100);   // 256, 384
  second.InitBuffer(c, 1, 100);  // 256
  second.InitBuffer(d, 1, 32);   // 384
  second.InitBuffer(e, 32);      // 416
  answers.add(place_of(a), place_of(b));
  first.Reset();
  answers.add(place_of(c), place_of(d), place_of(e));
  OwnPool own;
  pipe.InitBufPool(own, 512);  // 1024..
  TQue<TPosition::VECIN, 1> f, g;
  own.InitBuffer(f, 2, 64);  // 1024, 1152
  own.InitBuffer(g, 1, 64);  // 1280
  answers.add(place_of(f), place_of(g), own.GetCurBufSize());
  own.Reset();
}
extern "C" __global__ __aicore__ void pool_too_small(GM_ADDR, uint32_t bytes) {
  TPipe pipe;
  TBufPool<TPosition::VECCALC> pool;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBufPool(pool, 256);
  pool.InitBuffer(buffer, bytes);
}
extern "C" __global__ __aicore__ void pool_of_many(GM_ADDR, uint32_t number) {
  TPipe pipe;
  TBufPool<TPosition::VECCALC> pool;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBufPool(pool, 1024);
  for (uint32_t i = 0; i < number; ++i) pool.InitBuffer(buffer, 32);
}

extern "C" __global__ __aicore__ void list_of_tensors(GM_ADDR list, GM_ADDR out) {
  Answers answers(out);
  auto* words = reinterpret_cast<__gm__ uint64_t*>(list);
  words[6] = uint64_t(reinterpret_cast<uintptr_t>(list));  // pointers of tensors 0 and 1
  words[7] = uint64_t(reinterpret_cast<uintptr_t>(list + 8));
  ListTensorDesc tensors(list);
  answers.add(tensors.GetSize());
  uint64_t shape[8] = {};
  for (uint32_t i = 0; i < tensors.GetSize(); ++i) {
    TensorDesc<int64_t> desc;
    desc.SetShapeAddr(shape);
    tensors.GetDesc(desc, i);
    answers.add(desc.GetIndex(), desc.GetDim());
    for (uint32_t d = 0; d < desc.GetDim(); ++d) answers.add(desc.GetShape(d));
    answers.add(*desc.GetDataPtr(), desc.GetDataObj().GetValue(0));
    answers.add(tensors.GetDataPtr<uint8_t>(i) - list);
  }
}

extern "C" __global__ __aicore__ void workspaces(GM_ADDR list, GM_ADDR out) {
  Answers answers(out);
  answers.add(GetSysWorkSpacePtr() == nullptr);
  SetSysWorkspace(list);
  answers.add(GetSysWorkSpacePtr() == list, AscendC::GetSysWorkSpacePtr() == list);
  answers.add(GetUserWorkspace(list) - list, GetUserWorkspace(nullptr) == nullptr);
}
