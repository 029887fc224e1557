"""Programs with acl/acl.h: what they set and ask again, memory with attributes, and who hears of
kernels that fail."""

import pytest

import test_host_runtime

program = test_host_runtime.program_of  # the fixture


def printed(run):
    done = run()
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split("\n")[:-1]


def test_parameters_of_the_process_and_of_a_context(program):
    assert printed(program(r"""
        int64_t value = 7;
        std::printf("%d\n", aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
        std::printf("%d\n", aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
        CHECK(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1));
        CHECK(aclrtCtxSetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, 0));
        CHECK(aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
        std::printf("%d\n", int(value));
        CHECK(aclrtCtxGetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, &value));
        std::printf("%d %d\n", int(value), aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
        std::printf("%d\n", aclrtSetSysParamOpt(static_cast<aclSysParamOpt>(3), 1));""")) == [
            "107021", "107021", "1", "0 107021", "107000"]


def test_attributes_of_streams(program):
    assert printed(program(r"""
        aclrtStream stream = nullptr;
        CHECK(aclrtCreateStreamWithConfig(&stream, 3, 0));
        aclrtStreamAttrValue value{};
        CHECK(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_PRIORITY, &value));
        std::printf("%u\n", value.streamPriority);
        value.streamPriority = 5;
        CHECK(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_PRIORITY, &value));
        uint32_t priority = 0, flag = 7;
        CHECK(aclrtStreamGetPriority(stream, &priority));
        CHECK(aclrtGetStreamOverflowSwitch(stream, &flag));
        std::printf("%u %u\n", priority, flag);
        CHECK(aclrtSetStreamOverflowSwitch(stream, 1));
        CHECK(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value));
        std::printf("%u %d\n", value.overflowSwitch,
                    aclrtGetStreamAttribute(stream, static_cast<aclrtStreamAttr>(6), &value));
        uint32_t before = 0, after = 0;
        CHECK(aclrtGetStreamAvailableNum(&before));
        CHECK(aclrtDestroyStream(stream));
        CHECK(aclrtGetStreamAvailableNum(&after));
        std::printf("%u\n", after - before);""")) == ["3", "5 0", "1 107000", "1"]


def test_time_limits_of_kernels_are_whole_intervals(program):
    assert printed(program(r"""
        uint64_t interval = 0, actual = 0;
        uint32_t limit = 0;
        CHECK(aclrtGetOpExecuteTimeout(&limit));
        std::printf("%u\n", limit);
        CHECK(aclrtGetOpTimeoutInterval(&interval));
        CHECK(aclrtSetOpExecuteTimeOutV2(interval + 1, &actual));
        std::printf("%d\n", int(actual / interval));
        CHECK(aclrtSetOpExecuteTimeOutV2(0, &actual));
        std::printf("%d\n", int(actual / interval));
        CHECK(aclrtSetOpExecuteTimeOut(1));
        CHECK(aclrtGetOpExecuteTimeout(&limit));
        std::printf("%d\n", limit == interval / 1000);
        CHECK(aclrtSetOpExecuteTimeOutWithMs(20000));
        CHECK(aclrtSetOpWaitTimeout(3));""")) == ["1091000", "2", "254", "1"]


def test_devices_have_one_number_each_and_a_first_context(program):
    assert printed(program(r"""
        int32_t number = -1, active = -1, status = -1;
        CHECK(aclrtGetPhyDevIdByLogicDevId(3, &number));
        CHECK(aclrtGetLogicDevIdByPhyDevId(number, &number));
        CHECK(aclrtGetUserDevIdByLogicDevId(number, &number));
        CHECK(aclrtGetLogicDevIdByUserDevId(number, &number));
        std::printf("%d\n", number);
        CHECK(aclrtGetPrimaryCtxState(0, nullptr, &active));
        CHECK(aclrtGetPrimaryCtxState(1, nullptr, &status));
        std::printf("%d %d\n", active, status);
        CHECK(aclrtDevicePeerAccessStatus(0, 1, &status));
        std::printf("%d\n", status);
        aclrtFloatOverflowMode mode = ACL_RT_OVERFLOW_MODE_UNDEF;
        CHECK(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN));
        CHECK(aclrtGetDeviceSatMode(&mode));
        std::printf("%d %d\n", mode, aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION));
        CHECK(aclrtSetTsDevice(ACL_TS_ID_AICORE));""")) == ["3", "1 0", "0", "1 207000"]


