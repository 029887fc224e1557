// GlobalTensor and LocalTensor: typed views of GM and of the core's buffers.
//
// A view is an address, an extent and a position; copying it copies no data. Offsets and sizes
// count elements. An access outside the extent is a fault at the kernel's line.
#pragma once

#include <cstdint>
#include <type_traits>

#include "ascendc/keyword.h"
#include "ascendc/number.h"
#include "ascendc/position.h"
#include "vinci/debug.h"
#include "vinci/door.h"
#include "vinci/gm_home.h"

namespace AscendC {

// Documented name of the value that operators hang their own bookkeeping on.
using TTagType = int32_t;

template <class T>
class LocalTensor;

// A whole-tensor expression, `dst = src0 + src1`: resolved when it is assigned to a LocalTensor.
// The headers of the instructions specialise `run` through these tags.
template <class Operation, class T>
struct TensorExpression {
  const LocalTensor<T>& src0;
  const LocalTensor<T>& src1;
};

namespace in_api {

// Elements that one access moves, so that another core sees all of one or nothing.
template <class T>
inline constexpr bool kIsWord = sizeof(T) <= 8 && (sizeof(T) & (sizeof(T) - 1)) == 0;

// Loads and stores of one element; int4 shares its byte with a neighbour.
template <class T>
T load_element(const vinci::Operand& tensor, uint64_t index) {
  const auto* cell = static_cast<const T*>(
      vinci::scalar_access(tensor, index * sizeof(T), sizeof(T), vinci::Access::kRead));
  T value;
  if constexpr (kIsWord<T>) {
    if (reinterpret_cast<uintptr_t>(cell) % sizeof(T) == 0) {
      __atomic_load(cell, &value, __ATOMIC_RELAXED);
      return value;
    }
  }
  __builtin_memcpy(&value, cell, sizeof(T));
  return value;
}

template <class T>
void store_element(const vinci::Operand& tensor, uint64_t index, T value) {
  auto* cell = static_cast<T*>(
      vinci::scalar_access(tensor, index * sizeof(T), sizeof(T), vinci::Access::kWrite));
  if constexpr (kIsWord<T>) {
    if (reinterpret_cast<uintptr_t>(cell) % sizeof(T) == 0) {
      return __atomic_store(cell, &value, __ATOMIC_RELAXED);
    }
  }
  __builtin_memcpy(cell, &value, sizeof(T));
}

// The same past the scalar unit's cache, which tools know by a tensor without a type.
template <class T>
void store_past_cache(vinci::Operand tensor, uint64_t index, T value) {
  tensor.dtype = vinci::DType::kNone;
  store_element<T>(tensor, index, value);
}

template <>
inline int4b_t load_element<int4b_t>(const vinci::Operand& tensor, uint64_t index) {
  const auto pair = load_element<uint8_t>(tensor, index / 2);
  return int4b_t(index % 2 ? pair >> 4 : pair);
}

template <>
inline void store_element<int4b_t>(const vinci::Operand& tensor, uint64_t index, int4b_t value) {
  auto* pair =
      static_cast<uint8_t*>(vinci::scalar_access(tensor, index / 2, 1, vinci::Access::kWrite));
  const auto nibble = uint8_t(value.value & 15);
  *pair = uint8_t(index % 2 ? (*pair & 0x0F) | nibble << 4 : (*pair & 0xF0) | nibble);
}

// Bytes before element `offset`; int4 elements share bytes, so a view starts at an even one.
template <class T>
uint64_t offset_bytes(uint64_t offset) {
  if constexpr (std::is_same_v<T, int4b_t>) {
    if (offset % 2 != 0) {
      vinci::bad_argument("operator[]", "the offset into an int4b_t tensor", int64_t(offset),
                          "an even number: two elements share a byte");
    }
    return offset / 2;
  } else {
    return offset * sizeof(T);
  }
}

}  // namespace in_api

template <class T>
class GlobalTensor {
 public:
  using PrimType = T;

  // `size` elements from `buffer` on; without a size only the GM buffer's own end is checked.
  void SetGlobalBuffer(__gm__ T* buffer, uint64_t size) {
    address_ = buffer;
    operand_.address = reinterpret_cast<uint64_t>(buffer);
    operand_.bytes = vinci::bytes_of(operand_.dtype, size * unit());
    operand_.allocation = vinci::gm_home(buffer);
  }
  void SetGlobalBuffer(__gm__ T* buffer) {
    address_ = buffer;
    operand_.address = reinterpret_cast<uint64_t>(buffer);
    operand_.bytes = vinci::kUnknownExtent;
    operand_.allocation = vinci::gm_home(buffer);
  }

