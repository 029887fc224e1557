#include <cstdint>
#include <cstdio>
#include <fstream>
#include <vector>

#include "acl/acl.h"
#include "aclrtlaunch_multiply.h"

std::vector<uint16_t> Read(const char* path, size_t count)
{
    std::vector<uint16_t> data(count);
    std::ifstream(path, std::ios::binary).read((char*)data.data(), count * sizeof(uint16_t));
    return data;
}

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

    constexpr size_t count = 8 * 64 * 64;
    uint8_t* aDevice = Upload(Read("a.bin", count));
    uint8_t* bDevice = Upload(Read("b.bin", count));
    uint8_t* cDevice = Upload(std::vector<float>(count));
    ACLRT_LAUNCH_KERNEL(multiply)(8, stream, aDevice, bDevice, cDevice);
    aclrtSynchronizeStream(stream);
    Save("c.bin", cDevice, count * sizeof(float));

    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    aclFinalize();
    return 0;
}