def test_memory_with_attributes(program):
    assert printed(program(r"""
        aclrtMallocAttribute attributes[2]{};
        attributes[0].attr = ACL_RT_MEM_ATTR_MODULE_ID;
        attributes[0].value.moduleId = 33;
        attributes[1].attr = ACL_RT_MEM_ATTR_DEVICE_ID;
        attributes[1].value.deviceId = 0;
        aclrtMallocConfig config{attributes, 2};
        void *device = nullptr, *host = nullptr, *plain = nullptr;
        CHECK(aclrtMallocWithCfg(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST, &config));
        CHECK(aclrtMallocForTaskScheduler(&plain, 64, ACL_MEM_MALLOC_HUGE_FIRST, nullptr));
        CHECK(aclrtMallocHostWithCfg(&host, 64, &config));
        CHECK(aclrtMemcpy(device, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE));
        CHECK(aclrtFree(device));
        CHECK(aclrtFree(plain));
        CHECK(aclrtFreeHost(host));
        attributes[1].value.deviceId = 5;
        std::printf("%d\n", aclrtMallocWithCfg(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST, &config));
        """)) == ["107000"]


def test_words_are_filled(program):
    assert printed(program(r"""
        void* device = nullptr;
        uint32_t words[4]{};
        CHECK(aclrtMalloc(&device, 16, ACL_MEM_MALLOC_HUGE_FIRST));
        CHECK(aclrtMemsetD32(device, 16, 0x01020304, 4));
        CHECK(aclrtMemsetD32Async(device, 16, 7, 2, nullptr));
        void* dsts[]{words};
        void* srcs[]{device};
        size_t sizes[]{16};
        CHECK(aclrtMemcpyBatchAsyncV2(dsts, sizes, srcs, sizes, 1, nullptr, nullptr, 0, nullptr));
        CHECK(aclrtSynchronizeStream(nullptr));
        std::printf("%x %x %x\n", words[0], words[1], words[2]);""")) == ["7 7 1020304"]


def test_registered_memory_has_an_address_on_the_device(program):
    assert printed(program(r"""
        void *host = nullptr, *device = nullptr, *again = nullptr;
        CHECK(aclrtMallocHost(&host, 4096));
        std::printf("%d\n", aclrtHostGetDevicePointer(host, &device, 0));
        CHECK(aclrtHostRegister(host, 4096, ACL_HOST_REGISTER_MAPPED, &device));
        CHECK(aclrtHostGetDevicePointer(host, &again, 0));
        std::printf("%d %d\n", device == again, aclrtHostRegisterV2(host, 4096, ACL_HOST_REG_MAPPED));
        CHECK(aclrtHostUnregister(host));
        CHECK(aclrtHostRegisterV2(host, 4096, ACL_HOST_REG_PINNED));
        std::printf("%d\n", aclrtHostGetDevicePointer(host, &device, 0));
        CHECK(aclrtHostUnregister(host));
        std::printf("%d\n", aclrtHostRegisterV2(host, 4096, ACL_HOST_REG_IOMEMORY));
        CHECK(aclrtFreeHost(host));""")) == ["507911", "1 507910", "507911", "207000"]


def test_unregistering_what_is_not_registered_is_told(program):
    done = program("int x = 0; std::printf(\"%d\\n\", aclrtHostUnregister(&x)); return 0;")()
    assert (done.returncode, done.stdout) == (1, "507911\n")
    assert "V8004" in done.stderr and "is not registered" in done.stderr


