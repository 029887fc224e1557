#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_rt_compile.h"

#define SAY(what, call) printf("%s %d\n", what, (int)(call))

const char* good = "#include \"kernel_operator.h\"\n"
                   "extern \"C\" __global__ __vector__ void k(__gm__ int32_t* out)\n"
                   "{\n    AscendC::GlobalTensor<int32_t> gm;\n"
                   "    gm.SetGlobalBuffer(out, 16);\n    gm.SetValue(16, 1);\n}\n"
                   "template <int N> __global__ void t() {}\n";

aclrtcProg Make(const char* source)
{
    aclrtcProg program = nullptr;
    if (aclrtcCreateProg(&program, source, "demo.asc", 0, nullptr, nullptr) != 0) printf("none\n");
    return program;
}

// What the compiler said has these words.
void SayLog(aclrtcProg program, const char* words)
{
    size_t size = 0;
    SAY("good", aclrtcGetCompileLogSize(program, &size));
    std::vector<char> log(size, 'x');
    SAY("good", aclrtcGetCompileLog(program, log.data()));
    printf("%s: %d %d\n", words, strlen(log.data()) + 1 == size, strstr(log.data(), words) != nullptr);
}

int main()
{
    aclrtcProg program = nullptr;
    const char *text = "", *name = "../outside.h", *lowered = nullptr, *option = nullptr;
    size_t size = 0;
    SAY("no place", aclrtcCreateProg(nullptr, good, "a", 0, nullptr, nullptr));
    SAY("no source", aclrtcCreateProg(&program, nullptr, "a", 0, nullptr, nullptr));
    SAY("headers", aclrtcCreateProg(&program, good, "a", -1, nullptr, nullptr));
    SAY("headers", aclrtcCreateProg(&program, good, "a", 1, nullptr, nullptr));
    SAY("outside", aclrtcCreateProg(&program, good, nullptr, 1, &text, &name));
    SAY("no program", aclrtcCompileProg(nullptr, 0, nullptr));
    SAY("no program", aclrtcDestroyProg(nullptr));

    program = Make(good);
    SAY("no name", aclrtcAddNameExpr(program, nullptr));
    SAY("options", aclrtcCompileProg(program, 1, nullptr));
    SAY("null option", aclrtcCompileProg(program, 1, &option));
    option = "--npu-arch=dav-9999";
    SAY("no chip", aclrtcCompileProg(program, 1, &option));
    SayLog(program, "vinci has no chip of the architecture dav-9999");
    option = "--no-such-option";
    SAY("no option", aclrtcCompileProg(program, 1, &option));
    SAY("not yet", aclrtcGetBinDataSize(program, &size));
    SAY("not yet", aclrtcGetLoweredName(program, "t<1>", &lowered));
    SAY("good", aclrtcAddNameExpr(program, "t<1>"));
    SAY("good", aclrtcCompileProg(program, 0, nullptr));
    SAY("too late", aclrtcAddNameExpr(program, "t<2>"));
    SAY("unknown", aclrtcGetLoweredName(program, "t< 1 >", &lowered));
    SAY("no place", aclrtcGetLoweredName(program, "t<1>", nullptr));
    SAY("no place", aclrtcGetBinData(program, nullptr));
    SAY("good", aclrtcGetLoweredName(program, "t<1>", &lowered));
    SAY("good", aclrtcGetBinDataSize(program, &size));
    std::vector<char> data(size);
    SAY("good", aclrtcGetBinData(program, data.data()));
    aclrtcProg gone = program;
    SAY("good", aclrtcDestroyProg(&program));
    SAY("twice", aclrtcDestroyProg(&gone));

    program = Make("#include \"kernel_operator.h\"\n__global__ __vector__ void k() { no_such_name(); }\n");
    SAY("error", aclrtcCompileProg(program, 0, nullptr));
    SayLog(program, "demo.asc:2:");
    printf("message %d\n", strstr(aclGetRecentErrMsg(), "no_such_name") != nullptr);
    program = Make(good);
    SAY("good", aclrtcAddNameExpr(program, "t<float>"));
    SAY("arguments", aclrtcCompileProg(program, 0, nullptr));

    // A fault of such a kernel names its line.
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtBinHandle binary = nullptr;
    aclrtFuncHandle function = nullptr;
    void* out = nullptr;
    aclrtMalloc(&out, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    SAY("good", aclrtBinaryLoadFromData(data.data(), data.size(), nullptr, &binary));
    SAY("good", aclrtBinaryGetFunction(binary, "k", &function));
    void* arguments[] = {&out};
    SAY("good", aclrtLaunchKernelWithArgsArray(function, 1, nullptr, nullptr, arguments));
    SAY("kernel", aclrtSynchronizeDevice());
    return 0;
}
