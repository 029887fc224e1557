// What becomes of results that their type cannot hold: a few calls that say so, then Add or Cast,
// and what the register reads as.
#include "cases.h"

namespace {

constexpr int kSteps = 4;
constexpr uint32_t kElements = 128;
// Places in UB.
constexpr uint32_t kSrc0 = 0, kSrc1 = 1024, kDst = 2048, kRead = 3072;

void take(int64_t op, int64_t value) {
  switch (op) {
    case 1: return SetSaturationFlag<SaturationMode::FLOAT>(value);
    case 2: return SetSaturationFlag<SaturationMode::INT>(value);
    case 3: return SetSaturationFlag<SaturationMode::CAST>(value);
    case 4: return SetCtrlSpr<48, 48>(value);
    case 5: return SetCtrlSpr<53, 53>(value);
    case 6: return SetCtrlSpr<59, 59>(value);
    case 7: return value ? SetCastOverflowMode<true>() : SetCastOverflowMode<false>();
    case 8: return AscendCUtils::SetOverflow(value);
    case 9: return SetSaturationFlag<SaturationMode::FLOAT8>(value);
    case 10: return SetCtrlSpr<48, 53>(value);
    case 11: return SetCtrlSpr<56, 56>(value);
    case 12: return SetCtrlSpr<0, 63>(value);
    case 13: return SetCtrlSpr<47, 47>(value);
    case 14: return SetCtrlSpr<60, 60>(value);
    case 15: return SetCtrlSpr<-1, -1>(value);
    case 16: GetCtrlSpr<56, 56>(); return;
    case 17: GetCtrlSpr<48, 49>(); return;
    case 18: GetSaturationFlag<SaturationMode::FLOAT8>(); return;
    case 19: GetCtrlSpr<48, 48>(); return;
    case 20: GetSaturationFlag<SaturationMode::CAST>(); return;
  }
}

void read() {
  const LocalTensor<int32_t> out(TPosition::VECCALC, kRead, 8);
  const int64_t values[] = {GetCtrlSpr<48, 48>(),
                            GetCtrlSpr<53, 53>(),
                            GetCtrlSpr<59, 59>(),
                            GetSaturationFlag<SaturationMode::FLOAT>(),
                            GetSaturationFlag<SaturationMode::INT>(),
                            GetSaturationFlag<SaturationMode::CAST>()};
  for (uint32_t i = 0; i < 6; ++i) out.SetValue(i, int32_t(values[i]));
}

template <class T>
LocalTensor<T> at(uint32_t address) {
  return LocalTensor<T>(TPosition::VECCALC, address, kElements);
}

template <class T>
void add() {
  Add(at<T>(kDst), at<T>(kSrc0), at<T>(kSrc1), int32_t(kElements));
}
template <class T, class U>
void cast(RoundMode mode) {
  Cast(at<T>(kDst), at<U>(kSrc0), mode, kElements);
}

void call(int64_t types) {
  switch (types) {
    case 202: return add<int16_t>();
    case 404: return add<half>();
    case 606: return add<int32_t>();
    case 808: return add<float>();
    case 408: return cast<half, float>(RoundMode::CAST_NONE);
    case 508: return cast<bfloat16_t, float>(RoundMode::CAST_RINT);
    case 804: return cast<float, half>(RoundMode::CAST_NONE);
    case 4: return cast<int8_t, half>(RoundMode::CAST_NONE);
    case 608: return cast<int32_t, float>(RoundMode::CAST_RINT);
    case 208: return cast<int16_t, float>(RoundMode::CAST_RINT);
    case 206: return cast<int16_t, int32_t>(RoundMode::CAST_NONE);
    case 609: return cast<int32_t, int64_t>(RoundMode::CAST_NONE);
  }
}

}  // namespace

extern "C" __global__ __aicore__ void saturation_cases(GM_ADDR table, GM_ADDR images,
                                                       GM_ADDR results) {
  Case values(table, images, results);
  fill_ub(values);
  for (int step = 0; step < kSteps; ++step) {
    const int64_t op = values.next(), value = values.next();
    take(op, value);
  }
  const int64_t reads = values.next();
  call(values.next());
  if (reads) read();
  save_ub(values);
}
