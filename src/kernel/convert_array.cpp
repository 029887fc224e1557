// Arrays of numbers from one element type to another, compiled for each level of the host.
#include "kernel/convert_array.h"

#include "kernel/convert_loop.h"

namespace vinci {
namespace {

template <class... Ts>
struct TypeList {};
using AllTypes =
    TypeList<half, bfloat16_t, float, AscendC::int4b_t, int8_t, uint8_t, int16_t, int32_t, int64_t>;

template <class To, class From>
ConvertArray loop_if_listed(Round mode, Overflow overflow) {
  if constexpr (converts(dtype_of<To>, dtype_of<From>)) return loop_of<To, From>(mode, overflow);
  return nullptr;
}

template <class From, class... Tos>
ConvertArray from_type(TypeList<Tos...>, DType to, Round mode, Overflow overflow) {
  ConvertArray found = nullptr;
  (void)(... || (to == dtype_of<Tos> && (found = loop_if_listed<Tos, From>(mode, overflow))));
  return found;
}

template <class... Froms>
ConvertArray from_one_of(TypeList<Froms...> all, DType to, DType from, Round mode,
                         Overflow overflow) {
  ConvertArray found = nullptr;
  (void)(... || (from == dtype_of<Froms> && (found = from_type<Froms>(all, to, mode, overflow))));
  return found;
}

}  // namespace

ConvertArray convert_array(DType to, DType from, Round mode, Overflow overflow) {
  return from_one_of(AllTypes(), to, from, mode, overflow);
}

}  // namespace vinci