  T GetValue(uint64_t offset) const { return in_api::load_element<T>(operand_, offset); }
  void SetValue(uint64_t offset, T value) const { in_api::store_element(operand_, offset, value); }
  __gm__ T& operator()(uint64_t offset) const {
    static_assert(!std::is_same_v<T, int4b_t>, "an int4b_t has no address: use GetValue, SetValue");
    return *static_cast<T*>(vinci::scalar_reference(operand_, offset * sizeof(T), sizeof(T)));
  }

  // The view from element `offset` on.
  GlobalTensor operator[](uint64_t offset) const {
    GlobalTensor rest = *this;
    const uint64_t bytes = in_api::offset_bytes<T>(offset);
    rest.operand_.address += bytes;
    rest.address_ = reinterpret_cast<T*>(rest.operand_.address);
    if (operand_.bytes != vinci::kUnknownExtent) {
      rest.operand_.bytes = bytes < operand_.bytes ? operand_.bytes - bytes : 0;
    }
    return rest;
  }

  const __gm__ T* GetPhyAddr() const { return reinterpret_cast<const T*>(operand_.address); }
  __gm__ T* GetPhyAddr(uint64_t offset) const {
    return reinterpret_cast<T*>(operand_.address + in_api::offset_bytes<T>(offset));
  }
  // Elements; 0 if SetGlobalBuffer gave no size.
  uint64_t GetSize() const {
    return operand_.bytes == vinci::kUnknownExtent ? 0 : operand_.bytes * 8 / element_bits();
  }

  void SetShapeInfo(const ShapeInfo& shape) { shape_ = shape; }
  ShapeInfo GetShapeInfo() const { return shape_; }
  // A hint to the L2 cache; no effect on results.
  template <CacheRwMode mode = CacheRwMode::RW>
  void SetL2CacheHint(CacheMode) {}

  const vinci::Operand& operand() const { return operand_; }

  // What GetPhyAddr gives, for kernels that read it. To set it moves nothing: SetGlobalBuffer does.
  __gm__ T* address_ = nullptr;

 private:
  // Elements of a struct type are counted in bytes of that struct.
  static constexpr uint64_t unit() {
    return vinci::dtype_of<T> == vinci::DType::kNone ? sizeof(T) : 1;
  }
  static constexpr uint64_t element_bits() { return vinci::bits_of(vinci::dtype_of<T>) * unit(); }

  vinci::Operand operand_{0, vinci::kUnknownExtent, 0, TPosition::GM, vinci::dtype_of<T>};
  ShapeInfo shape_;
};

// A buffer of a pool.
using TBufHandle = uint8_t*;

// Of a tensor that a kernel makes by hand: bytes, byte address, TPosition.
struct TBuffAddr {
  uint32_t dataLen = 0;
  uint32_t bufferAddr = 0;
  TBufHandle bufferHandle = nullptr;
  uint8_t logicPos = 0;
};

namespace in_api {

// Parts of the operand at whose place they lie, by the names that TBuffAddr has for them.
inline vinci::Operand& operand_at(void* place) { return *static_cast<vinci::Operand*>(place); }
inline const vinci::Operand& operand_at(const void* place) {
  return *static_cast<const vinci::Operand*>(place);
}
struct LogicPosition {
  operator uint8_t() const { return uint8_t(operand_at(this).position); }
  void operator=(uint8_t position) { operand_at(this).position = TPosition(position); }
};
struct DataLength {
  operator uint32_t() const { return uint32_t(operand_at(this).bytes); }
  void operator=(uint32_t bytes) { operand_at(this).bytes = bytes; }
};
struct BufferAddress {
  operator uint32_t() const { return uint32_t(operand_at(this).address); }
  void operator=(uint32_t address) { operand_at(this).address = address; }
};
struct AddressView {
  [[no_unique_address]] LogicPosition logicPos;
  [[no_unique_address]] DataLength dataLen;
  [[no_unique_address]] BufferAddress bufferAddr;

  operator TBuffAddr() const { return {dataLen, bufferAddr, nullptr, logicPos}; }
  void operator=(const TBuffAddr& where) {
    dataLen = where.dataLen;
    bufferAddr = where.bufferAddr;
    logicPos = where.logicPos;
  }
};

}  // namespace in_api

template <class T>
class LocalTensor {
 public:
  using PrimType = T;

