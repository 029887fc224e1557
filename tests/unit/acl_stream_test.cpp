// Streams, events and launches of the host runtime.
#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "acl_kit.h"
#include "kernel_operator.h"

namespace vinci {
namespace {

class AclStream : public Acl {};

TEST_F(AclStream, ALaunchReturnsAtOnceAndAStreamKeepsTheOrder) {
  Gate gate;
  std::vector<int> order;
  const aclrtStream stream = make_stream();
  ASSERT_EQ(launch(stream, [&] { gate.pass(), order.push_back(1); }), 0);
  ASSERT_EQ(launch(stream, [&] { order.push_back(2); }), 0);
  aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
  EXPECT_EQ(aclrtStreamQuery(stream, &status), 0);
  EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 0), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 5), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(5), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  gate.open();
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, -1), 0);
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
  EXPECT_EQ(aclrtStreamQuery(stream, &status), 0);
  EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);
  EXPECT_EQ(aclrtDestroyStream(stream), 0);
}

TEST_F(AclStream, StreamsOverlap) {
  Gate first, second;
  const aclrtStream a = make_stream(), b = make_stream();
  ASSERT_EQ(launch(a, [&] { second.open(), first.pass(); }), 0);
  ASSERT_EQ(launch(b, [&] { second.pass(), first.open(); }), 0);
  EXPECT_EQ(aclrtSynchronizeDevice(), 0);
}

TEST_F(AclStream, AnEventHoldsAnotherStreamAndTheHost) {
  Gate gate;
  int value = 0, seen = -1;
  const aclrtStream a = make_stream(), b = make_stream();
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC), 0);
  ASSERT_EQ(launch(a, [&] { gate.pass(), value = 7; }), 0);
  ASSERT_EQ(aclrtRecordEvent(event, a), 0);
  ASSERT_EQ(aclrtStreamWaitEvent(b, event), 0);
  ASSERT_EQ(launch(b, [&] { seen = value; }), 0);
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  EXPECT_EQ(aclrtQueryEventStatus(event, &status), 0);
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_NOT_READY);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 5), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
  gate.open();
  EXPECT_EQ(aclrtSynchronizeEvent(event), 0);
  EXPECT_EQ(value, 7);
  EXPECT_EQ(aclrtSynchronizeStream(b), 0);
  EXPECT_EQ(seen, 7);
  EXPECT_EQ(aclrtDestroyEvent(event), 0);
}

TEST_F(AclStream, TheTimeBetweenTwoEventsIsThatOfTheTasksBetween) {
  aclrtEvent start = nullptr, end = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&start), 0);
  ASSERT_EQ(aclrtCreateEvent(&end), 0);
  float ms = -1;
  EXPECT_EQ(aclrtEventElapsedTime(&ms, start, end), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
  ASSERT_EQ(aclrtRecordEvent(start, nullptr), 0);
  ASSERT_EQ(launch(nullptr, [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }), 0);
  ASSERT_EQ(aclrtRecordEvent(end, nullptr), 0);
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), 0);
  EXPECT_EQ(aclrtEventElapsedTime(&ms, start, end), 0);
  EXPECT_GE(ms, 20.0f);
  EXPECT_LT(ms, 20000.0f);
}

