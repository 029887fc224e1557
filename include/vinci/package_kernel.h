// What kernels of operator packages know beside what all kernels do. It comes behind
// kernel_operator.h, which is compiled once for all of them; then the package's definitions.
#pragma once

#include "kernel_operator.h"

#define VINCI_PACKAGE_KERNEL 1

// A package is for the chip: what its kernels leave out of the CPU twin, as SyncAll, is there.
#undef ASCENDC_CPU_DEBUG
#undef __CCE_KT_TEST__

template <>
inline constexpr bool vinci::kIsOfPackage<void> = true;

// TILING_KEY_VAR: the key that this compilation is for.
#undef TILING_KEY_IS
#define TILING_KEY_IS(key) (::vinci::is_tiling_key(TILING_KEY_VAR, key))
