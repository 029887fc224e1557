// Registers and bits under the small names that kernels of older style call.
#pragma once

#include "ascendc/cache.h"
#include "ascendc/control.h"
#include "ascendc/cross_core.h"
#include "ascendc/debug.h"
#include "ascendc/fixpipe.h"
#include "ascendc/load_data.h"
#include "ascendc/scalar.h"

constexpr uint64_t sbitset1(uint64_t bits, int64_t at) { return bits | uint64_t(1) << at; }
constexpr uint64_t sbitset0(uint64_t bits, int64_t at) { return bits & ~(uint64_t(1) << at); }
inline int64_t bcnt0(uint64_t bits) { return AscendC::ScalarGetCountOfValue<0>(bits); }
inline int64_t bcnt1(uint64_t bits) { return AscendC::ScalarGetCountOfValue<1>(bits); }
inline int64_t sff0(uint64_t bits) { return AscendC::ScalarGetSFFValue<0>(bits); }
inline int64_t sff1(uint64_t bits) { return AscendC::ScalarGetSFFValue<1>(bits); }
inline int64_t clz(uint64_t bits) { return AscendC::ScalarCountLeadingZero(bits); }
inline int64_t get_sys_cnt() { return AscendC::GetSystemCycle(); }
inline uint64_t get_arch_ver() { return vinci::arch_version(); }
// The core's number among those of its kind.
inline int64_t get_coreid() { return vinci::block_index(); }
inline uint64_t get_ctrl() { return vinci::control_word(); }
inline void set_ctrl(uint64_t config) { AscendC::in_api::set_control_word("set_ctrl", config); }
// Hints, which nothing that a kernel can see depends on.
inline void dc_preload(__gm__ uint64_t*, int64_t) {}
inline void icache_preload(int64_t) {}

// Numbers in GM past the caches. No document says what the offset counts.
namespace AscendC::in_api {

inline bool is_without_offset(const char* api, int16_t offset) {
  if (offset != 0) vinci::bad_argument(api, "offset", offset, "0");
  return offset == 0;
}

}  // namespace AscendC::in_api
template <class T>
std::remove_const_t<T> ld_dev(__gm__ T* src, int16_t offset) {
  if (!AscendC::in_api::is_without_offset("ld_dev", offset)) return {};
  return AscendC::ReadGmByPassDCache(const_cast<std::remove_const_t<T>*>(src));
}
template <class T>
void st_dev(AscendC::in_api::as_is<T> value, __gm__ T* dst, int16_t offset) {
  if (!AscendC::in_api::is_without_offset("st_dev", offset)) return;
  AscendC::WriteGmByPassDCache(dst, value);
}

template <class T>
void set_padding(T value) {
  AscendC::SetLoadDataPaddingValue(value);
}
// The number of matrices and the strides of source and destination between them, 16 bits each.
inline void set_nd_para(uint64_t config) {
  AscendC::SetFixpipeNz2ndFlag(uint16_t(config), uint16_t(config >> 16), uint16_t(config >> 32));
}
inline void set_quant_pre(uint64_t config) { AscendC::SetFixpipePreQuantFlag(config); }

namespace AscendC {

// What ffts_cross_core_sync takes.
constexpr uint64_t GetffstMsg(uint16_t mode, uint16_t flagId) {
  return 1 | uint64_t(mode & 3) << 4 | uint64_t(flagId & 15) << 8;
}

}  // namespace AscendC
