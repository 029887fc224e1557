// TQue, TQueBind, TBuf: buffers in the core's memories and the protocol that passes them on.
#pragma once

#include <cstdint>

#include "ascendc/tensor.h"
#include "vinci/door.h"

namespace AscendC {

// What a queue may be told instead of the bits of Mask, by a pointer. It changes nothing here:
// buffers are those of InitBuffer, and copies convert as their own parameters say.
struct TQueConfig {
  bool nd2nz = false;
  bool nz2nd = false;
  bool scmBlockGroup = false;
  uint32_t bufferLen = 0;
  uint32_t bufferNumber = 0;
  uint32_t consumerSize = 0;
  TPosition consumer[8] = {};
  bool enableStaticEvtId = false;
  bool enableLoopQueue = false;
};

constexpr TQueConfig GetTQueConfig(bool nd2nzIn = false, bool nz2ndIn = false,
                                   bool scmBlockGroupIn = false, uint32_t bufferLenIn = 0,
                                   uint32_t bufferNumberIn = 0, uint32_t consumerSizeIn = 0,
                                   const TPosition (&consumerIn)[8] = {},
                                   bool enableStaticEvtIdIn = false,
                                   bool enableLoopQueueIn = false) {
  TQueConfig config{nd2nzIn,        nz2ndIn, scmBlockGroupIn,     bufferLenIn,      bufferNumberIn,
                    consumerSizeIn, {},      enableStaticEvtIdIn, enableLoopQueueIn};
  for (int i = 0; i < 8; ++i) config.consumer[i] = consumerIn[i];
  return config;
}

namespace in_api {

// What SetUserTag gave the buffers that wait in a queue, by their addresses.
class BufferTags {
 public:
  template <class T>
  void keep(const LocalTensor<T>& tensor) {
    if (tensor.GetUserTag() == 0 || count_ == kMost) return;
    kept_[count_++] = {tensor.operand().address, tensor.GetUserTag()};
  }
  // The tensor with the tag of its buffer, which is kept no longer.
  template <class T>
  LocalTensor<T> with_tag(LocalTensor<T> tensor) {
    for (size_t i = 0; i < count_; ++i) {
      if (kept_[i].address != tensor.operand().address) continue;
      tensor.SetUserTag(kept_[i].tag);
      kept_[i] = kept_[--count_];
      break;
    }
    return tensor;
  }

 private:
  static constexpr size_t kMost = 64;  // buffers of a TPipe
  struct Kept {
    uint64_t address;
    TTagType tag;
  };

  Kept kept_[kMost] = {};
  size_t count_ = 0;
};

}  // namespace in_api

// Buffers of position `Src` (of `Dst` when they come from GM) handed from stage to stage:
// AllocTensor -> EnQue -> DeQue -> FreeTensor, first in, first out. `Depth` is the number of
// EnQue that may follow each other without a DeQue; 0 and 1 both allow one.
template <TPosition Src, TPosition Dst, int32_t Depth, auto Mask = 0>
class TQueBind {
 public:
  static constexpr TPosition srcPosition = Src;
  static constexpr TPosition dstPosition = Dst;
  static constexpr TPosition position = Src == TPosition::GM || Dst == TPosition::TSCM ? Dst : Src;

  template <class T>
  LocalTensor<T> AllocTensor() {
    return view<T>(vinci::queue_alloc(queue_));
  }
  template <class T>
  void AllocTensor(LocalTensor<T>& tensor) {
    tensor = AllocTensor<T>();
  }
  template <class T>
  void FreeTensor(LocalTensor<T>& tensor) {
    vinci::queue_free(queue_, tensor.operand());
  }

  template <class T>
  bool EnQue(const LocalTensor<T>& tensor) {
    tags_.keep(tensor);
    vinci::queue_enque(queue_, tensor.operand(), nullptr);
    return true;
  }
  // The positions name the two pipes to synchronise when a buffer changes its role.
  template <TPosition SrcUser, TPosition DstUser, class T>
  bool EnQue(const LocalTensor<T>& tensor) {
    const vinci::QueueEnds ends{SrcUser, DstUser};
    tags_.keep(tensor);
    vinci::queue_enque(queue_, tensor.operand(), &ends);
    return true;
  }
  template <class T>
  LocalTensor<T> DeQue() {
    return tags_.with_tag(view<T>(vinci::queue_deque(queue_, nullptr)));
  }
  template <class T>
  void DeQue(LocalTensor<T>& tensor) {
    tensor = DeQue<T>();
  }
  template <TPosition SrcUser, TPosition DstUser, class T>
  LocalTensor<T> DeQue() {
    const vinci::QueueEnds ends{SrcUser, DstUser};
    return tags_.with_tag(view<T>(vinci::queue_deque(queue_, &ends)));
  }

