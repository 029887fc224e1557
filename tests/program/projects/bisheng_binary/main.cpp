#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "acl/acl.h"

#define CHECK(call)                                                                  \
    do {                                                                             \
        aclError code = (call);                                                      \
        if (code != ACL_SUCCESS) printf("%s: %d %s\n", #call, code, aclGetRecentErrMsg()); \
    } while (0)

struct Scale {
    int32_t factor;
    int8_t shift;
    double extra;
};

constexpr uint16_t kLength = 64;

aclrtStream stream = nullptr;
int32_t *x = nullptr, *y = nullptr;

void Print(const char* what, int count)
{
    CHECK(aclrtSynchronizeStream(stream));
    std::vector<int32_t> host(count);
    CHECK(aclrtMemcpy(host.data(), count * 4, y, count * 4, ACL_MEMCPY_DEVICE_TO_HOST));
    printf("%s:", what);
    for (int32_t value : host) printf(" %d", value);
    printf("\n");
    CHECK(aclrtMemset(y, kLength * 4, 0, kLength * 4));
}

aclrtFuncHandle Get(aclrtBinHandle binary, const char* name)
{
    aclrtFuncHandle function = nullptr;
    CHECK(aclrtBinaryGetFunction(binary, name, &function));
    return function;
}

void LaunchInAllWays(aclrtFuncHandle scale)
{
    Scale by{3, -4, 2.5};
    // One after the other.
    aclrtArgsHandle list = nullptr;
    aclrtParamHandle handles[4];
    uint16_t length = kLength;
    CHECK(aclrtKernelArgsInit(scale, &list));
    CHECK(aclrtKernelArgsAppend(list, &x, sizeof(x), &handles[0]));
    CHECK(aclrtKernelArgsAppend(list, &y, sizeof(y), &handles[1]));
    CHECK(aclrtKernelArgsAppend(list, &length, sizeof(length), &handles[2]));
    CHECK(aclrtKernelArgsAppend(list, &by, sizeof(by), &handles[3]));
    CHECK(aclrtKernelArgsFinalize(list));
    aclrtLaunchKernelAttr attribute;
    attribute.id = ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE;
    attribute.value.schemMode = 1;
    aclrtLaunchKernelCfg configuration{&attribute, 1};
    CHECK(aclrtLaunchKernelWithConfig(scale, 2, stream, &configuration, list, nullptr));
    Print("list", 4);
    by.factor = 10;
    CHECK(aclrtKernelArgsParaUpdate(list, handles[3], &by, sizeof(by)));
    CHECK(aclrtKernelArgsFinalize(list));
    CHECK(aclrtLaunchKernelWithConfig(scale, 8, stream, nullptr, list, nullptr));
    Print("update", 4);

    // An array.
    void* array[] = {&x, &y, &length, &by};
    by.factor = 2;
    CHECK(aclrtLaunchKernelWithArgsArray(scale, 4, stream, nullptr, array));
    by.factor = 77; // taken when it was launched
    Print("array", 4);

    // A struct, and words of eight bytes.
    struct {
        int32_t *x, *y;
        uint16_t length;
        Scale by;
    } block{x, y, kLength, {5, 0, 0}};
    CHECK(aclrtLaunchKernelWithHostArgs(scale, 1, stream, nullptr, &block, sizeof(block), nullptr, 0));
    Print("struct", 4);

    // The arguments in device memory, as it is when the kernel begins.
    void* device = nullptr;
    CHECK(aclrtMalloc(&device, sizeof(block), ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMemcpyAsync(device, sizeof(block), &block, sizeof(block), ACL_MEMCPY_HOST_TO_DEVICE, stream));
    CHECK(aclrtLaunchKernel(scale, 1, device, sizeof(block), stream));
    Print("device", 4);
    CHECK(aclrtLaunchKernelV2(scale, 2, device, sizeof(block), &configuration, stream));
    Print("V2", 4);
    CHECK(aclrtFree(device));
}

void LaunchWithPlaceHolder(aclrtFuncHandle scale)
{
    // x is not copied by the program: the numbers stand behind the arguments.
    struct {
        void* x;
        int32_t* y;
        uint16_t length;
        Scale by;
        int32_t data[8];
    } block{nullptr, y, 8, {1, 0, 0}, {9, 8, 7, 6, 5, 4, 3, 2}};
    aclrtPlaceHolderInfo place{0, uint32_t(offsetof(decltype(block), data))};
    CHECK(aclrtLaunchKernelWithHostArgs(scale, 1, stream, nullptr, &block, sizeof(block), &place, 1));
    block.data[0] = 0; // taken when it was launched
    Print("place", 8);

    alignas(8) char memory[128], handle[256];
    size_t bytes = 0;
    CHECK(aclrtKernelArgsGetHandleMemSize(scale, &bytes));
    CHECK(aclrtKernelArgsGetMemSize(scale, 72, &bytes));
    aclrtParamHandle handles[4];
    aclrtArgsHandle list = handle;
    uint16_t length = 8;
    Scale by{-1, 0, 0};
    int32_t* buffer = nullptr;
    CHECK(aclrtKernelArgsInitByUserMem(scale, list, memory, bytes));
    CHECK(aclrtKernelArgsAppendPlaceHolder(list, &handles[0]));
    CHECK(aclrtKernelArgsAppend(list, &y, sizeof(y), &handles[1]));
    CHECK(aclrtKernelArgsAppend(list, &length, sizeof(length), &handles[2]));
    CHECK(aclrtKernelArgsAppend(list, &by, sizeof(by), &handles[3]));
    CHECK(aclrtKernelArgsGetPlaceHolderBuffer(list, handles[0], 8 * sizeof(int32_t), (void**)&buffer));
    for (int32_t i = 0; i < 8; i++) buffer[i] = i;
    CHECK(aclrtKernelArgsFinalize(list));
    CHECK(aclrtLaunchKernelWithConfig(scale, 1, stream, nullptr, list, nullptr));
    Print("list of place", 8);
}

// What the handle of a kernel says.
void Ask(aclrtBinHandle binary, aclrtFuncHandle scale, aclrtFuncHandle kinds)
{
    char name[32];
    size_t count = 0, offset = 0, size = 0;
    int64_t value = 0;
    aclrtBinHandle of = nullptr;
    CHECK(aclrtGetFunctionName(scale, sizeof(name), name));
    CHECK(aclrtFunctionGetParamCount(scale, &count));
    CHECK(aclrtFunctionGetBinary(scale, &of));
    printf("%s %zu %d\n", name, count, of == binary);
    for (size_t i = 0; i < count; i++) {
        CHECK(aclrtFunctionGetParamInfo(scale, i, &offset, &size));
        printf("%zu+%zu ", offset, size);
    }
    for (aclrtFuncHandle function : {scale, kinds}) {
        CHECK(aclrtGetFunctionAttribute(function, ACL_FUNC_ATTR_KERNEL_TYPE, &value));
        printf("type %d ", (int)value);
        CHECK(aclrtGetFunctionAttribute(function, ACL_FUNC_ATTR_KERNEL_RATIO, &value));
        uint16_t ratio[4];
        memcpy(ratio, &value, sizeof(value));
        void *aic = nullptr, *aiv = nullptr;
        CHECK(aclrtGetFunctionAddr(function, &aic, &aiv));
        printf("%d:%d %d %d ", ratio[1], ratio[0], aic != nullptr, aiv != nullptr);
    }
    void* bytes = nullptr;
    CHECK(aclrtBinaryGetDevAddress(binary, &bytes, &size));
    std::ifstream file("./kernels.o", std::ios::binary);
    std::string same(std::istreambuf_iterator<char>(file), {});
    printf("\nbytes %d\n", size == same.size() && memcmp(bytes, same.data(), size) == 0);
}

int main()
{
    CHECK(aclInit(nullptr));
    CHECK(aclrtSetDevice(0));
    CHECK(aclrtCreateStream(&stream));
    CHECK(aclrtMalloc((void**)&x, kLength * 4, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMalloc((void**)&y, kLength * 4, ACL_MEM_MALLOC_HUGE_FIRST));
    std::vector<int32_t> numbers(kLength);
    for (int32_t i = 0; i < kLength; i++) numbers[i] = i;
    CHECK(aclrtMemcpy(x, kLength * 4, numbers.data(), kLength * 4, ACL_MEMCPY_HOST_TO_DEVICE));

    aclrtBinHandle binary = nullptr;
    CHECK(aclrtBinaryLoadFromFile("./kernels.o", nullptr, &binary));
    aclrtFuncHandle scale = Get(binary, "scale");
    LaunchInAllWays(scale);

    aclrtFuncHandle kinds = Get(binary, "_ZN5outer5kindsEPi"), plain = Get(binary, "kinds");
    printf("same %d\n", kinds == plain && Get(binary, "outer::kinds") == kinds);
    void* one[] = {&y};
    CHECK(aclrtLaunchKernelWithArgsArray(kinds, 2, stream, nullptr, one));
    Print("kinds", 6);
    Ask(binary, scale, kinds);

    float value = 2.5f;
    void* two[] = {&y, &value};
    CHECK(aclrtLaunchKernelWithArgsArray(Get(binary, "_ZN5outer3putEPff"), 1, stream, nullptr, two));
    Print("put float", 1);
    CHECK(aclrtLaunchKernelWithArgsArray(Get(binary, "_ZN5outer3putEPi"), 1, stream, nullptr, one));
    Print("put int", 1);

    // An object file, from memory; variables of each binary are its own.
    std::ifstream file("relocatable.o", std::ios::binary);
    std::string bytes(std::istreambuf_iterator<char>(file), {});
    aclrtBinaryLoadOption option;
    option.type = ACL_RT_BINARY_LOAD_OPT_MAGIC;
    option.value.magic = ACL_RT_BINARY_MAGIC_ELF_AICORE;
    aclrtBinaryLoadOptions options{&option, 1};
    aclrtBinHandle other = nullptr, again = nullptr;
    CHECK(aclrtBinaryLoadFromData(bytes.data(), bytes.size(), &options, &other));
    CHECK(aclrtBinaryLoadFromFile("./kernels.o", &options, &again));
    LaunchWithPlaceHolder(Get(other, "scale"));
    for (aclrtBinHandle each : {binary, binary, other, again}) {
        CHECK(aclrtLaunchKernelWithArgsArray(Get(each, "counts"), 1, stream, nullptr, one));
        Print("counts", 1);
    }
    // A launch that was given before its binary went.
    CHECK(aclrtLaunchKernelWithArgsArray(Get(again, "counts"), 1, stream, nullptr, one));
    for (aclrtBinHandle each : {binary, other, again}) CHECK(aclrtBinaryUnLoad(each));
    Print("counts", 1);
    CHECK(aclrtFree(x));
    CHECK(aclrtFree(y));
    CHECK(aclrtDestroyStream(stream));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
    return 0;
}
