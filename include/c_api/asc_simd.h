// The C interface of Ascend C for the 2201 generation: pointers into the core's memories and GM
// where kernel_operator.h has tensors. vinci's compiler driver makes room for `__ubuf__ float
// name[64];` and its kind.
//
// What computes comes in three forms: on `count` elements; on repeats, with the lanes of MASK and
// strides in datablocks; and, with _sync in its name, the first with a barrier for all pipes behind
// it.
#pragma once

#include "kernel_operator.h"

#if defined(__NPU_ARCH__) && __NPU_ARCH__ != 2201
#error "c_api/asc_simd.h: of the chips that vinci has, those of dav-2201 have the C interface"
#endif

#include "c_api/arithmetic.h"
#include "c_api/atomic.h"
#include "c_api/comparison.h"
#include "c_api/conversion.h"
#include "c_api/fixpipe.h"
#include "c_api/matrix_copy.h"
#include "c_api/matrix_load.h"
#include "c_api/mmad.h"
#include "c_api/rearrangement.h"
#include "c_api/reduction.h"
#include "c_api/scalar.h"
#include "c_api/sync.h"
#include "c_api/system.h"
#include "c_api/vector_copy.h"

#undef VINCI_ASC
