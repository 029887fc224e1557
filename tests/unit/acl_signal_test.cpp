// What streams of the host runtime wait for besides events: notifies, values, callbacks; and sums
// in device memory.
#include <gtest/gtest.h>

#include <pthread.h>

#include <chrono>
#include <cstring>
#include <vector>

#include "acl_kit.h"

namespace vinci {
namespace {

class AclSignal : public Acl {
 protected:
  static bool is_idle(aclrtStream stream) {
    aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
    EXPECT_EQ(aclrtStreamQuery(stream, &status), 0);
    return status == ACL_STREAM_STATUS_COMPLETE;
  }
  static aclrtNotify make_notify() {
    aclrtNotify notify = nullptr;
    EXPECT_EQ(aclrtCreateNotify(&notify, 0), 0);
    return notify;
  }
  // Neither side of a test that a wait still holds may take longer than this to see it.
  static void a_moment() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }
};

TEST_F(AclSignal, ANotifyHoldsAStreamOnceForEachRecord) {
  const aclrtStream a = make_stream(), b = make_stream();
  const aclrtNotify notify = make_notify();
  std::atomic<int> seen = 0;
  ASSERT_EQ(aclrtWaitAndResetNotify(notify, b, 0), 0);
  ASSERT_EQ(launch(b, [&] { seen = 1; }), 0);
  ASSERT_EQ(aclrtWaitAndResetNotify(notify, b, 0), 0);
  ASSERT_EQ(launch(b, [&] { seen = 2; }), 0);
  a_moment();
  EXPECT_EQ(seen, 0);
  ASSERT_EQ(aclrtRecordNotify(notify, a), 0);
  ASSERT_EQ(aclrtSynchronizeStream(a), 0);
  while (seen == 0) a_moment();
  a_moment();
  EXPECT_EQ(seen, 1);  // the first wait has taken the notify back
  EXPECT_FALSE(is_idle(b));
  ASSERT_EQ(aclrtRecordNotify(notify, a), 0);
  EXPECT_EQ(aclrtSynchronizeStream(b), 0);
  EXPECT_EQ(seen, 2);
  EXPECT_EQ(aclrtDestroyNotify(notify), 0);
}

TEST_F(AclSignal, ARecordBeforeTheWaitCountsUntilItIsReset) {
  const aclrtStream stream = make_stream();
  aclrtNotify notifies[] = {make_notify(), make_notify()};
  for (const aclrtNotify notify : notifies) ASSERT_EQ(aclrtRecordNotify(notify, stream), 0);
  ASSERT_EQ(aclrtWaitAndResetNotify(notifies[0], stream, 1), 0);
  EXPECT_EQ(aclrtSynchronizeStream(stream), 0);
  ASSERT_EQ(aclrtRecordNotify(notifies[0], stream), 0);
  ASSERT_EQ(aclrtSynchronizeStream(stream), 0);
  ASSERT_EQ(aclrtNotifyBatchReset(notifies, 1), 0);  // the second one stays
  ASSERT_EQ(aclrtWaitAndResetNotify(notifies[1], stream, 1), 0);
  EXPECT_EQ(aclrtSynchronizeStream(stream), 0);
  ASSERT_EQ(aclrtWaitAndResetNotify(notifies[0], stream, 1), 0);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_WAIT_TIMEOUT);
  uint32_t first = 0, second = 0;
  EXPECT_EQ(aclrtGetNotifyId(notifies[0], &first), 0);
  EXPECT_EQ(aclrtGetNotifyId(notifies[1], &second), 0);
  EXPECT_NE(first, second);
}

