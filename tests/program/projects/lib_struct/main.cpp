#include <cstdint>
#include <cstdio>
#include <fstream>
#include <vector>

#include "acl/acl.h"
#include "numbers.h"
#include "aclrtlaunch_count_up.h"

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

    uint8_t* outDevice = Upload(std::vector<int64_t>(64));
    Numbers numbers = {64, 1000000000000, -3};
    aclrtlaunch_count_up(2, stream, outDevice, numbers, 7, 0.5f);
    aclrtSynchronizeStream(stream);
    Save("out.bin", outDevice, 64 * sizeof(int64_t));

    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    aclFinalize();
    return 0;
}
