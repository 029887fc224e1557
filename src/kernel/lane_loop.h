// For loops over lanes: out[i] depends on the inputs' element i only.
#pragma once

// Before a `for` whose steps do not depend on each other, also when out and an input are one array.
#if defined(__clang__)
#define VINCI_LANE_LOOP _Pragma("clang loop vectorize(assume_safety)")
#else
#define VINCI_LANE_LOOP _Pragma("GCC ivdep")
#endif
