// TILING_KEY_IS, by which kernels choose a branch.
#pragma once

#include "vinci/tiling_data.h"
#include "vinci/tiling_key.h"

// A build for one key defines it as TILING_KEY_VAR; otherwise the program sets it, or it is 0. For a
// kernel of a package vinci/package_kernel.h has it once more.
#ifdef TILING_KEY_VAR
#define TILING_KEY_IS(key) (::vinci::is_tiling_key(TILING_KEY_VAR, key))
#else
#define TILING_KEY_IS(key) (::vinci::tiling_key() == uint64_t(key))
#endif
#define TILING_KEY_LIST(one, other) (TILING_KEY_IS(one) || TILING_KEY_IS(other))