TEST_F(AclStream, AWaitIsForTheRecordBeforeIt) {
  Gate gate;
  aclrtEvent event = nullptr;
  const aclrtStream a = make_stream(), b = make_stream();
  ASSERT_EQ(aclrtCreateEvent(&event), 0);
  ASSERT_EQ(aclrtStreamWaitEvent(b, event), 0);  // never recorded: nothing to wait for
  ASSERT_EQ(launch(a, [&] { gate.pass(); }), 0);
  ASSERT_EQ(aclrtRecordEvent(event, a), 0);
  EXPECT_EQ(aclrtSynchronizeStream(b), 0);
  ASSERT_EQ(aclrtStreamWaitEventWithTimeout(b, event, 5), 0);
  EXPECT_EQ(aclrtSynchronizeStream(b), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
  gate.open();
  EXPECT_EQ(aclrtSynchronizeDevice(), 0);
}

TEST_F(AclStream, AWaitOfNoTimeIsForEver) {
  Gate gate;
  aclrtEvent event = nullptr;
  const aclrtStream a = make_stream(), b = make_stream();
  ASSERT_EQ(aclrtCreateEvent(&event), 0);
  ASSERT_EQ(launch(a, [&] { gate.pass(); }), 0);
  ASSERT_EQ(aclrtRecordEventWithFlag(event, a, ACL_EVENT_RECORD_DEFAULT), 0);
  ASSERT_EQ(aclrtStreamWaitEventWithTimeout(b, event, 0), 0);
  ASSERT_EQ(aclrtStreamWaitEventWithFlag(b, event, 0, ACL_EVENT_WAIT_DEFAULT), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(b, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  gate.open();
  EXPECT_EQ(aclrtSynchronizeStream(b), 0);
  EXPECT_EQ(aclrtStreamWaitEventWithFlag(b, event, 0, ACL_EVENT_WAIT_EXTERNAL),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(AclStream, WaitsOfStreamsForEventsEndAfterTheTimeThatWasSet) {
  Gate gate;
  aclrtEvent event = nullptr;
  const aclrtStream a = make_stream(), b = make_stream();
  ASSERT_EQ(aclrtCreateEvent(&event), 0);
  ASSERT_EQ(launch(a, [&] { gate.pass(); }), 0);
  ASSERT_EQ(aclrtRecordEvent(event, a), 0);
  ASSERT_EQ(aclrtSetOpWaitTimeout(1), 0);
  ASSERT_EQ(aclrtStreamWaitEvent(b, event), 0);
  ASSERT_EQ(aclrtSetOpWaitTimeout(0), 0);
  EXPECT_EQ(aclrtSynchronizeStream(b), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
  gate.open();
  EXPECT_EQ(aclrtSynchronizeDevice(), 0);
}

TEST_F(AclStream, AnEventThatHoldsNoTaskIsDoneIfItIsOfTheNewerKind) {
  aclrtEvent plain = nullptr, newer = nullptr;
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  ASSERT_EQ(aclrtCreateEvent(&plain), 0);
  ASSERT_EQ(aclrtCreateEventExWithFlag(&newer, ACL_EVENT_SYNC), 0);
  EXPECT_EQ(aclrtQueryEventStatus(plain, &status), 0);
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_NOT_READY);
  EXPECT_EQ(aclrtQueryEventStatus(newer, &status), 0);
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_COMPLETE);
}

TEST_F(AclStream, AHostFunctionRunsInItsTurn) {
  struct Seen {
    int value = 0, when_called = -1;
    aclError inner = 0;
  } seen;
  const aclrtStream stream = make_stream();
  ASSERT_EQ(launch(stream, [&] { seen.value = 3; }), 0);
  ASSERT_EQ(aclrtLaunchHostFunc(
                stream,
                [](void* of) {
                  auto& s = *static_cast<Seen*>(of);
                  s.when_called = s.value;
                  s.inner = aclrtSetDevice(0);
                },
                &seen),
            0);
  ASSERT_EQ(aclrtSynchronizeStream(stream), 0);
  EXPECT_EQ(seen.when_called, 3);
  EXPECT_EQ(seen.inner, 0);
}

// A kernel's fault, by the cores of its launch and by the core that has it.
void wrong_everywhere() {
  AscendC::LocalTensor<int32_t> local(AscendC::TPosition::VECIN, 0, 0);
  AscendC::Duplicate(local, 7, 17);
}

TEST_F(AclStream, AFaultComesOutOfTheNextSynchronisationAndOfNoLater) {
  const aclrtStream stream = make_stream();
  testing::internal::CaptureStderr();
  ASSERT_EQ(launch(stream, wrong_everywhere), 0);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_AICORE_EXCEPTION);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("error[V1001]"), std::string::npos);
  const std::string text = aclGetRecentErrMsg();
  EXPECT_EQ(text.find("kernel: error[V1001]"), 0u) << text;
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_AICORE_EXCEPTION);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_AICORE_EXCEPTION);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), 0);
  int after = 0;
  ASSERT_EQ(launch(stream, [&] { after = 1; }), 0);
  EXPECT_EQ(aclrtSynchronizeDevice(), 0);
  EXPECT_EQ(after, 1);
}

