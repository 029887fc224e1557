/* The frame of two-phase operator calls. What they do: docs/guide/aclnn.md. */
#ifndef VINCI_ACLNN_ACLNN_BASE_H
#define VINCI_ACLNN_ACLNN_BASE_H

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As aclInit and aclFinalize, but that they may be called any number of times. */
aclnnStatus aclnnInit(const char* configuration);
aclnnStatus aclnnFinalize(void);

#ifdef __cplusplus
}
#endif

#endif
