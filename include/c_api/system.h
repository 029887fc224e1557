// Who and where the core is, its registers MASK and CTRL, hints to its caches.
#pragma once

#include "ascendc/cache.h"
#include "ascendc/control.h"
#include "ascendc/cross_core.h"
#include "ascendc/debug.h"
#include "ascendc/intrinsic.h"
#include "ascendc/register_intrinsic.h"
#include "ascendc/system.h"

inline void asc_init() { AscendC::InitSocState(); }

inline int64_t asc_get_block_idx() { return get_block_idx(); }
inline int64_t asc_get_block_num() { return get_block_num(); }
inline int64_t asc_get_sub_block_id() { return get_subblockid(); }
inline int64_t asc_get_sub_block_num() { return get_subblockdim(); }
inline int64_t asc_get_system_cycle() { return AscendC::GetSystemCycle(); }
inline int64_t asc_get_program_counter() { return AscendC::GetProgramCounter(); }
inline void asc_get_arch_ver(uint32_t& core_version) { AscendC::GetArchVersion(core_version); }
inline int64_t asc_get_core_id() { return get_coreid(); }
// Where the flags between cores, the stack and the system's memory lie, and what maps them, is the
// chip's affair.
inline void asc_set_ffts_base_addr(uint64_t config) { set_ffts_base_addr(config); }
inline int64_t asc_get_ffts_base_addr() { return 0; }
inline int64_t asc_get_phy_stack_base() { return 0; }
inline int64_t asc_get_sys_virtual_base() { return 0; }
inline int64_t asc_get_smmu_tag_version() { return 0; }
#ifndef VINCI_LISTING_NAMES
// Which overflows there were: nothing here keeps count of them. As those of ascendc/absent.h.
inline int64_t asc_get_status() {
  vinci::lacks("asc_get_status", "the core's status", "the checks of vinci");
  return 0;
}
#endif

// Byte `offset` of UB; on an AIC of the memory whose qualifier the pointer gets.
inline uint64_t asc_get_phy_buf_addr(uint64_t offset) {
  if (vinci::core_kind() == vinci::CoreKind::kAic) return offset;
  return reinterpret_cast<uint64_t>(vinci::local_address(vinci::ub_tensor(offset)));
}

// The register MASK.
inline void asc_set_mask_count() { set_mask_count(); }
inline void asc_set_mask_norm() { set_mask_norm(); }
inline void asc_set_vector_mask(uint64_t mask1, uint64_t mask0) { set_vector_mask(mask1, mask0); }

// CTRL.
inline int64_t asc_get_ctrl() { return int64_t(vinci::control_word()); }
inline void asc_set_ctrl(uint64_t config) {
  AscendC::in_api::set_control_word("asc_set_ctrl", config);
}

// The scalar unit's cache: a line of it, or all of it, as far as it holds that memory.
inline void asc_dcci_single(__gm__ void* dst) { dcci(dst, SINGLE_CACHE_LINE); }
inline void asc_ub_dcci_single(__ubuf__ void* dst) { dcci(dst, SINGLE_CACHE_LINE, CACHELINE_UB); }
inline void asc_dcci_entire_all() { dcci(nullptr, ENTIRE_DATA_CACHE, CACHELINE_ALL); }
inline void asc_dcci_entire_ub() { dcci(nullptr, ENTIRE_DATA_CACHE, CACHELINE_UB); }
inline void asc_dcci_entire_out() { dcci(nullptr, ENTIRE_DATA_CACHE, CACHELINE_OUT); }
inline void asc_dcci_entire_atomic() { dcci(nullptr, ENTIRE_DATA_CACHE, CACHELINE_ATOMIC); }
// Hints, which nothing that a kernel can see depends on.
inline void asc_datacache_preload(__gm__ uint64_t*, int64_t) {}
inline void asc_icache_preload(const void*, int64_t) {}
inline int64_t asc_get_icache_preload_status() { return AscendC::GetICachePreloadStatus(); }
