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
inline uint64_t get_ctrl() { return vinci::control_word(); }
inline void set_ctrl(uint64_t config) { AscendC::in_api::set_control_word("set_ctrl", config); }
// Hints, which nothing that a kernel can see depends on.
inline void dc_preload(__gm__ uint64_t*, int64_t) {}
inline void icache_preload(int64_t) {}

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
