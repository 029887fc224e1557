/* What programs of older style, template libraries and generated ones ask for the address by which
 * cores of a kernel wait for each other; kernels that were launched with it as their last argument give
 * it to SetSyncBaseAddr. aclrtGetHardwareSyncAddr is the newer name. */
#ifndef VINCI_RUNTIME_RT_FFTS_H
#define VINCI_RUNTIME_RT_FFTS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int32_t rtError_t;
#define RT_ERROR_NONE 0

/* `len` becomes its bytes. */
rtError_t rtGetC2cCtrlAddr(uint64_t* addr, uint32_t* len);

#ifdef __cplusplus
}
#endif

#endif
