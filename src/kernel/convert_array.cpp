// Arrays of numbers from one element type to another, compiled for each level of the host.
#include "kernel/convert_array.h"

#include "kernel/convert_loop.h"

namespace vinci {
namespace {

using AscendC::int4b_t;

ConvertArray from_half(DType to, Round mode, Overflow overflow) {
  switch (to) {
    case DType::kFloat: return loop_of<float, half>(mode, overflow);
    case DType::kInt32: return loop_of<int32_t, half>(mode, overflow);
    case DType::kInt16: return loop_of<int16_t, half>(mode, overflow);
    case DType::kInt8: return loop_of<int8_t, half>(mode, overflow);
    case DType::kUint8: return loop_of<uint8_t, half>(mode, overflow);
    case DType::kInt4: return loop_of<int4b_t, half>(mode, overflow);
    default: return nullptr;
  }
}

ConvertArray from_float(DType to, Round mode, Overflow overflow) {
  switch (to) {
    case DType::kHalf: return loop_of<half, float>(mode, overflow);
    case DType::kBfloat16: return loop_of<bfloat16_t, float>(mode, overflow);
    case DType::kFloat: return loop_of<float, float>(mode, overflow);
    case DType::kInt64: return loop_of<int64_t, float>(mode, overflow);
    case DType::kInt32: return loop_of<int32_t, float>(mode, overflow);
    case DType::kInt16: return loop_of<int16_t, float>(mode, overflow);
    default: return nullptr;
  }
}

ConvertArray from_bfloat16(DType to, Round mode, Overflow overflow) {
  switch (to) {
    case DType::kFloat: return loop_of<float, bfloat16_t>(mode, overflow);
    case DType::kInt32: return loop_of<int32_t, bfloat16_t>(mode, overflow);
    default: return nullptr;
  }
}

ConvertArray from_int16(DType to, Round mode, Overflow overflow) {
  switch (to) {
    case DType::kHalf: return loop_of<half, int16_t>(mode, overflow);
    case DType::kFloat: return loop_of<float, int16_t>(mode, overflow);
    case DType::kInt8: return loop_of<int8_t, int16_t>(mode, overflow);
    case DType::kUint8: return loop_of<uint8_t, int16_t>(mode, overflow);
    default: return nullptr;
  }
}

ConvertArray from_int32(DType to, Round mode, Overflow overflow) {
  switch (to) {
    case DType::kFloat: return loop_of<float, int32_t>(mode, overflow);
    case DType::kInt64: return loop_of<int64_t, int32_t>(mode, overflow);
    case DType::kInt16: return loop_of<int16_t, int32_t>(mode, overflow);
    default: return nullptr;
  }
}

ConvertArray from_int64(DType to, Round mode, Overflow overflow) {
  switch (to) {
    case DType::kFloat: return loop_of<float, int64_t>(mode, overflow);
    case DType::kInt32: return loop_of<int32_t, int64_t>(mode, overflow);
    default: return nullptr;
  }
}

}  // namespace

ConvertArray convert_array(DType to, DType from, Round mode, Overflow overflow) {
  switch (from) {
    case DType::kHalf: return from_half(to, mode, overflow);
    case DType::kFloat: return from_float(to, mode, overflow);
    case DType::kBfloat16: return from_bfloat16(to, mode, overflow);
    case DType::kInt16: return from_int16(to, mode, overflow);
    case DType::kInt32: return from_int32(to, mode, overflow);
    case DType::kInt64: return from_int64(to, mode, overflow);
    case DType::kInt4: return to == DType::kHalf ? loop_of<half, int4b_t>(mode, overflow) : nullptr;
    case DType::kInt8: return to == DType::kHalf ? loop_of<half, int8_t>(mode, overflow) : nullptr;
    case DType::kUint8:
      return to == DType::kHalf ? loop_of<half, uint8_t>(mode, overflow) : nullptr;
    default: return nullptr;
  }
}

}  // namespace vinci
