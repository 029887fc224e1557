// Waiting: for pipes, for memory, for other cores.
#pragma once

#include "ascendc/cross_core.h"
#include "ascendc/intrinsic.h"

inline void asc_sync_pipe(pipe_t pipe) { pipe_barrier(pipe); }
inline void asc_sync() { pipe_barrier(PIPE_ALL); }
inline void asc_sync_vec() { pipe_barrier(PIPE_V); }
inline void asc_sync_mte2(int) { pipe_barrier(PIPE_MTE2); }
inline void asc_sync_mte3(int) { pipe_barrier(PIPE_MTE3); }
// An event_t, or its number.
inline void asc_sync_notify(pipe_t pipe, pipe_t tpipe, int32_t id) { set_flag(pipe, tpipe, id); }
inline void asc_sync_wait(pipe_t pipe, pipe_t tpipe, int32_t id) { wait_flag(pipe, tpipe, id); }
inline void asc_sync_data_barrier(mem_dsb_t what) { dsb(what); }
// Between cores: those of a launch, the vector cores of a block, both kinds in a block.
#define VINCI_ASC_BETWEEN(name, mode)                                             \
  inline void asc_sync_##name##_arrive(pipe_t pipe, int64_t flag_id) {            \
    ffts_cross_core_sync(pipe, 1 | uint64_t(mode) << 4 | uint64_t(flag_id) << 8); \
  }                                                                               \
  inline void asc_sync_##name##_wait(pipe_t, int64_t flag_id) { wait_flag_dev(flag_id); }
VINCI_ASC_BETWEEN(inter, 0)
VINCI_ASC_BETWEEN(subblock, 1)
VINCI_ASC_BETWEEN(block, 2)
#undef VINCI_ASC_BETWEEN
