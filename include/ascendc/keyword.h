// The words that device code is written with. On a CPU most of them mean nothing.
#pragma once

#include <cstdint>

// The compiler driver reads the words that say what a kernel is, and takes them away.
#if !defined(VINCI_PASS_HOST) && !defined(VINCI_PASS_AIC) && !defined(VINCI_PASS_AIV) && \
    !defined(VINCI_PASS_WHOLE)
// Kernel functions go into a section of their own: that is how `vinci run` finds them. Two kernels
// with the same code stay two.
#if defined(__clang__)
#define __global__ __attribute__((used, visibility("default"), section("vinci_kernel")))
#else
#define __global__ __attribute__((used, visibility("default"), section("vinci_kernel"), no_icf))
#endif
#endif
#ifndef VINCI_PASS_HOST  // the driver reads it where the host's code is compiled, and takes it away
#define __aicore__
#endif
#define __host_aicore__
// Functions on vector registers, which no chip here has. They must not pass for scalar code. The
// host compiles without __NPU_ARCH__, and so meets those for other chips: device code like any
// other.
#ifdef VINCI_PASS_HOST
#define __simd_vf__ __aicore__
#else
#define __simd_vf__ _Pragma("GCC error \"__simd_vf__: no chip of vinci list has vector functions\"")
#endif
#define __gm__
// Variables in the core's memories, as c_api/asc_simd.h has them, are the driver's work.
#ifndef VINCI_LOCAL_VARIABLES
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __biasbuf__
#define __fbuf__
#endif
#define __ssbuf__
// Which kinds of cores a kernel is for, and how it is scheduled. A build that compiles each kind by
// itself reads the first three and takes them away.
#if !defined(VINCI_PASS_HOST) && !defined(VINCI_PASS_AIC) && !defined(VINCI_PASS_AIV) && \
    !defined(VINCI_PASS_WHOLE)
#define __vector__
#define __cube__
#define __mix__(cubes, vectors)
#endif
#define __schedmode__(mode)
#define __kfc_workspace__
#define __host__
#define __inline_force__ inline __attribute__((always_inline))
#define __forceinline__ inline __attribute__((always_inline))
// What the documents' prototypes say of a function's pipes.
#define __in_pipe__(pipe)
#define __out_pipe__(pipe)
#define __inout_pipe__(pipe)
#define __sync_noalias__
#define __sync_alias__

#ifndef GM_ADDR
#define GM_ADDR __gm__ uint8_t*
#endif