TEST_F(AclStream, TheCodeSaysWhatKindOfCoreAndWhatKindOfFault) {
  const auto code_of = [](const Grid& grid, const std::function<void()>& kernel) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(launch(nullptr, kernel, grid), 0);
    const aclError code = aclrtSynchronizeDevice();
    testing::internal::GetCapturedStderr();
    return code;
  };
  const auto wait_in_vain = [] { AscendC::CrossCoreWaitFlag<2>(5); };
  auto* data = static_cast<uint8_t*>(make_buffer(60));
  const auto overrun = [=] { data[60] = 1; };
  EXPECT_EQ(code_of({1, 0, 1}, wrong_everywhere), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  // What only AICs have: an instruction for vectors would be left out there.
  const auto wait_without_set = [] { AscendC::WaitFlag<AscendC::HardEvent::MTE2_MTE1>(0); };
  EXPECT_EQ(code_of({1, 1, 0}, wait_without_set), ACL_ERROR_RT_AICORE_EXCEPTION);
  EXPECT_EQ(code_of({1, 0, 1}, wait_in_vain), ACL_ERROR_RT_VECTOR_CORE_TIMEOUT);
  EXPECT_EQ(code_of({1, 1, 0}, wait_in_vain), ACL_ERROR_RT_AICORE_TIMEOUT);
  EXPECT_EQ(code_of({1, 0, 1}, overrun), ACL_ERROR_RT_VECTOR_CORE_TRAP_WRITE_OVERFLOW);
  EXPECT_EQ(code_of({1}, overrun), ACL_ERROR_RT_AICORE_TRAP_WRITE_OVERFLOW);
  EXPECT_EQ(code_of({1, 1, 3}, [] {}), ACL_ERROR_RT_PARAM_INVALID);  // no such cores
}

TEST_F(AclStream, EachStreamHasItsOwnFaults) {
  const aclrtStream good = make_stream(), bad = make_stream();
  testing::internal::CaptureStderr();
  ASSERT_EQ(launch(bad, wrong_everywhere), 0);
  ASSERT_EQ(launch(good, [] {}), 0);
  EXPECT_EQ(aclrtSynchronizeStream(good), 0);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_ERROR_RT_AICORE_EXCEPTION);
  EXPECT_EQ(aclrtSynchronizeStream(bad), 0);
  testing::internal::GetCapturedStderr();
}

TEST_F(AclStream, LaunchesOfAllStreamsGiveTheirResults) {
  constexpr int kStreams = 4, kRounds = 25;
  std::vector<aclrtStream> streams;
  std::vector<int32_t*> sums;
  for (int i = 0; i < kStreams; ++i) {
    streams.push_back(make_stream());
    sums.push_back(static_cast<int32_t*>(make_buffer(64)));
  }
  for (int round = 1; round <= kRounds; ++round) {
    for (int i = 0; i < kStreams; ++i) {
      ASSERT_EQ(launch(streams[size_t(i)],
                       [=, sum = sums[size_t(i)]] {
                         AscendC::LocalTensor<int32_t> local(AscendC::TPosition::VECIN, 0, 16);
                         AscendC::GlobalTensor<int32_t> global;
                         global.SetGlobalBuffer(sum, 16);
                         AscendC::DataCopy(local, global, 16);
                         AscendC::PipeBarrier<PIPE_ALL>();
                         AscendC::Adds(local, local, round * (i + 1), 16);
                         AscendC::PipeBarrier<PIPE_ALL>();
                         AscendC::DataCopy(global, local, 16);
                       },
                       {1, 0, 1}),
                0);
    }
    void* other = make_buffer(100);  // buffers come and go meanwhile
    ASSERT_EQ(aclrtFree(other), 0);
  }
  EXPECT_EQ(aclrtSynchronizeDevice(), 0);
  for (int i = 0; i < kStreams; ++i) {
    EXPECT_EQ(sums[size_t(i)][15], kRounds * (kRounds + 1) / 2 * (i + 1));
  }
}

