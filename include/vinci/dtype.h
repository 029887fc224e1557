// The element types of the AI Core, as run-time values and as C++ types.
#pragma once

#include <cstdint>

struct half;
struct bfloat16_t;
namespace AscendC {
struct int4b_t;
}

namespace vinci {

enum class DType : uint8_t {
  kInt4,
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kHalf,
  kBfloat16,
  kInt32,
  kUint32,
  kFloat,
  kInt64,
  kUint64,
  kNone,  // a C++ type that no instruction takes (a struct in a GlobalTensor, say)
};

// Width of one element in bits; int4 is the only type narrower than a byte.
// Not inside bits_of, which would write it to the stack in each call.
inline constexpr uint8_t kBitsOfType[] = {4, 8, 8, 16, 16, 16, 16, 32, 32, 32, 64, 64, 8};
constexpr unsigned bits_of(DType type) { return kBitsOfType[static_cast<unsigned>(type)]; }

// Bytes that `count` elements take; an odd int4 count rounds up to whole bytes.
constexpr uint64_t bytes_of(DType type, uint64_t count) { return (count * bits_of(type) + 7) / 8; }

template <class T>
inline constexpr DType dtype_of = DType::kNone;
template <>
inline constexpr DType dtype_of<AscendC::int4b_t> = DType::kInt4;
template <>
inline constexpr DType dtype_of<int8_t> = DType::kInt8;
template <>
inline constexpr DType dtype_of<uint8_t> = DType::kUint8;
// Where instructions take elements by their size.
template <>
inline constexpr DType dtype_of<bool> = DType::kUint8;
template <>
inline constexpr DType dtype_of<int16_t> = DType::kInt16;
template <>
inline constexpr DType dtype_of<uint16_t> = DType::kUint16;
template <>
inline constexpr DType dtype_of<half> = DType::kHalf;
template <>
inline constexpr DType dtype_of<bfloat16_t> = DType::kBfloat16;
template <>
inline constexpr DType dtype_of<int32_t> = DType::kInt32;
template <>
inline constexpr DType dtype_of<uint32_t> = DType::kUint32;
template <>
inline constexpr DType dtype_of<float> = DType::kFloat;
template <>
inline constexpr DType dtype_of<int64_t> = DType::kInt64;
template <>
inline constexpr DType dtype_of<uint64_t> = DType::kUint64;
// Copies alone take it.
template <>
inline constexpr DType dtype_of<double> = DType::kUint64;

}  // namespace vinci
