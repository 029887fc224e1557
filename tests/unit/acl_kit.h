// For tests of the host runtime: a device, launches of lambdas, and what was said on stderr.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>

#include "acl/acl.h"
#include "vinci/host.h"

namespace vinci {

class Acl : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    setenv("VINCI_EXIT_CODE", "program", 1);  // of tests that provoke faults
    host::set_program_soc("Ascend910B1");
  }
  void SetUp() override { ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS); }
  void TearDown() override { EXPECT_EQ(aclrtResetDeviceForce(0), ACL_SUCCESS); }

  static int launch(aclrtStream stream, std::function<void()> kernel, Grid grid = {}) {
    return host::enqueue_kernel(stream, "kernel", grid, std::move(kernel));
  }
  static aclrtStream make_stream() {
    aclrtStream stream = nullptr;
    EXPECT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    return stream;
  }
  static void* make_buffer(size_t bytes) {
    void* buffer = nullptr;
    EXPECT_EQ(aclrtMalloc(&buffer, bytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    return buffer;
  }

  // What a call that is wrong must do: the code, a fault with this in its message, and the same
  // words for the program. The fault is told at this place only once in a process.
  static void expect_refused(const std::function<aclError()>& call, aclError code,
                             const std::string& words) {
    testing::internal::CaptureStderr();
    const aclError got = call();
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(got, code) << words;
    EXPECT_NE(said.find("error[V8004]"), std::string::npos) << said;
    EXPECT_NE(said.find(words), std::string::npos) << said;
    const char* message = aclGetRecentErrMsg();
    ASSERT_NE(message, nullptr);
    EXPECT_NE(std::string(message).find(words), std::string::npos) << message;
  }
};

// Held until somebody opens it.
class Gate {
 public:
  void open() { is_open_ = true; }
  void pass() const {
    while (!is_open_) std::this_thread::yield();
  }

 private:
  std::atomic<bool> is_open_ = false;
};

}  // namespace vinci
