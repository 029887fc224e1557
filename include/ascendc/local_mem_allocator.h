// For kernels without a TPipe, which place their LocalTensors themselves: InitSocState and
// LocalMemAllocator.
#pragma once

#include "ascendc/tensor.h"

namespace vinci::isa {
extern const Instruction init_soc_state;
}  // namespace vinci::isa

namespace AscendC {

// The state that an earlier kernel may have left behind, as at the start.
inline void InitSocState() { vinci::issue(vinci::Record{&vinci::isa::init_soc_state}); }

enum class Hardware : uint8_t { GM, UB, L1, L0A, L0B, L0C, BIAS, FIXBUF, MAX };

namespace in_api {

constexpr TPosition position_in(Hardware memory) {
  switch (memory) {
    case Hardware::UB: return TPosition::VECCALC;
    case Hardware::L1: return TPosition::A1;
    case Hardware::L0A: return TPosition::A2;
    case Hardware::L0B: return TPosition::B2;
    case Hardware::L0C: return TPosition::CO1;
    case Hardware::BIAS: return TPosition::C2;
    case Hardware::FIXBUF: return TPosition::C2PIPE2GM;
    default: return TPosition::GM;
  }
}

constexpr bool lies_in(TPosition position, Hardware memory) {
  switch (position) {
    case TPosition::VECIN:
    case TPosition::VECOUT:
    case TPosition::VECCALC: return memory == Hardware::UB;
    case TPosition::A1:
    case TPosition::B1:
    case TPosition::C1:
    case TPosition::TSCM: return memory == Hardware::L1;
    case TPosition::A2: return memory == Hardware::L0A;
    case TPosition::B2: return memory == Hardware::L0B;
    case TPosition::CO1: return memory == Hardware::L0C;
    case TPosition::C2: return memory == Hardware::BIAS || memory == Hardware::L0C;
    case TPosition::C2PIPE2GM: return memory == Hardware::FIXBUF;
    case TPosition::CO2: return memory == Hardware::UB;
    default: return false;
  }
}

}  // namespace in_api

// Hands out a memory from its first byte on, one tensor behind the other, and takes nothing back.
template <Hardware memory = Hardware::UB>
class LocalMemAllocator {
 public:
  static_assert(memory > Hardware::GM && memory < Hardware::MAX,
                "LocalMemAllocator<Hardware>: UB, L1, L0A, L0B, L0C, BIAS or FIXBUF");

  // The first byte that is free.
  uint32_t GetCurAddr() const { return next_; }

  template <class T>
  LocalTensor<T> Alloc(uint32_t tileSize) {
    return Alloc<in_api::position_in(memory), T>(tileSize);
  }
  template <TPosition pos, class T>
  LocalTensor<T> Alloc(uint32_t tileSize) {
    static_assert(in_api::lies_in(pos, memory), "Alloc<TPosition>: a position in this Hardware");
    const uint64_t address = next_;
    const uint64_t bytes = vinci::bytes_of(vinci::dtype_of<T>, tileSize);
    const uint64_t space = vinci::space_bytes(pos);
    if (address + bytes > space) {
      vinci::bad_argument("LocalMemAllocator::Alloc", "the tensor's end, in bytes,",
                          int64_t(address + bytes), "at most the bytes of the memory");
    }
    next_ = uint32_t(address + (bytes + 31) / 32 * 32);
    return LocalTensor<T>(pos, uint32_t(address), tileSize);
  }
  template <class T, uint32_t tileSize>
  LocalTensor<T> Alloc() {
    return Alloc<T>(tileSize);
  }
  template <TPosition pos, class T, uint32_t tileSize>
  LocalTensor<T> Alloc() {
    return Alloc<pos, T>(tileSize);
  }

 private:
  uint32_t next_ = 0;
};

}  // namespace AscendC
