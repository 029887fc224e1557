#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/rt.h"

#define CHECK(call)                                     \
    do {                                                \
        rtError_t code = (call);                        \
        if (code != RT_ERROR_NONE) printf("%s: %d\n", #call, code); \
    } while (0)

int call(uint8_t* out, void* stream);

static char* read_all(const char* name, uint64_t* length)
{
    FILE* file = fopen(name, "rb");
    fseek(file, 0, SEEK_END);
    *length = ftell(file);
    rewind(file);
    char* data = malloc(*length);
    if (fread(data, 1, *length, file) != *length) exit(3);
    fclose(file);
    return data;
}

int main(void)
{
    int32_t count = 0, device = -1;
    uint32_t cores = 0;
    char version[32], small[4];
    rtStream_t stream = NULL;
    CHECK(rtGetDeviceCount(&count));
    CHECK(rtSetDevice(0));
    CHECK(rtGetDevice(&device));
    CHECK(rtGetSocVersion(version, sizeof(version)));
    CHECK(rtGetAiCoreCount(&cores));
    printf("device %d of %d: %s, %u\n", device, count, version, cores);
    printf("short %d\n", rtGetSocVersion(small, sizeof(small)) != RT_ERROR_NONE);
    CHECK(rtStreamCreate(&stream, RT_STREAM_PRIORITY_DEFAULT));

    int32_t flags[32] = {0};
    void* out = NULL;
    CHECK(rtMalloc(&out, sizeof(flags), RT_MEMORY_HBM, 0));
    CHECK(rtMemset(out, sizeof(flags), 0, sizeof(flags)));
    printf("call %d\n", call(out, stream));
    CHECK(rtStreamSynchronize(stream));
    CHECK(rtMemcpy(flags, sizeof(flags), out, sizeof(flags), RT_MEMCPY_DEVICE_TO_HOST));
    printf("flags %d %d\n", flags[0], flags[16]);

    rtDevBinary_t binary = {RT_DEV_BINARY_MAGIC_ELF_AIVEC, 0, NULL, 0};
    binary.data = read_all("scale.o", &binary.length);
    void *handle = NULL, *found = NULL;
    static int stub, other;
    CHECK(rtDevBinaryRegister(&binary, &handle));
    CHECK(rtFunctionRegister(handle, &stub, "scale_0", "scale", 0));
    CHECK(rtGetFunctionByName("scale_0", &found));
    printf("found %d, unknown %d\n", found == (void*)&stub,
           rtGetFunctionByName("scale_1", &found) != RT_ERROR_NONE);

    float x[128], *host = NULL;
    for (int i = 0; i < 128; ++i) x[i] = i;
    void *from = NULL, *to = NULL;
    rtEvent_t start = NULL, end = NULL;
    float passed = -1;
    CHECK(rtMallocHost((void**)&host, sizeof(x), 0));
    CHECK(rtMalloc(&from, sizeof(x), RT_MEMORY_HBM, 0));
    CHECK(rtMalloc(&to, sizeof(x), RT_MEMORY_HBM, 0));
    CHECK(rtMemcpyAsync(from, sizeof(x), x, sizeof(x), RT_MEMCPY_HOST_TO_DEVICE, stream));
    CHECK(rtMemsetAsync(to, sizeof(x), 0, sizeof(x), stream));
    struct __attribute__((packed)) {
        void *x, *y;
        float by;
    } args = {from, to, 0.5f};
    CHECK(rtEventCreate(&start));
    CHECK(rtEventCreate(&end));
    CHECK(rtEventRecord(start, stream));
    CHECK(rtKernelLaunch(&stub, 2, &args, sizeof(args), NULL, stream));
    CHECK(rtEventRecord(end, stream));
    CHECK(rtEventSynchronize(end));
    CHECK(rtEventElapsedTime(&passed, start, end));
    CHECK(rtDeviceSynchronize());
    CHECK(rtMemcpy(host, sizeof(x), to, sizeof(x), RT_MEMCPY_DEVICE_TO_HOST));
    printf("scaled %g %g %g, in time %d\n", host[1], host[64], host[127], passed >= 0);
    printf("unregistered %d\n", rtKernelLaunch(&other, 1, &args, sizeof(args), NULL, stream) != RT_ERROR_NONE);

    CHECK(rtEventDestroy(start));
    CHECK(rtEventDestroy(end));
    CHECK(rtFreeHost(host));
    CHECK(rtFree(from));
    CHECK(rtFree(to));
    CHECK(rtFree(out));
    CHECK(rtDevBinaryUnRegister(handle));
    CHECK(rtStreamDestroy(stream));
    CHECK(rtDeviceReset(0));
    free((void*)binary.data);
    return 0;
}
