// The words that device code is written with. On a CPU most of them mean nothing.
#pragma once

#include <cstdint>

// Kernel functions go into a section of their own: that is how `vinci run` finds them. Two kernels
// with the same code stay two.
#if defined(__clang__)
#define __global__ __attribute__((used, visibility("default"), section("vinci_kernel")))
#else
#define __global__ __attribute__((used, visibility("default"), section("vinci_kernel"), no_icf))
#endif
#define __aicore__
#define __host_aicore__
// Functions on vector registers, which no chip here has. They must not pass for scalar code.
#define __simd_vf__ _Pragma("GCC error \"__simd_vf__: no chip of vinci list has vector functions\"")
#define __gm__
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __fbuf__
#define __ssbuf__
#define __inline_force__ inline __attribute__((always_inline))
#define __sync_noalias__
#define __sync_alias__

#ifndef GM_ADDR
#define GM_ADDR __gm__ uint8_t*
#endif
