/* What streams wait for besides events: notifies, values in device memory, functions that a thread
 * of the program runs. */
#ifndef VINCI_ACL_ACL_RT_SIGNAL_H
#define VINCI_ACL_ACL_RT_SIGNAL_H

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*aclrtCallback)(void* userData);

typedef enum aclrtCallbackBlockType {
  ACL_CALLBACK_NO_BLOCK = 0,
  ACL_CALLBACK_BLOCK = 1,
} aclrtCallbackBlockType;

typedef enum aclrtReduceKind {
  ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM = 10,
  ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX = 11,
  ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN = 12,
  ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL = 13,
} aclrtReduceKind;

/* How aclrtValueWait compares, by the names of older and of newer releases. */
#define ACL_VALUE_WAIT_GEQ 0x0U
#define ACL_VALUE_WAIT_EQ 0x1U
#define ACL_VALUE_WAIT_AND 0x2U
#define ACL_VALUE_WAIT_NOR 0x3U
#define ACL_STREAM_WAIT_VALUE_GEQ 0x0U
#define ACL_STREAM_WAIT_VALUE_EQ 0x1U
#define ACL_STREAM_WAIT_VALUE_AND 0x2U
#define ACL_STREAM_WAIT_VALUE_NOR 0x3U

#define ACL_NOTIFY_DEFAULT 0x00000000U
#define ACL_NOTIFY_DEVICE_USE_ONLY 0x00000001U

/* A stream sets a notify, another one waits for it and takes it back. */
aclError aclrtCreateNotify(aclrtNotify* notify, uint64_t flag);
aclError aclrtDestroyNotify(aclrtNotify notify);
aclError aclrtRecordNotify(aclrtNotify notify, aclrtStream stream);
aclError aclrtWaitAndResetNotify(aclrtNotify notify, aclrtStream stream,
                                 uint32_t timeout); /* s, 0: none */
aclError aclrtGetNotifyId(aclrtNotify notify, uint32_t* notifyId);
aclError aclrtNotifyBatchReset(aclrtNotify* notifies, size_t num);

/* Eight bytes of device memory. */
aclError aclrtValueWrite(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream);
aclError aclrtValueWait(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream);

/* dst = dst + src, or the larger or smaller of both; count is in bytes. */
aclError aclrtReduceAsync(void* dst, const void* src, uint64_t count, aclrtReduceKind kind,
                          aclDataType type, aclrtStream stream, void* reserve);

/* Functions of the program, between what a stream does, in a thread of the program's own that calls
 * aclrtProcessReport. */
aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream);
aclError aclrtLaunchCallback(aclrtCallback fn, void* userData, aclrtCallbackBlockType blockType,
                             aclrtStream stream);
aclError aclrtProcessReport(int32_t timeout); /* ms, -1: none */
aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
