#include <cstdint>
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_rt_compile.h"

#define CHECK(call)                                                                        \
    do {                                                                                   \
        aclError code = (call);                                                            \
        if (code != ACL_SUCCESS) printf("%s: %d %s\n", #call, code, aclGetRecentErrMsg()); \
    } while (0)

const char* source = R"(
#include "kernel_operator.h"
#include "sizes.h"
#include <deep/more.h>

namespace mine {
// y = x + number, on the vector core alone.
template <typename T, int N>
__global__ __vector__ void add(__gm__ T* x, __gm__ T* y, T number)
{
    AscendC::InitSocState();
    AscendC::LocalMemAllocator<AscendC::Hardware::UB> memory;
    AscendC::LocalTensor<T> local = memory.Alloc<T, N>();
    AscendC::GlobalTensor<T> xGm, yGm;
    xGm.SetGlobalBuffer(x, N);
    yGm.SetGlobalBuffer(y, N);
    AscendC::DataCopy(local, xGm, N);
    AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);
    AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(EVENT_ID0);
    AscendC::Adds(local, local, number, N);
    AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID0);
    AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(EVENT_ID0);
    AscendC::DataCopy(yGm, local, N);
    AscendC::PipeBarrier<PIPE_ALL>();
}
} // namespace mine

template <bool B>
__global__ __mix__(1, 1) void kinds(__gm__ int32_t* out)
{
    if ASCEND_IS_AIC {
        out[0] = B ? SIZE : -SIZE;
    } else {
        out[1] = B ? MORE : -MORE;
    }
}

extern "C" __global__ __vector__ void defined(__gm__ int32_t* out) { out[0] = DEFINED; }
)";

int main()
{
    const char* headers[] = {"#pragma once\nconstexpr int SIZE = 64;\n", "#define MORE SIZE + 1\n"};
    const char* names[] = {"sizes.h", "deep/more.h"};
    const char* expressions[] = {"mine::add<float, SIZE>", "mine::add<int32_t, 8 * 2>", "kinds<true>", "kinds<false>",
                                 "defined"};
    const char* options[] = {"--npu-arch=dav-2201", "-O2", "-DDEFINED=12"};
    aclrtcProg program = nullptr;
    CHECK(aclrtcCreateProg(&program, source, "two words", 2, headers, names));
    for (const char* expression : expressions) CHECK(aclrtcAddNameExpr(program, expression));
    CHECK(aclrtcCompileProg(program, 3, options));
    size_t size = 0;
    CHECK(aclrtcGetBinDataSize(program, &size));
    std::vector<char> data(size);
    CHECK(aclrtcGetBinData(program, data.data()));

    CHECK(aclInit(nullptr));
    CHECK(aclrtSetDevice(0));
    aclrtBinHandle binary = nullptr;
    CHECK(aclrtBinaryLoadFromData(data.data(), data.size(), nullptr, &binary));
    aclrtFuncHandle functions[5];
    for (int i = 0; i < 5; i++) {
        const char* name = "";
        CHECK(aclrtcGetLoweredName(program, expressions[i], &name));
        printf("%s\n", name);
        CHECK(aclrtBinaryGetFunction(binary, name, &functions[i]));
    }
    CHECK(aclrtcDestroyProg(&program));
    printf("%d\n", program == nullptr);

    float floats[64];
    int32_t ints[64];
    void *x = nullptr, *y = nullptr;
    CHECK(aclrtMalloc(&x, 256, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMalloc(&y, 256, ACL_MEM_MALLOC_HUGE_FIRST));
    for (int i = 0; i < 64; i++) floats[i] = i;
    CHECK(aclrtMemcpy(x, 256, floats, 256, ACL_MEMCPY_HOST_TO_DEVICE));
    float half = 0.5f;
    void* arguments[] = {&x, &y, &half};
    CHECK(aclrtLaunchKernelWithArgsArray(functions[0], 1, nullptr, nullptr, arguments));
    CHECK(aclrtSynchronizeDevice());
    CHECK(aclrtMemcpy(floats, 256, y, 256, ACL_MEMCPY_DEVICE_TO_HOST));
    printf("%g %g %g\n", floats[0], floats[1], floats[63]);

    CHECK(aclrtMemset(x, 256, 0, 256));
    CHECK(aclrtMemset(y, 256, 0, 256));
    int32_t thousand = 1000;
    arguments[2] = &thousand;
    CHECK(aclrtLaunchKernelWithArgsArray(functions[1], 1, nullptr, nullptr, arguments));
    CHECK(aclrtSynchronizeDevice());
    CHECK(aclrtMemcpy(ints, 256, y, 256, ACL_MEMCPY_DEVICE_TO_HOST));
    printf("%d %d %d\n", ints[0], ints[15], ints[16]);
    for (int i = 2; i < 5; i++) {
        CHECK(aclrtLaunchKernelWithArgsArray(functions[i], 1, nullptr, nullptr, arguments + 1));
        CHECK(aclrtSynchronizeDevice());
        CHECK(aclrtMemcpy(ints, 256, y, 256, ACL_MEMCPY_DEVICE_TO_HOST));
        printf("%d %d\n", ints[0], ints[1]);
    }
    CHECK(aclrtBinaryUnLoad(binary));
    CHECK(aclrtFree(x));
    CHECK(aclrtFree(y));
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
    return 0;
}
