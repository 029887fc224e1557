// Arrays of numbers from one element type to another: what convert.h says of one number, as fast as
// the host allows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "numeric/convert.h"

namespace vinci {

// Arrays hold lanes (convert.h), but int4 has two to a byte, the first in the low bits, and its
// count is even. Both arrays have `count` elements and any alignment. They are apart, or the same
// if both types have the same width.
using ConvertArray = void (*)(const void* in, void* out, size_t count);

struct Conversion {
  DType to, from;
};
// What instructions convert without a scale: tables of types are held against it.
inline constexpr Conversion kConversions[] = {
    {DType::kFloat, DType::kHalf},     {DType::kInt32, DType::kHalf},
    {DType::kInt16, DType::kHalf},     {DType::kInt8, DType::kHalf},
    {DType::kUint8, DType::kHalf},     {DType::kInt4, DType::kHalf},
    {DType::kHalf, DType::kFloat},     {DType::kBfloat16, DType::kFloat},
    {DType::kFloat, DType::kFloat},    {DType::kInt64, DType::kFloat},
    {DType::kInt32, DType::kFloat},    {DType::kInt16, DType::kFloat},
    {DType::kFloat, DType::kBfloat16}, {DType::kInt32, DType::kBfloat16},
    {DType::kHalf, DType::kInt16},     {DType::kFloat, DType::kInt16},
    {DType::kInt8, DType::kInt16},     {DType::kUint8, DType::kInt16},
    {DType::kFloat, DType::kInt32},    {DType::kInt64, DType::kInt32},
    {DType::kInt16, DType::kInt32},    {DType::kFloat, DType::kInt64},
    {DType::kInt32, DType::kInt64},    {DType::kHalf, DType::kInt4},
    {DType::kHalf, DType::kInt8},      {DType::kHalf, DType::kUint8},
};
constexpr bool converts(DType to, DType from) {
  return std::any_of(std::begin(kConversions), std::end(kConversions),
                     [=](Conversion pair) { return pair.to == to && pair.from == from; });
}

// The bits of convert<to, from>() for each element, NaN included. Null for types that are not in
// the list.
ConvertArray convert_array(DType to, DType from, Round mode, Overflow overflow);

}  // namespace vinci
