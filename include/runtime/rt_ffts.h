/* Where cores tell each other of flags: kernels that were launched with it as their last argument give
 * it to SetSyncBaseAddr. */
#ifndef VINCI_RUNTIME_RT_FFTS_H
#define VINCI_RUNTIME_RT_FFTS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int32_t rtError_t;
#define RT_ERROR_NONE 0

rtError_t rtGetC2cCtrlAddr(uint64_t* addr, uint32_t* len);

#ifdef __cplusplus
}
#endif

#endif
