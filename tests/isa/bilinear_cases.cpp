// BilinearInterpolation, one case a block, on a UB filled with the case's image.
#include "cases.h"

extern "C" __global__ __aicore__ void bilinear_cases(GM_ADDR table, GM_ADDR images,
                                                     GM_ADDR results) {
  Case values(table, images, results);
  const bool bits = values.next();
  uint64_t mask[2] = {uint64_t(values.next()), uint64_t(values.next())};
  const uint8_t h = values.next(), v = values.next();
  const bool mode = values.next();
  const uint16_t stride = values.next(), offset = values.next();
  const Place dst(values), src0(values), offsets(values), src1(values), tmp(values);
  fill_ub(values);
  const auto to = dst.tensor<half>(), a = src0.tensor<half>(), b = src1.tensor<half>();
  const auto at = offsets.tensor<uint32_t>();
  const auto room = tmp.tensor<uint8_t>();
  if (bits) {
    BilinearInterpolation(to, a, at, b, mask, h, mode, stride, offset, v, room);
  } else {
    BilinearInterpolation(to, a, at, b, mask[0], h, mode, stride, offset, v, room);
  }
  save_ub(values);
}