def test_events_have_numbers_of_their_own(program):
    assert printed(program(r"""
        aclrtEvent first = nullptr, second = nullptr;
        uint32_t one = 0, two = 0, before = 0, after = 0;
        aclrtEventWaitStatus status = ACL_EVENT_WAIT_STATUS_RESERVED;
        CHECK(aclrtGetEventAvailNum(&before));
        CHECK(aclrtCreateEvent(&first));
        CHECK(aclrtCreateEventWithFlag(&second, ACL_EVENT_SYNC));
        CHECK(aclrtGetEventAvailNum(&after));
        CHECK(aclrtGetEventId(first, &one));
        CHECK(aclrtGetEventId(second, &two));
        CHECK(aclrtRecordEvent(first, nullptr));
        CHECK(aclrtSynchronizeStream(nullptr));
        CHECK(aclrtQueryEventWaitStatus(first, &status));
        std::printf("%u %d %d\n", before - after, one != two, status);""")) == ["2 1 0"]


CALLBACK = r"""
    static uint32_t seen[5];
    uint32_t task = 0;
    int32_t stream = 0;
    CHECK(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo* info) {
      seen[0] = aclrtGetTaskIdFromExceptionInfo(info);
      seen[1] = aclrtGetStreamIdFromExceptionInfo(info);
      seen[2] = aclrtGetThreadIdFromExceptionInfo(info);
      seen[3] = aclrtGetDeviceIdFromExceptionInfo(info);
      seen[4] = aclrtGetErrorCodeFromExceptionInfo(info);
    }));
    CHECK(launch(good));
    CHECK(aclrtSynchronizeStream(nullptr));
    std::printf("%u\n", seen[4]);
    CHECK(launch(bad));
    CHECK(aclrtGetThreadLastTaskId(&task));
    CHECK(aclrtStreamGetId(nullptr, &stream));
    const int code = aclrtSynchronizeStream(nullptr);
    std::printf("%d %d %d %u %d\n", seen[0] == task, int(seen[1]) == stream,
                seen[2] == uint32_t(gettid()), seen[3], int(seen[4]) == code);
    CHECK(aclrtSetExceptionInfoCallback(nullptr));
    seen[4] = 0;
    CHECK(launch(bad));
    aclrtSynchronizeStream(nullptr);
    std::printf("%u %u\n", seen[4], aclrtGetErrorCodeFromExceptionInfo(nullptr));
    return 0;"""


def test_a_function_hears_of_kernels_that_fail(program):
    done = program(CALLBACK, "-include", "unistd.h")()
    assert done.returncode == 1
    assert done.stdout.splitlines() == ["block 0", "0", "1 1 1 0 1", "0 4294967295"]


def test_an_aborted_stream_drops_what_has_not_begun(program):
    assert printed(program(r"""
        static volatile int open = 0, count = 0;
        const auto hold = [](void*) { while (open == 0) {} };
        const auto add = [](void*) { count = count + 1; };
        aclrtStream stream = nullptr;
        CHECK(aclrtCreateStream(&stream));
        CHECK(aclrtLaunchHostFunc(stream, hold, nullptr));
        aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
        for (int i = 0; i < 9; ++i) CHECK(aclrtLaunchHostFunc(stream, add, nullptr));
        CHECK(aclrtStreamQuery(stream, &status));
        aclrtStream other = nullptr;
        CHECK(aclrtCreateStream(&other));
        usleep(50000);
        CHECK(aclrtLaunchHostFunc(other, [](void*) { usleep(50000); open = 1; }, nullptr));
        CHECK(aclrtStreamAbort(stream));
        CHECK(aclrtLaunchHostFunc(stream, add, nullptr));
        CHECK(aclrtSynchronizeStream(stream));
        std::printf("%d %d\n", status, count);""", "-include", "unistd.h")) == ["1 1"]


@pytest.mark.parametrize("header", ["runtime/rt_ffts.h", "runtime/runtime/rt_ffts.h",
                                    "experiment/runtime/runtime/rt_ffts.h"])
