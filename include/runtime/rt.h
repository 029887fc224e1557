/* The runtime below acl/acl.h by its own names, as far as programs and generated launchers call them:
 * each is a function of acl/acl_rt.h. In no document, so whatever else it has is not here. */
#ifndef VINCI_RUNTIME_RT_H
#define VINCI_RUNTIME_RT_H

#include <stdint.h>

#include "acl/acl_rt.h"
#include "runtime/rt_ffts.h"

#ifdef __cplusplus
#define VINCI_RT_OR(value) = value
extern "C" {
#else
#define VINCI_RT_OR(value)
#endif

typedef void* rtStream_t;
typedef void* rtEvent_t;
typedef void* rtContext_t;
typedef uint32_t rtMemType_t;

#define RT_MEMORY_DEFAULT 0x0U
#define RT_MEMORY_HBM 0x2U
#define RT_MEMORY_DDR 0x4U

#define RT_STREAM_DEFAULT 0x0U
#define RT_STREAM_PRIORITY_DEFAULT 0

typedef enum tagRtMemcpyKind {
  RT_MEMCPY_HOST_TO_HOST = 0,
  RT_MEMCPY_HOST_TO_DEVICE,
  RT_MEMCPY_DEVICE_TO_HOST,
  RT_MEMCPY_DEVICE_TO_DEVICE,
} rtMemcpyKind_t;

#define RT_DEV_BINARY_MAGIC_ELF 0x43554245U
#define RT_DEV_BINARY_MAGIC_ELF_AIVEC 0x41415246U
#define RT_DEV_BINARY_MAGIC_ELF_AICUBE 0x41494343U

typedef struct tagRtDevBinary {
  uint32_t magic;
  uint32_t version;
  const void* data;
  uint64_t length;
} rtDevBinary_t;

typedef struct tagRtSmDesc rtSmDesc_t; /* never given */

/* Devices. */
rtError_t rtSetDevice(int32_t device);
rtError_t rtGetDevice(int32_t* device);
rtError_t rtGetDeviceCount(int32_t* count);
rtError_t rtDeviceReset(int32_t device);
rtError_t rtDeviceSynchronize(void);
rtError_t rtGetSocVersion(char* version, const uint32_t maxLen);
rtError_t rtGetAiCoreCount(uint32_t* count);

/* Contexts. */
rtError_t rtCtxCreate(rtContext_t* context, uint32_t flags, int32_t device);
rtError_t rtCtxDestroy(rtContext_t context);
rtError_t rtCtxSetCurrent(rtContext_t context);
rtError_t rtCtxGetCurrent(rtContext_t* context);

/* Memory. */
rtError_t rtMalloc(void** devPtr, uint64_t size, rtMemType_t type,
                   const uint16_t moduleId VINCI_RT_OR(0));
rtError_t rtFree(void* devPtr);
rtError_t rtMallocHost(void** hostPtr, uint64_t size, const uint16_t moduleId VINCI_RT_OR(0));
rtError_t rtFreeHost(void* hostPtr);
rtError_t rtMemcpy(void* dst, uint64_t destMax, const void* src, uint64_t cnt, rtMemcpyKind_t kind);
rtError_t rtMemcpyAsync(void* dst, uint64_t destMax, const void* src, uint64_t cnt,
                        rtMemcpyKind_t kind, rtStream_t stream);
rtError_t rtMemset(void* devPtr, uint64_t destMax, const uint32_t value, uint64_t cnt);
rtError_t rtMemsetAsync(void* devPtr, uint64_t destMax, const uint32_t value, uint64_t cnt,
                        rtStream_t stream);

/* Streams and events. */
rtError_t rtStreamCreate(rtStream_t* stream, int32_t priority);
rtError_t rtStreamCreateWithFlags(rtStream_t* stream, int32_t priority, uint32_t flags);
rtError_t rtStreamDestroy(rtStream_t stream);
rtError_t rtStreamSynchronize(rtStream_t stream);
rtError_t rtEventCreate(rtEvent_t* event);
rtError_t rtEventDestroy(rtEvent_t event);
rtError_t rtEventRecord(rtEvent_t event, rtStream_t stream);
rtError_t rtEventSynchronize(rtEvent_t event);
rtError_t rtEventElapsedTime(float* milliseconds, rtEvent_t start, rtEvent_t end);

/* Kernels: a binary, a pointer of the program's own for each kernel of it, a launch by that pointer. */
rtError_t rtDevBinaryRegister(const rtDevBinary_t* binary, void** handle);
rtError_t rtDevBinaryUnRegister(void* handle);
rtError_t rtFunctionRegister(void* binHandle, const void* stubFunc, const char* stubName,
                             const void* kernelInfoExt, uint32_t funcMode);
rtError_t rtGetFunctionByName(const char* stubName, void** stubFunc);
rtError_t rtKernelLaunch(const void* stubFunc, uint32_t blockDim, void* args, uint32_t argsSize,
                         rtSmDesc_t* smDesc, rtStream_t stream);

#ifdef __cplusplus
}
#endif
#undef VINCI_RT_OR

#endif