  bool VacantInQue() const { return vinci::queue_waiting(queue_) < vinci::queue_depth(queue_); }
  bool HasTensorInQue() const { return vinci::queue_waiting(queue_) != 0; }
  int32_t GetTensorCountInQue() const { return int32_t(vinci::queue_waiting(queue_)); }
  bool HasIdleBuffer() const { return vinci::queue_idle(queue_) != 0; }
  // Gives back the events of the queue's buffers; vinci has enough of them.
  void FreeAllEvent() {}

  // For pools of buffers of the kernel's own: `buffers` of `bytes` each, then where each lies.
  void InitStartBufHandle(TBufHandle, uint8_t buffers, uint32_t bytes) {
    queue_ = vinci::init_placed_queue(position, {Src, Dst}, uint32_t(Depth), buffers, bytes);
  }
  template <class Pool>
  void InitBufHandle(Pool*, uint32_t index, TBufHandle, uint32_t address, uint32_t) {
    vinci::place_buffer(queue_, index, address);
  }

 private:
  friend class TPipe;

  template <class T>
  static LocalTensor<T> view(const vinci::LocalBuffer& buffer) {
    return LocalTensor<T>(vinci::Operand{buffer.address, buffer.bytes, buffer.allocation, position,
                                         vinci::dtype_of<T>});
  }

  vinci::QueueId queue_;
  uint32_t pipe_ = 0;  // whose InitBuffer it had
  in_api::BufferTags tags_;
};

namespace in_api {

// The ends of a plain queue: what fills it, and what it feeds.
constexpr bool is_output(TPosition position) {
  return position == TPosition::VECOUT || position == TPosition::CO1 || position == TPosition::CO2;
}
constexpr TPosition queue_source(TPosition position) {
  return is_output(position) ? position : TPosition::GM;
}
constexpr TPosition queue_target(TPosition position) {
  return is_output(position) ? TPosition::GM : position;
}

}  // namespace in_api

template <TPosition Pos, int32_t Depth, auto Mask = 0>
class TQue : public TQueBind<in_api::queue_source(Pos), in_api::queue_target(Pos), Depth, Mask> {};

// To L1, for the Matmul object.
template <TPosition Src, int32_t Depth, auto Mask = 0>
using TSCM = TQueBind<Src, TPosition::TSCM, Depth, Mask>;

// One buffer without a queue, for temporaries.
template <TPosition Pos = TPosition::LCM>
class TBuf {
 public:
  template <class T>
  LocalTensor<T> Get() {
    return GetWithOffset<T>(uint32_t(buffer_.bytes * 8 / vinci::bits_of(vinci::dtype_of<T>)), 0);
  }
  // The first `size` elements.
  template <class T>
  LocalTensor<T> Get(uint32_t size) {
    return GetWithOffset<T>(size, 0);
  }
  // `size` elements from `offset_bytes` on.
  template <class T>
  LocalTensor<T> GetWithOffset(uint32_t size, uint32_t offset_bytes) {
    if (!has_buffer_) vinci::require_buffer("TBuf::Get");
    const uint64_t bytes = vinci::bytes_of(vinci::dtype_of<T>, size);
    if (offset_bytes + bytes > buffer_.bytes) {
      vinci::bad_argument("TBuf::Get", "the tensor's end, in bytes,", int64_t(offset_bytes + bytes),
                          "at most the bytes that InitBuffer gave this TBuf");
    }
    return LocalTensor<T>(
        vinci::Operand{buffer_.address + offset_bytes, bytes, 0, Pos, vinci::dtype_of<T>});
  }
  // As a queue's, for code that takes either: nothing waits and nothing is taken.
  template <class T>
  LocalTensor<T> AllocTensor() {
    return Get<T>();
  }
  template <class T>
  void FreeTensor(LocalTensor<T>&) {}

  // As a queue's.
  void InitStartBufHandle(TBufHandle, uint8_t, uint32_t bytes) { place({0, bytes, 0}); }
  template <class Pool>
  void InitBufHandle(Pool*, uint32_t index, TBufHandle, uint32_t address, uint32_t bytes) {
    if (index == 0) place({address, bytes, 0});
  }

 private:
  friend class TPipe;

  void place(const vinci::LocalBuffer& buffer) {
    buffer_ = buffer;
    has_buffer_ = true;
  }

  vinci::LocalBuffer buffer_;
  uint32_t pipe_ = 0;  // whose InitBuffer it had
  bool has_buffer_ = false;
};

}  // namespace AscendC