TEST_F(AclStream, AThreadWithoutADeviceIsRefused) {
  const auto on_new_thread = [](const std::function<aclError()>& call) {
    aclError code = 0;
    std::thread([&] {
      expect_refused([&] { return code = call(); }, ACL_ERROR_RT_CONTEXT_NULL, "no device is set");
    }).join();
  };
  on_new_thread([] { return aclError(launch(nullptr, [] {})); });
  on_new_thread([] { return aclrtSynchronizeStream(nullptr); });
  on_new_thread([] {
    aclrtStream stream = nullptr;
    return aclrtCreateStream(&stream);
  });
  on_new_thread([] {
    void* buffer = nullptr;
    return aclrtMalloc(&buffer, 32, ACL_MEM_MALLOC_HUGE_FIRST);
  });
}

TEST_F(AclStream, ThreadsOfOneDeviceShareItsDefaultStream) {
  std::vector<int> order;
  Gate gate;
  ASSERT_EQ(launch(nullptr, [&] { gate.pass(), order.push_back(1); }), 0);
  std::thread([&] {
    EXPECT_EQ(aclrtSetDevice(0), 0);
    EXPECT_EQ(launch(nullptr, [&] { order.push_back(2); }), 0);
  }).join();
  gate.open();
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 0);
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST_F(AclStream, HandlesThatAreGoneAreKnownAsSuch) {
  const aclrtStream stream = make_stream();
  ASSERT_EQ(aclrtDestroyStream(stream), 0);
  make_stream();  // does not take its place
  expect_refused([=] { return aclrtDestroyStream(stream); }, ACL_ERROR_RT_INVALID_HANDLE,
                 "is no stream");
  expect_refused([=] { return aclrtSynchronizeStream(stream); }, ACL_ERROR_RT_INVALID_HANDLE,
                 "is no stream");
  expect_refused([=] { return aclError(launch(stream, [] {})); }, ACL_ERROR_RT_INVALID_HANDLE,
                 "is no stream");
  int own = 0;
  expect_refused([&] { return aclrtDestroyEvent(&own); }, ACL_ERROR_RT_INVALID_HANDLE,
                 "is no event");
  EXPECT_EQ(aclrtDestroyStream(nullptr), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(AclStream, AStreamThatWentWithItsDeviceMayBeDestroyedAfterwards) {
  int value = 0;
  const aclrtStream stream = make_stream();
  ASSERT_EQ(launch(stream, [&] { value = 1; }), 0);
  ASSERT_EQ(aclrtResetDevice(0), 0);
  EXPECT_EQ(value, 1);  // what it was given has ended
  EXPECT_EQ(aclrtDestroyStream(stream), 0);
  ASSERT_EQ(aclrtSetDevice(0), 0);
}

TEST_F(AclStream, ALaunchHas1To65535Blocks) {
  expect_refused(
      [] {
        return aclError(launch(nullptr, [] {}, {0, 0, 1}));
      },
      ACL_ERROR_RT_PARAM_INVALID, "0 blocks");
  expect_refused(
      [] {
        return aclError(launch(nullptr, [] {}, {65536, 0, 1}));
      },
      ACL_ERROR_RT_PARAM_INVALID, "65536 blocks");
  std::atomic<int> runs = 0;
  EXPECT_EQ(launch(nullptr, [&] { ++runs; }, {3, 0, 1}), 0);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 0);
  EXPECT_EQ(runs, 3);
}

TEST_F(AclStream, ContextsHaveStreamsOfTheirOwn) {
  aclrtContext before = nullptr, own = nullptr, now = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&before), 0);
  ASSERT_EQ(aclrtCreateContext(&own, 1), 0);
  ASSERT_EQ(aclrtGetCurrentContext(&now), 0);
  EXPECT_EQ(now, own);
  int32_t device = -1;
  EXPECT_EQ(aclrtGetDevice(&device), 0);
  EXPECT_EQ(device, 1);
  aclrtStream default_stream = nullptr;
  EXPECT_EQ(aclrtCtxGetCurrentDefaultStream(&default_stream), 0);
  EXPECT_NE(default_stream, nullptr);
  EXPECT_EQ(aclrtSetCurrentContext(before), 0);
  EXPECT_EQ(aclrtGetDevice(&device), 0);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(aclrtDestroyContext(own), 0);
  expect_refused([=] { return aclrtSetCurrentContext(own); }, ACL_ERROR_RT_CONTEXT_NULL,
                 "is no context");
}

}  // namespace
}  // namespace vinci
