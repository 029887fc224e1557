// CreateVecIndex in its three forms, one case a block, on a UB filled with the case's image.
#include "cases.h"

extern "C" __global__ __aicore__ void create_vec_index_cases(GM_ADDR table, GM_ADDR images,
                                                             GM_ADDR results) {
  Case values(table, images, results);
  const int64_t type = values.next(), form = values.next();
  uint64_t mask[2] = {uint64_t(values.next()), uint64_t(values.next())};
  const uint8_t repeats = values.next();
  const uint32_t count = values.next();
  const int64_t first = values.next();
  const bool saturate = values.next();
  const Place place(values);
  const uint16_t block = values.next();
  const uint8_t repeat = values.next();
  fill_ub(values);
  if (saturate) AscendCUtils::SetOverflow(0);
  with_type(type, [&](auto element) {
    using T = decltype(element);
    auto dst = place.tensor<T>();
    const T value = element_of<T>(first);
    if (form == 0) {
      CreateVecIndex(dst, value, count);
    } else if (form == 1) {
      CreateVecIndex(dst, value, mask, repeats, block, repeat);
    } else {
      CreateVecIndex(dst, value, mask[0], repeats, block, repeat);
    }
  });
  save_ub(values);
}
