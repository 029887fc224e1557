// DataCopyPad and SetPadValue.
#pragma once

#include "ascendc/data_copy.h"
#include "ascendc/vector.h"

namespace vinci::isa {
extern const Instruction data_copy_pad, data_copy_pad_tscm, set_pad_value;
}  // namespace vinci::isa

namespace AscendC {

// blockCount bursts (0..4095) of blockLen bytes (0..2097151); the strides are gaps from the end of
// a burst to the start of the next, in GM in bytes, in UB in datablocks.
struct DataCopyExtParams {
  DataCopyExtParams() = default;
  DataCopyExtParams(uint16_t count, uint32_t len, uint32_t src_gap, uint32_t dst_gap,
                    uint32_t reserved)
      : blockCount(count), blockLen(len), srcStride(src_gap), dstStride(dst_gap), rsv(reserved) {}

  uint16_t blockCount = 1;
  uint32_t blockLen = 0;
  uint32_t srcStride = 0;
  uint32_t dstStride = 0;
  uint32_t rsv = 0;
};

// Elements before and after each burst, 32 bytes of them at most; with isPad what they are.
template <class T>
struct DataCopyPadExtParams {
  DataCopyPadExtParams() = default;
  DataCopyPadExtParams(bool pad, uint8_t left, uint8_t right, T value)
      : isPad(pad), leftPadding(left), rightPadding(right), paddingValue(value) {}

  bool isPad = false;
  uint8_t leftPadding = 0;
  uint8_t rightPadding = 0;
  T paddingValue = T(0);
};

struct DataCopyPadParams {
  DataCopyPadParams() = default;
  DataCopyPadParams(bool pad, uint8_t left, uint8_t right, uint64_t value)
      : isPad(pad), leftPadding(left), rightPadding(right), paddingValue(value) {}

  bool isPad = false;
  uint8_t leftPadding = 0;
  uint8_t rightPadding = 0;
  uint64_t paddingValue = 0;  // its low bits are an element
};

namespace in_api {

// `params` has bursts and strides as either of the documents' structs.
template <class Params>
vinci::DataCopyPadRecord pad_record(const vinci::Operand& dst, const vinci::Operand& src,
                                    const Params& params) {
  return {{&vinci::isa::data_copy_pad},
          dst,
          src,
          params.blockCount,
          params.blockLen,
          params.srcStride,
          params.dstStride};
}
template <class Params>
void copy_padded(const vinci::Operand& dst, const vinci::Operand& src, const Params& params,
                 bool has_value, uint8_t left, uint8_t right, uint64_t value) {
  vinci::DataCopyPadRecord record = pad_record(dst, src, params);
  record.left = left;
  record.right = right;
  record.has_value = has_value;
  record.value = value;
  vinci::issue(record);
}

}  // namespace in_api

template <class T>
void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                 const DataCopyExtParams& dataCopyParams,
                 const DataCopyPadExtParams<in_api::as_is<T>>& padParams) {
  in_api::copy_padded(dst.operand(), src.operand(), dataCopyParams, padParams.isPad,
                      padParams.leftPadding, padParams.rightPadding,
                      in_api::scalar_bits(padParams.paddingValue));
}
template <class T>
void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                 const DataCopyParams& dataCopyParams, const DataCopyPadParams& padParams) {
  in_api::copy_padded(dst.operand(), src.operand(), dataCopyParams, padParams.isPad,
                      padParams.leftPadding, padParams.rightPadding, padParams.paddingValue);
}
template <class T>
void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                 const DataCopyExtParams& dataCopyParams) {
  vinci::issue(in_api::pad_record(dst.operand(), src.operand(), dataCopyParams));
}
template <class T>
void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                 const DataCopyParams& dataCopyParams) {
  vinci::issue(in_api::pad_record(dst.operand(), src.operand(), dataCopyParams));
}

// How bursts lie in UB, which newer chips choose: each from a datablock on, or one behind the other.
enum class PaddingMode : uint8_t { Normal, Compact };

namespace in_api {

template <PaddingMode mode, class... Arguments>
void copy_in_mode(const Arguments&... arguments) {
  if constexpr (mode == PaddingMode::Normal) {
    DataCopyPad(arguments...);
  } else {
    vinci::lacks("DataCopyPad", "PaddingMode::Compact", "PaddingMode::Normal");
  }
}

}  // namespace in_api

template <class T, PaddingMode mode>
void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                 const DataCopyExtParams& dataCopyParams,
                 const DataCopyPadExtParams<in_api::as_is<T>>& padParams) {
  in_api::copy_in_mode<mode>(dst, src, dataCopyParams, padParams);
}
template <class T, PaddingMode mode>
void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                 const DataCopyExtParams& dataCopyParams) {
  in_api::copy_in_mode<mode>(dst, src, dataCopyParams);
}

// From UB to TSCM, on an AIV with a Matmul object: bursts from UB to GM, whose strides are gaps in
// datablocks and in bytes, and from there one matrix.
template <class T>
void DataCopyPad(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                 const DataCopyExtParams& dataCopyParams, const Nd2NzParams& nd2nzParams) {
  vinci::CopyToTscmRecord record{
      in_api::nd2nz(vinci::isa::data_copy_pad_tscm, dst.operand(), src.operand(), nd2nzParams)};
  record.blocks = dataCopyParams.blockCount;
  record.length = dataCopyParams.blockLen;
  record.src_gap = dataCopyParams.srcStride;
  record.dst_gap = dataCopyParams.dstStride;
  vinci::issue(record);
}

// What later DataCopyPad with paddings and isPad = false write there.
template <class T, TPosition pos = TPosition::MAX>
void SetPadValue(T paddingValue) {
  static_assert(pos == TPosition::VECIN || pos == TPosition::VECOUT || pos == TPosition::MAX,
                "SetPadValue: pos is VECIN, VECOUT or MAX");
  vinci::issue(vinci::SetPadValueRecord{
      {&vinci::isa::set_pad_value}, vinci::dtype_of<T>, in_api::scalar_bits(paddingValue)});
}

}  // namespace AscendC
