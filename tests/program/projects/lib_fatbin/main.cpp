#include <cstdint>
#include <cstdio>
#include <vector>

#include "acl/acl.h"

#define CHECK(call)                                                                                \
    do {                                                                                           \
        aclError code = (call);                                                                    \
        if (code != ACL_SUCCESS) printf("%s: %d %s\n", #call, code, aclGetRecentErrMsg());         \
    } while (0)

constexpr uint32_t kBlocks = 8, kTiles = 4, kLength = kBlocks * kTiles * 128;

void Append(aclrtArgsHandle list, void* value, size_t size)
{
    aclrtParamHandle handle = nullptr;
    CHECK(aclrtKernelArgsAppend(list, value, size, &handle));
}

void AppendPlaceHolders(aclrtArgsHandle list)
{
    aclrtParamHandle length = nullptr, tiles = nullptr;
    uint32_t* buffer = nullptr;
    CHECK(aclrtKernelArgsAppendPlaceHolder(list, &length));
    CHECK(aclrtKernelArgsAppendPlaceHolder(list, &tiles));
    CHECK(aclrtKernelArgsGetPlaceHolderBuffer(list, length, sizeof(uint32_t), (void**)&buffer));
    *buffer = kLength;
    CHECK(aclrtKernelArgsGetPlaceHolderBuffer(list, tiles, sizeof(uint32_t), (void**)&buffer));
    *buffer = kTiles;
}

int main()
{
    constexpr size_t bytes = kLength * sizeof(uint16_t);
    aclrtStream stream = nullptr;
    aclrtBinHandle binary = nullptr;
    aclrtFuncHandle add = nullptr, fill = nullptr;
    aclrtArgsHandle list = nullptr;
    CHECK(aclInit(nullptr));
    CHECK(aclrtSetDevice(0));
    CHECK(aclrtCreateStream(&stream));
    void* device[3];
    std::vector<aclFloat16> host(kLength);
    for (int k = 0; k < 3; k++) {
        CHECK(aclrtMalloc(&device[k], bytes, ACL_MEM_MALLOC_HUGE_FIRST));
        for (uint32_t i = 0; i < kLength; i++) host[i] = aclFloatToFloat16(k * 1000 + i % 256);
        CHECK(aclrtMemcpy(device[k], bytes, host.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
    }

    CHECK(aclrtBinaryLoadFromFile(BINARY, nullptr, &binary));
    printf("%s\n", aclrtGetSocName());
    CHECK(aclrtBinaryGetFunction(binary, "add_custom", &add));
    CHECK(aclrtKernelArgsInit(add, &list));
    for (void*& each : device) Append(list, &each, sizeof(uintptr_t));
    AppendPlaceHolders(list);
    CHECK(aclrtKernelArgsFinalize(list));
    CHECK(aclrtLaunchKernelWithConfig(add, kBlocks, stream, nullptr, list, nullptr));
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtMemcpy(host.data(), bytes, device[2], bytes, ACL_MEMCPY_DEVICE_TO_HOST));
    int wrong = 0;
    for (uint32_t i = 0; i < kLength; i++) wrong += aclFloat16ToFloat(host[i]) != 1000 + 2 * (i % 256);
    printf("%d wrong\n", wrong);

    uint8_t value = 7;
    uint32_t count = 3;
    CHECK(aclrtBinaryGetFunction(binary, "fill", &fill));
    CHECK(aclrtKernelArgsInit(fill, &list));
    Append(list, &device[0], sizeof(void*));
    Append(list, &value, sizeof(value));
    Append(list, &count, sizeof(count));
    CHECK(aclrtKernelArgsFinalize(list));
    CHECK(aclrtLaunchKernelWithConfig(fill, 1, stream, nullptr, list, nullptr));
    CHECK(aclrtSynchronizeStream(stream));
    uint8_t filled[4];
    CHECK(aclrtMemcpy(filled, 4, device[0], 4, ACL_MEMCPY_DEVICE_TO_HOST));
    // The fourth byte is the upper one of 1.0.
    printf("%d %d %d %#x\n", filled[0], filled[1], filled[2], filled[3]);

    CHECK(aclrtBinaryUnLoad(binary));
    for (void* each : device) CHECK(aclrtFree(each));
    CHECK(aclrtDestroyStreamForce(stream));
    CHECK(aclrtResetDeviceForce(0));
    CHECK(aclFinalize());
    return 0;
}