def test_the_older_name_of_the_address_that_cores_wait_by(program, header):
    assert printed(program(r"""
        uint64_t address = 0; uint32_t bytes = 0; void* same = nullptr;
        rtError_t code = rtGetC2cCtrlAddr(&address, &bytes);
        CHECK(aclrtGetHardwareSyncAddr(&same));
        std::printf("%d %d %d\n", code == RT_ERROR_NONE, address == uint64_t(same), bytes > 0);""",
                           "-include", header)) == ["1 1 1"]


def test_memory_by_a_key(program):
    """Two closes: of who imported it, and of who made the key. A key of another process is none."""
    run = program(r"""
        void *device = nullptr, *again = nullptr;
        char key[65], other[65] = "0";
        CHECK(aclrtMalloc(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST));
        CHECK(aclrtIpcMemGetExportKey(device, 64, key, 65, ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT));
        std::printf("%d\n", aclrtIpcMemImportByKey(&again, key, ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT));
        int32_t process = 0;
        CHECK(aclrtDeviceGetBareTgid(&process));
        CHECK(aclrtIpcMemSetImportPid(key, &process, 1));
        CHECK(aclrtIpcMemImportByKey(&again, key, ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS));
        std::printf("%d\n", again == device);
        CHECK(aclrtIpcMemClose(key));
        CHECK(aclrtIpcMemClose(key));
        std::printf("%d %d\n", aclrtIpcMemClose(key), aclrtIpcMemImportByKey(&again, other, 0));
        std::printf("%d %d\n", aclrtIpcMemGetExportKey(device, 64, key, 64, 0),
                    aclrtIpcMemGetExportKey(device, 65, key, 65, 0));
        CHECK(aclrtIpcMemGetExportKey(device, 64, key, 65, ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION));
        CHECK(aclrtIpcMemImportByKey(&again, key, 0));
        std::printf("%d\n", again == device);""")
    done = run()
    assert done.stdout.split("\n")[:-1] == ["107000", "1", "207000 207000", "107000 107000", "1"], done.stderr
    assert done.stderr.count("error[V8004]") == 5


def test_events_by_a_key(program):
    done = program(r"""
        aclrtEvent event = nullptr, plain = nullptr, again = nullptr;
        aclrtStream first = nullptr, second = nullptr;
        aclrtIpcEventHandle key, other{};
        CHECK(aclrtCreateStream(&first));
        CHECK(aclrtCreateStream(&second));
        CHECK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC));
        CHECK(aclrtCreateEvent(&plain));
        CHECK(aclrtIpcGetEventHandle(event, &key));
        CHECK(aclrtIpcOpenEventHandle(key, &again));
        CHECK(aclrtRecordEvent(event, first));
        CHECK(aclrtStreamWaitEvent(second, again));
        CHECK(aclrtSynchronizeStream(second));
        aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
        CHECK(aclrtQueryEventStatus(again, &status));
        std::printf("%d %d\n", status == ACL_EVENT_RECORDED_STATUS_COMPLETE, again != event);
        CHECK(aclrtDestroyEvent(again));
        CHECK(aclrtDestroyEvent(event));
        std::printf("%d %d\n", aclrtIpcGetEventHandle(plain, &key), aclrtIpcOpenEventHandle(other, &again));""")()
    assert done.stdout.split("\n")[:-1] == ["1 1", "107000 207000"], done.stderr
    assert done.stderr.count("error[V8004]") == 2


def test_hints_to_caches(program):
    done = program(r"""
        void* device = nullptr;
        aclrtStream stream = nullptr;
        CHECK(aclrtMalloc(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST));
        CHECK(aclrtCreateStream(&stream));
        CHECK(aclrtCmoAsync(device, 64, ACL_RT_CMO_TYPE_PREFETCH, stream));
        CHECK(aclrtSynchronizeStream(stream));
        std::printf("%d %d\n", aclrtCmoAsync(device, 64, ACL_RT_CMO_TYPE_FLUSH, stream),
                    aclrtCmoAsync(device, 65, ACL_RT_CMO_TYPE_PREFETCH, stream));""")()
    assert done.stdout == "207000 107000\n", done.stderr
    assert done.stderr.count("error[V8004]") == 2
