// For programs with their own main(): GM and kernel launches on the CPU. Compile with `vinci c++`.
#pragma once

#include "kernel_operator.h"
#include "vinci/host.h"
#include "vinci/tiling_key.h"

#ifndef VINCI_SOC
#error "compile with `vinci c++ --soc CHIP`, which names the chip"
#endif

enum class KernelMode : uint8_t { MIX_MODE, AIC_MODE, AIV_MODE, MIX_AIC_1_1 };

namespace AscendC {

using ::KernelMode;

// `bytes` of GM: the only memory whose address may be given to a kernel. Each file has its own of
// this function, for its chip.
[[maybe_unused]] static void* GmAlloc(size_t bytes) { return vinci::host_alloc(VINCI_SOC, bytes); }
inline void GmFree(void* data) { vinci::host_free(data); }

// Which of a split core's halves the kernel is for. Cores are whole here, so it changes nothing.
inline void SetKernelMode(KernelMode) {}

}  // namespace AscendC

// Which branch TILING_KEY_IS takes in the runs that follow; 0 at first.
#define ICPU_SET_TILING_KEY(key) vinci::set_tiling_key(key)

#define ICPU_RUN_KF(kernel, blocks, ...) \
  vinci::host_launch(VINCI_SOC, #kernel, blocks, [&] { kernel(__VA_ARGS__); })
