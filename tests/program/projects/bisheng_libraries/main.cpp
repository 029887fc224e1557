#include <cstdint>
#include <fstream>
#include <vector>

#include "acl/acl.h"

void twice_do(uint32_t blocks, void* stream, uint8_t* x, uint8_t* y, uint32_t length);

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

    constexpr uint32_t length = 4096;
    std::vector<float> x(length);
    for (size_t i = 0; i < x.size(); ++i) x[i] = float(i % 37) - 18;
    uint8_t* xDevice = Upload(x);
    uint8_t* yDevice = Upload(std::vector<float>(length));
    twice_do(8, stream, xDevice, yDevice, length);
    aclrtSynchronizeStream(stream);
    Save("y.bin", yDevice, length * sizeof(float));

    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    aclFinalize();
    return 0;
}
