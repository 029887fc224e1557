#include <cstdint>
#include <cstdio>

#include "acl/acl.h"

#define SAY(what, call) printf("%s %d\n", what, (int)(call))

aclrtStream stream = nullptr;
int32_t* out = nullptr;
aclrtBinHandle binary = nullptr;
aclrtFuncHandle put = nullptr;

void Load()
{
    aclrtBinHandle none = nullptr;
    SAY("no device", aclrtBinaryLoadFromFile("kernels.o", nullptr, &none));
    aclrtSetDevice(0);
    aclrtSetDevice(1);
    aclrtSetDevice(0);
    aclrtCreateStream(&stream);
    aclrtMalloc((void**)&out, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    SAY("no file", aclrtBinaryLoadFromFile("no_such.o", nullptr, &none));
    SAY("a folder", aclrtBinaryLoadFromFile(".", nullptr, &none));
    SAY("no path", aclrtBinaryLoadFromFile(nullptr, nullptr, &none));
    SAY("no place", aclrtBinaryLoadFromFile("kernels.o", nullptr, nullptr));
    SAY("text", aclrtBinaryLoadFromFile("text.o", nullptr, &none));
    SAY("host code", aclrtBinaryLoadFromFile("host.o", nullptr, &none));
    SAY("no data", aclrtBinaryLoadFromData(nullptr, 100, nullptr, &none));
    SAY("0 bytes", aclrtBinaryLoadFromData("", 0, nullptr, &none));
    aclrtBinaryLoadOption option;
    aclrtBinaryLoadOptions options{&option, 1};
    option.type = ACL_RT_BINARY_LOAD_OPT_MAGIC;
    option.value.magic = 1;
    SAY("magic", aclrtBinaryLoadFromFile("kernels.o", &options, &none));
    option.type = ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD;
    option.value.isLazyLoad = 2;
    SAY("lazy", aclrtBinaryLoadFromFile("kernels.o", &options, &none));
    option.value.isLazyLoad = 1;
    SAY("good", aclrtBinaryLoadFromFile("kernels.o", &options, &binary));
    SAY("no name", aclrtBinaryGetFunction(binary, nullptr, &put));
    SAY("no kernel", aclrtBinaryGetFunction(binary, "poot", &put));
    SAY("no binary", aclrtBinaryGetFunction(stream, "put", &put));
    SAY("entry", aclrtBinaryGetFunctionByEntry(binary, 0, &put));
    SAY("symbol", aclrtGetFuncBySymbol((void*)Load, &put));
    SAY("good", aclrtBinaryGetFunction(binary, "put", &put));
}

void Collect()
{
    int32_t value = 5;
    aclrtArgsHandle list = nullptr;
    aclrtParamHandle first = nullptr, second = nullptr;
    void* buffer = nullptr;
    SAY("no kernel", aclrtKernelArgsInit(binary, &list));
    SAY("good", aclrtKernelArgsInit(put, &list));
    SAY("no list", aclrtKernelArgsAppend(put, &value, 4, &first));
    SAY("no value", aclrtKernelArgsAppend(list, nullptr, 4, &first));
    SAY("0 bytes", aclrtKernelArgsAppend(list, &value, 0, &first));
    SAY("good", aclrtKernelArgsAppendPlaceHolder(list, &first));
    SAY("too few", aclrtKernelArgsFinalize(list));
    SAY("good", aclrtKernelArgsAppend(list, &value, 3, &second));
    SAY("no buffer", aclrtKernelArgsFinalize(list));
    SAY("no place holder", aclrtKernelArgsGetPlaceHolderBuffer(list, second, 4, &buffer));
    SAY("0 bytes", aclrtKernelArgsGetPlaceHolderBuffer(list, first, 0, &buffer));
    SAY("good", aclrtKernelArgsGetPlaceHolderBuffer(list, first, 64, &buffer));
    SAY("3 bytes", aclrtKernelArgsFinalize(list));
    SAY("update", aclrtKernelArgsParaUpdate(list, second, &value, 4));
    SAY("no argument", aclrtKernelArgsParaUpdate(list, first, &value, 4));
    SAY("not final", aclrtLaunchKernelWithConfig(put, 1, stream, nullptr, list, nullptr));

    SAY("good", aclrtKernelArgsInit(put, &list));
    SAY("good", aclrtKernelArgsAppend(list, &out, 8, &first));
    SAY("good", aclrtKernelArgsAppend(list, &value, 4, &second));
    SAY("good", aclrtKernelArgsFinalize(list));
    SAY("after the end", aclrtKernelArgsAppend(list, &value, 4, &second));
    SAY("reserve", aclrtLaunchKernelWithConfig(put, 1, stream, nullptr, list, list));
    SAY("good", aclrtKernelArgsInit(put, &list));
    int failed = 0;
    for (int i = 0; i < 129; i++) failed += aclrtKernelArgsAppend(list, &value, 4, &second) != 0;
    SAY("129 arguments", failed);
    char handle[64];
    SAY("good", aclrtKernelArgsInitByUserMem(put, handle, &value, 15));
    SAY("good", aclrtKernelArgsAppend(handle, &out, 8, &first));
    SAY("no room", aclrtKernelArgsAppend(handle, &value, 4, &first));
}

void Launch()
{
    int32_t value = 5;
    void* array[] = {&out, nullptr};
    struct {
        int32_t* out;
        int32_t value;
        int32_t data;
    } block{out, value, 0};
    SAY("no kernel", aclrtLaunchKernelWithArgsArray(binary, 1, stream, nullptr, array));
    SAY("null argument", aclrtLaunchKernelWithArgsArray(put, 1, stream, nullptr, array));
    SAY("null arguments", aclrtLaunchKernelWithArgsArray(put, 1, stream, nullptr, nullptr));
    array[1] = &value;
    SAY("no blocks", aclrtLaunchKernelWithArgsArray(put, 0, stream, nullptr, array));
    SAY("no stream", aclrtLaunchKernelWithArgsArray(put, 1, put, nullptr, array));
    SAY("few bytes", aclrtLaunchKernelWithHostArgs(put, 1, stream, nullptr, &block, 11, nullptr, 0));
    SAY("no block", aclrtLaunchKernelWithHostArgs(put, 1, stream, nullptr, nullptr, 12, nullptr, 0));
    aclrtPlaceHolderInfo place{4, 12};
    SAY("place", aclrtLaunchKernelWithHostArgs(put, 1, stream, nullptr, &block, 16, &place, 1));
    place = {0, 16};
    SAY("data", aclrtLaunchKernelWithHostArgs(put, 1, stream, nullptr, &block, 16, &place, 1));
    SAY("host memory", aclrtLaunchKernel(put, 1, &block, sizeof(block), stream));
    SAY("past the end", aclrtLaunchKernel(put, 1, out, 65, stream));
    aclrtLaunchKernelAttr attributes[2];
    aclrtLaunchKernelCfg configuration{attributes, 1};
    attributes[0].id = (aclrtLaunchKernelAttrId)10;
    SAY("attribute", aclrtLaunchKernelV2(put, 1, out, 64, &configuration, stream));
    attributes[0].id = ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE;
    attributes[0].value.schemMode = 2;
    SAY("mode", aclrtLaunchKernelV2(put, 1, out, 64, &configuration, stream));
    attributes[0].id = ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT;
    attributes[1].id = ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US;
    configuration.numAttrs = 2;
    SAY("two limits", aclrtLaunchKernelV2(put, 1, out, 64, &configuration, stream));
    aclrtSetDevice(1);
    SAY("device", aclrtLaunchKernelWithArgsArray(put, 1, nullptr, nullptr, array));
    aclrtSetDevice(0);
    SAY("good", aclrtLaunchKernelWithArgsArray(put, 1, stream, nullptr, array));
    SAY("good", aclrtSynchronizeStream(stream));
    aclrtFuncHandle past = nullptr;
    SAY("good", aclrtBinaryGetFunction(binary, "past_the_end", &past));
    SAY("good", aclrtLaunchKernelWithArgsArray(past, 1, stream, nullptr, array));
    SAY("kernel", aclrtSynchronizeStream(stream));
}

int main()
{
    aclInit(nullptr);
    Load();
    Collect();
    Launch();
    size_t size = 1, other = 1;
    void* address = &size;
    SAY("good", aclrtBinaryGetDevAddress(binary, &address, &size));
    SAY(address == nullptr && size == 0 ? "lazy" : "there", ACL_SUCCESS);
    SAY("sizes", aclrtGetFunctionSize(put, &size, &other));
    SAY("variable", aclrtBinaryGetGlobal(binary, "counter", &address, &size));
    SAY("good", aclrtBinaryUnLoad(binary));
    SAY("twice", aclrtBinaryUnLoad(binary));
    SAY("bytes", aclrtBinaryGetDevAddress(binary, &address, &size));
    SAY("gone", aclrtLaunchKernelWithArgsArray(put, 1, stream, nullptr, nullptr));
    return 0;
}
