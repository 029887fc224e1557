#include <cstdint>
#include <cstdio>
#include <fstream>
#include <vector>

#include "acl/acl.h"
#include "aclrtlaunch_negate_twice.h"

void negate_do(uint32_t blocks, void* l2ctrl, void* stream, uint8_t* x, uint8_t* y, uint32_t length, int times);

template <typename T>
uint8_t* Upload(const std::vector<T>& host)
{
    void* device = nullptr;
    size_t bytes = host.size() * sizeof(T);
    aclrtMalloc(&device, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(device, bytes, host.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE);
    return static_cast<uint8_t*>(device);
}

void Save(const char* path, const uint8_t* device, size_t bytes)
{
    std::vector<char> host(bytes);
    aclrtMemcpy(host.data(), bytes, device, bytes, ACL_MEMCPY_DEVICE_TO_HOST);
    std::ofstream(path, std::ios::binary).write(host.data(), bytes);
}

int main()
{
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtStream stream = nullptr;
    aclrtCreateStream(&stream);

    constexpr uint32_t length = 2048;
    std::vector<float> x(length);
    for (uint32_t i = 0; i < length; ++i) x[i] = float(i);
    uint8_t* xDevice = Upload(x);
    uint8_t* yDevice = Upload(std::vector<float>(length));
    for (int times = 1; times <= 2; ++times) {
        negate_do(4, nullptr, stream, xDevice, yDevice, length, times);
        aclrtSynchronizeStream(stream);
        Save(times == 1 ? "y.bin" : "twice.bin", yDevice, length * sizeof(float));
    }
    ACLRT_LAUNCH_KERNEL(negate_twice)(4, stream, yDevice, yDevice, length);
    aclrtSynchronizeStream(stream);
    Save("four_times.bin", yDevice, length * sizeof(float));

    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    aclFinalize();
    return 0;
}