TEST_F(AclSignal, WrongNotifies) {
  EXPECT_EQ(aclrtCreateNotify(nullptr, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtDestroyNotify(nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtNotifyBatchReset(nullptr, 1), ACL_ERROR_RT_PARAM_INVALID);
  const aclrtNotify notify = make_notify();
  EXPECT_EQ(aclrtGetNotifyId(notify, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_EQ(aclrtDestroyNotify(notify), 0);
  expect_refused([&] { return aclrtDestroyNotify(notify); }, ACL_ERROR_RT_INVALID_HANDLE,
                 "is no notify");
  expect_refused([&] { return aclrtRecordNotify(notify, nullptr); }, ACL_ERROR_RT_INVALID_HANDLE,
                 "is no notify");
  expect_refused([&] { return aclrtWaitAndResetNotify(notify, nullptr, 0); },
                 ACL_ERROR_RT_INVALID_HANDLE, "is no notify");
}

TEST_F(AclSignal, AValueHoldsAStreamAsItsFlagSays) {
  struct Case {
    uint32_t flag;
    uint64_t value, not_yet, then;
  };
  const aclrtStream a = make_stream(), b = make_stream();
  auto* const place = static_cast<uint64_t*>(make_buffer(16)) + 1;
  for (const Case& c : {Case{ACL_VALUE_WAIT_GEQ, 5, 4, 5}, Case{ACL_VALUE_WAIT_GEQ, 5, ~0ull, 6},
                        Case{ACL_VALUE_WAIT_EQ, 5, 6, 5}, Case{ACL_VALUE_WAIT_AND, 6, 9, 2},
                        Case{ACL_VALUE_WAIT_NOR, 0xFF, ~0xFFull, ~0x1FFull}}) {
    ASSERT_EQ(aclrtValueWrite(place, c.not_yet, 0, a), 0);
    ASSERT_EQ(aclrtSynchronizeStream(a), 0);
    EXPECT_EQ(*place, c.not_yet);
    EXPECT_EQ(place[-1], 0u);
    ASSERT_EQ(aclrtValueWait(place, c.value, c.flag, b), 0);
    a_moment();
    EXPECT_FALSE(is_idle(b)) << c.flag << " " << c.not_yet;
    ASSERT_EQ(aclrtValueWrite(place, c.then, 0, a), 0);
    EXPECT_EQ(aclrtSynchronizeStream(b), 0);
  }
}

TEST_F(AclSignal, WrongValues) {
  auto* const place = static_cast<char*>(make_buffer(16));
  uint64_t own = 0;
  EXPECT_EQ(aclrtValueWrite(place, 1, 1, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtValueWait(place, 1, 4, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  expect_refused([&] { return aclrtValueWrite(place + 4, 1, 0, nullptr); },
                 ACL_ERROR_RT_ADDR_UNALIGNED, "devAddr is");
  expect_refused([&] { return aclrtValueWrite(&own, 1, 0, nullptr); }, ACL_ERROR_RT_PARAM_INVALID,
                 "no device memory");
  expect_refused([&] { return aclrtValueWait(place + 16, 1, 0, nullptr); },
                 ACL_ERROR_RT_PARAM_INVALID, "devAddr");
  EXPECT_EQ(own, 0u);
}

template <class T>
std::vector<T> reduced(aclrtReduceKind kind, aclDataType type, const std::vector<T>& to,
                       const std::vector<T>& from) {
  void* memory = nullptr;
  const size_t bytes = to.size() * sizeof(T);
  EXPECT_EQ(aclrtMalloc(&memory, 3 * bytes, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  T* const dst = static_cast<T*>(memory);
  T* const src = dst + to.size() + 1;
  std::memcpy(dst, to.data(), bytes);
  std::memcpy(src, from.data(), bytes);
  EXPECT_EQ(aclrtReduceAsync(dst, src, bytes, kind, type, nullptr, nullptr), 0);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 0);
  EXPECT_EQ(std::vector<T>(src, src + from.size()), from);
  EXPECT_EQ(dst[to.size()], T{});  // what lies behind
  const std::vector<T> result(dst, dst + to.size());
  EXPECT_EQ(aclrtFree(memory), 0);
  return result;
}

TEST_F(AclSignal, ReductionsInDeviceMemory) {
  constexpr auto kSum = ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, kMax = ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX,
                 kMin = ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN;
  using Floats = std::vector<float>;
  const Floats a{1, -2, 0.5f}, b{10, 20, -30};
  EXPECT_EQ(reduced(kSum, ACL_FLOAT, a, b), (Floats{11, 18, -29.5f}));
  EXPECT_EQ(reduced(kMax, ACL_FLOAT, a, b), (Floats{10, 20, 0.5f}));
  EXPECT_EQ(reduced(kMin, ACL_FLOAT, a, b), (Floats{1, -2, -30}));
  EXPECT_EQ(reduced<int32_t>(kSum, ACL_INT32, {1, -7}, {2, 3}), (std::vector<int32_t>{3, -4}));
  EXPECT_EQ(reduced<int16_t>(kMax, ACL_INT16, {1, -7}, {2, -9}), (std::vector<int16_t>{2, -7}));
  EXPECT_EQ(reduced<int8_t>(kMin, ACL_INT8, {1, -7, 5}, {2, -9, 5}),
            (std::vector<int8_t>{1, -9, 5}));
  // 1.0 and 2.0 are 3.0.
  EXPECT_EQ(reduced<uint16_t>(kSum, ACL_FLOAT16, {0x3C00}, {0x4000}),
            (std::vector<uint16_t>{0x4200}));
  EXPECT_EQ(reduced<uint16_t>(kSum, ACL_BF16, {0x3F80}, {0x4000}), (std::vector<uint16_t>{0x4040}));
}

TEST_F(AclSignal, WrongReductions) {
  constexpr auto kSum = ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM;
  void* const memory = make_buffer(64);
  float own[4] = {};
  const auto reduce = [&](void* dst, const void* src, uint64_t bytes, aclrtReduceKind kind,
                          aclDataType type) {
    return aclrtReduceAsync(dst, src, bytes, kind, type, nullptr, nullptr);
  };
  EXPECT_EQ(reduce(memory, memory, 16, ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL, ACL_FLOAT),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(reduce(memory, memory, 16, kSum, ACL_INT64), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(reduce(memory, memory, 0, kSum, ACL_FLOAT), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(reduce(memory, memory, 6, kSum, ACL_FLOAT), ACL_ERROR_RT_PARAM_INVALID);
  expect_refused([&] { return reduce(memory, own, 16, kSum, ACL_FLOAT); },
                 ACL_ERROR_RT_PARAM_INVALID, "src is");
  expect_refused([&] { return reduce(memory, memory, 68, kSum, ACL_FLOAT); },
                 ACL_ERROR_RT_PARAM_INVALID, "of dst, which has 64");
}

// A thread that runs callbacks until it is told to end.
class Callbacks {
 public:
  Callbacks() : thread_([this] { run(); }) {
    while (id_ == 0) std::this_thread::yield();
  }
  ~Callbacks() {
    is_over_ = true;
    thread_.join();
  }
  uint64_t id() const { return id_; }

 private:
  void run() {
    id_ = uint64_t(pthread_self());
    while (!is_over_) {
      const aclError code = aclrtProcessReport(5);
      EXPECT_TRUE(code == ACL_SUCCESS || code == ACL_ERROR_RT_REPORT_TIMEOUT) << code;
    }
  }
  std::atomic<uint64_t> id_ = 0;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

struct Noted {
  Gate gate;
  std::atomic<int> calls = 0;
  std::thread::id thread;
};
void note(void* data) {
  auto* const noted = static_cast<Noted*>(data);
  noted->gate.pass();
  noted->thread = std::this_thread::get_id();
  ++noted->calls;
}

TEST_F(AclSignal, CallbacksRunInTheirThreadAndHoldTheStreamIfAsked) {
  Callbacks thread;
  const aclrtStream stream = make_stream();
  ASSERT_EQ(aclrtSubscribeReport(thread.id(), stream), 0);
  for (const auto block : {ACL_CALLBACK_NO_BLOCK, ACL_CALLBACK_BLOCK}) {
    Noted noted;
    std::atomic<bool> passed = false;
    ASSERT_EQ(aclrtLaunchCallback(note, &noted, block, stream), 0);
    ASSERT_EQ(launch(stream, [&] { passed = true; }), 0);
    if (block == ACL_CALLBACK_NO_BLOCK) {
      EXPECT_EQ(aclrtSynchronizeStream(stream), 0);
      EXPECT_EQ(noted.calls, 0);
    } else {
      a_moment();
      EXPECT_FALSE(passed);
    }
    noted.gate.open();
    while (noted.calls == 0) a_moment();
    EXPECT_EQ(aclrtSynchronizeStream(stream), 0);
    EXPECT_TRUE(passed);
    EXPECT_EQ(noted.calls, 1);
    EXPECT_NE(noted.thread, std::this_thread::get_id());
  }
  EXPECT_EQ(aclrtUnSubscribeReport(thread.id(), stream), 0);
}

TEST_F(AclSignal, WrongCallbacks) {
  const aclrtStream stream = make_stream();
  Noted noted;
  const uint64_t self = uint64_t(pthread_self());
  expect_refused([&] { return aclrtLaunchCallback(note, &noted, ACL_CALLBACK_BLOCK, stream); },
                 ACL_ERROR_RT_STREAM_NO_CB_REG, "no thread runs the stream's callbacks");
  EXPECT_EQ(aclrtUnSubscribeReport(self, stream), ACL_ERROR_RT_THREAD_SUBSCRIBE);
  ASSERT_EQ(aclrtSubscribeReport(self, stream), 0);
  EXPECT_EQ(aclrtSubscribeReport(self, stream), ACL_ERROR_RT_STREAM_SUBSCRIBE);
  EXPECT_EQ(aclrtUnSubscribeReport(self + 1, stream), ACL_ERROR_RT_THREAD_SUBSCRIBE);
  EXPECT_EQ(aclrtLaunchCallback(nullptr, nullptr, ACL_CALLBACK_BLOCK, stream),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtLaunchCallback(note, nullptr, aclrtCallbackBlockType(2), stream),
            ACL_ERROR_RT_PARAM_INVALID);
  for (const int timeout : {0, -2}) {
    EXPECT_EQ(aclrtProcessReport(timeout), ACL_ERROR_RT_PARAM_INVALID);
  }
  EXPECT_EQ(aclrtProcessReport(3), ACL_ERROR_RT_REPORT_TIMEOUT);
  EXPECT_EQ(noted.calls, 0);
  EXPECT_EQ(aclrtUnSubscribeReport(self, stream), 0);
}

// What runs alone cannot wait for others.
TEST_F(AclSignal, CapturedStreamsDoNotWait) {
  const aclrtStream stream = make_stream();
  const aclrtNotify notify = make_notify();
  ASSERT_EQ(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL), 0);
  EXPECT_EQ(aclrtWaitAndResetNotify(notify, stream, 0), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtRecordNotify(notify, stream), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureEnd(stream, &model), 0);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

}  // namespace
}  // namespace vinci