  LocalTensor() { operand_.dtype = vinci::dtype_of<T>; }
  // A tensor at a byte address of the position's buffer, outside any TPipe.
  LocalTensor(TPosition position, uint32_t address, uint32_t size)
      : operand_{address, vinci::bytes_of(vinci::dtype_of<T>, size), 0, position,
                 vinci::dtype_of<T>} {}
  explicit LocalTensor(const vinci::Operand& operand) : operand_(operand) {
    operand_.dtype = vinci::dtype_of<T>;
  }

  T GetValue(uint32_t index) const { return in_api::load_element<T>(operand_, index); }
  template <class U>
  void SetValue(uint32_t index, U value) const {
    in_api::store_element<T>(operand_, index, static_cast<T>(value));
  }
  T& operator()(uint32_t index) const {
    static_assert(!std::is_same_v<T, int4b_t>, "an int4b_t has no address: use GetValue, SetValue");
    return *static_cast<T*>(vinci::scalar_reference(operand_, index * sizeof(T), sizeof(T)));
  }

  // The view from element `offset` on.
  LocalTensor operator[](uint32_t offset) const {
    LocalTensor rest = *this;
    const uint64_t bytes = in_api::offset_bytes<T>(offset);
    rest.operand_.address += bytes;
    rest.operand_.bytes = bytes < operand_.bytes ? operand_.bytes - bytes : 0;
    return rest;
  }

  template <class U>
  LocalTensor<U> ReinterpretCast() const {
    LocalTensor<U> same(operand_);
    same.SetUserTag(tag_);
    return same;
  }

  // A host pointer into the simulated buffer. Its low bits are those of the address on the chip.
  T* GetPhyAddr() const { return static_cast<T*>(vinci::local_address(operand_)); }
  T* GetPhyAddr(uint32_t offset) const { return (*this)[offset].GetPhyAddr(); }

  int32_t GetPosition() const { return int32_t(operand_.position); }  // a TPosition
  uint32_t GetSize() const {
    return uint32_t(operand_.bytes * 8 / vinci::bits_of(vinci::dtype_of<T>));
  }
  uint32_t GetLength() const { return uint32_t(operand_.bytes); }
  void SetSize(uint32_t size) { operand_.bytes = vinci::bytes_of(operand_.dtype, size); }
  void SetBufferLen(uint32_t bytes) { operand_.bytes = bytes; }
  void SetAddr(const TBuffAddr& where) {
    operand_ = {where.bufferAddr, where.dataLen, 0, TPosition(where.logicPos), vinci::dtype_of<T>};
  }
  // Of a tensor that has a position: `size` elements from byte `offset` of that position's buffer.
  void InitBuffer(uint32_t offset, uint32_t size) {
    *this = LocalTensor(operand_.position, offset, size);
  }
  // Makes this a view of `source` from its element `offset` on.
  template <class U>
  void SetAddrWithOffset(LocalTensor<U>& source, uint32_t offset) {
    operand_ = source[offset].operand();
    operand_.dtype = vinci::dtype_of<T>;
  }

  // A number of the kernel's own. It goes with copies, and with a buffer through its queue.
  void SetUserTag(TTagType tag) { tag_ = tag; }
  TTagType GetUserTag() const { return tag_; }
  void SetShapeInfo(const ShapeInfo& shape) { shape_ = shape; }
  ShapeInfo GetShapeInfo() const { return shape_; }

#ifdef ASCENDC_CPU_DEBUG
  // On the standard output, a datablock each line; all of it, or the first elements.
  void Print() const { Print(GetSize()); }
  void Print(uint32_t len) const { vinci::print_tensor(operand_, len); }
  // Its bytes; 0 if that has worked. A std::string, or characters.
  template <class Name>
  int32_t ToFile(const Name& fileName) const {
    if constexpr (std::is_convertible_v<const Name&, const char*>) {
      return vinci::save_tensor(operand_, fileName);
    } else {
      return vinci::save_tensor(operand_, fileName.c_str());
    }
  }
#endif

  // The sources of a comparison have another type.
  template <class Operation, class S>
  LocalTensor& operator=(const TensorExpression<Operation, S>& expression) {
    Operation::run(*this, expression.src0, expression.src1, GetSize());
    return *this;
  }

  const vinci::Operand& operand() const { return operand_; }

  // For kernels that set it themselves: tensor.address_.logicPos = .... Takes no room: it is where
  // operand_ is.
  [[no_unique_address]] in_api::AddressView address_;

 private:
  vinci::Operand operand_;
  TTagType tag_ = 0;
  ShapeInfo shape_;
};

}  // namespace AscendC
