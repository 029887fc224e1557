/* What programs of older style call for the address by which cores of a kernel wait for each other:
 * aclrtGetHardwareSyncAddr is the newer name. */
#ifndef VINCI_RUNTIME_RT_FFTS_H
#define VINCI_RUNTIME_RT_FFTS_H

#include "acl/acl_rt.h"

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
