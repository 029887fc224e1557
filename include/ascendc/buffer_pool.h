// TBufPool: a part of a memory that is handed out by itself, and may be handed out twice.
#pragma once

#include "ascendc/queue.h"
#include "ascendc/sync.h"

namespace AscendC {

inline constexpr uint32_t defaultBufIDSize = 4;

namespace in_api {

// Where a pool lies, and what of it is handed out. Addresses are those of the memory.
class PoolSpace {
 public:
  void place(uint32_t address, uint32_t bytes) {
    start_ = next_ = address;
    bytes_ = bytes;
  }
  // The same bytes as `other`, of which it may use the first.
  void share(uint32_t bytes, const PoolSpace& other) {
    if (bytes > other.bytes_) {
      vinci::bad_argument("InitBufPool", "the length", bytes,
                          "at most the bytes of the pool that it shares");
    }
    place(other.start_, rounded(bytes));
  }
  // The address of `pieces` times `bytes` bytes.
  uint32_t take(uint32_t bytes, uint32_t pieces) {
    const uint64_t end = uint64_t(next_) + uint64_t(rounded(bytes)) * pieces;
    if (end - start_ > bytes_) {
      vinci::bad_argument("TBufPool", "the end of what it handed out, in bytes,",
                          int64_t(end - start_), "at most the bytes that InitBufPool gave it");
    }
    const uint32_t address = next_;
    next_ = uint32_t(end);
    return address;
  }

  uint32_t next() const { return next_; }
  void set_next(uint32_t address) { next_ = address; }
  static uint32_t rounded(uint32_t bytes) { return (bytes + 31) / 32 * 32; }

 private:
  uint32_t start_ = 0, bytes_ = 0, next_ = 0;
};

// Whatever works on a pool's buffers ends before those of another are used.
inline void leave_pool() { PipeBarrier<PIPE_ALL>(); }

}  // namespace in_api

// bufIDSize: the buffers and pools that it may hand out.
template <TPosition pos, uint32_t bufIDSize = defaultBufIDSize>
class TBufPool {
 public:
  static constexpr TPosition kPosition = pos;
  static_assert(bufIDSize <= 16, "TBufPool: at most 16 buffers");

  template <class Queue>
  bool InitBuffer(Queue& queue, uint8_t num, uint32_t len) {
    count(num);
    const uint32_t bytes = in_api::PoolSpace::rounded(len);
    const uint32_t address = space_.take(len, num);
    queue.InitStartBufHandle(nullptr, num, bytes);
    for (uint32_t i = 0; i < num; ++i) {
      queue.InitBufHandle(this, i, nullptr, address + i * bytes, bytes);
    }
    return true;
  }
  template <TPosition bufPos>
  bool InitBuffer(TBuf<bufPos>& buf, uint32_t len) {
    return InitBuffer(buf, 1, len);
  }
  template <class Pool>
  bool InitBufPool(Pool& pool, uint32_t len) {
    pool.place(space_.take(len, 1), in_api::PoolSpace::rounded(len));
    return true;
  }
  template <class Pool, class Shared>
  bool InitBufPool(Pool& pool, uint32_t len, Shared& shared) {
    pool.share(len, shared);
    return true;
  }
  // Before another pool with the same bytes is used. What this one handed out stays handed out.
  void Reset() { in_api::leave_pool(); }

  // For TPipe and other pools.
  void place(uint32_t address, uint32_t bytes) { space_.place(address, bytes); }
  template <class Shared>
  void share(uint32_t bytes, const Shared& shared) {
    space_.share(bytes, shared.space());
  }
  const in_api::PoolSpace& space() const { return space_; }

 private:
  void count(uint32_t num) {
    buffers_ += num;
    if (buffers_ > bufIDSize) {
      vinci::bad_argument("TBufPool::InitBuffer", "the number of buffers", buffers_,
                          "at most TBufPool's bufIDSize, 4 unless the kernel says it");
    }
  }

  in_api::PoolSpace space_;
  uint32_t buffers_ = 0;
};

}  // namespace AscendC

// The members of a kernel's own pool: where the next buffer lies and how many there are, which its
// InitBuffer keeps.
#define EXTERN_IMPL_BUFPOOL(EXT_BUFPOOL, POSITION, BUFID_SIZE)                       \
 public:                                                                             \
  static constexpr AscendC::TPosition kPosition = POSITION;                          \
  void Init() { vinciBuffers = 0; }                                                  \
  void Reset() { AscendC::in_api::leave_pool(); }                                    \
  AscendC::TBufHandle GetBufHandle(uint8_t offset) {                                 \
    if (offset >= (BUFID_SIZE)) {                                                    \
      vinci::bad_argument(#EXT_BUFPOOL "::GetBufHandle", "the offset", offset,       \
                          "less than EXTERN_IMPL_BUFPOOL's BUFID_SIZE");             \
      return vinciHandles;                                                           \
    }                                                                                \
    return vinciHandles + offset;                                                    \
  }                                                                                  \
  void SetCurAddr(uint32_t curAddr) { vinciSpace.set_next(curAddr); }                \
  uint32_t GetCurAddr() { return vinciSpace.next(); }                                \
  void SetCurBufSize(uint8_t curBufSize) { vinciBuffers = curBufSize; }              \
  uint8_t GetCurBufSize() { return vinciBuffers; }                                   \
  void place(uint32_t address, uint32_t bytes) { vinciSpace.place(address, bytes); } \
  template <class Shared>                                                            \
  void share(uint32_t bytes, const Shared& shared) {                                 \
    vinciSpace.share(bytes, shared.space());                                         \
  }                                                                                  \
  const AscendC::in_api::PoolSpace& space() const { return vinciSpace; }             \
                                                                                     \
 private:                                                                            \
  AscendC::in_api::PoolSpace vinciSpace;                                             \
  uint8_t vinciHandles[BUFID_SIZE] = {};                                             \
  uint8_t vinciBuffers = 0
