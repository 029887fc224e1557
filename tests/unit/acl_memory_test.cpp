// Memory of the host runtime, and what it says of itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

#include "acl_kit.h"
#include "kernel_operator.h"

namespace vinci {
namespace {

class AclMemory : public Acl {
 protected:
  // Doubles `count` numbers of GM.
  static std::function<void()> doubling(void* data, uint32_t count) {
    return [=] {
      AscendC::LocalTensor<int32_t> local(AscendC::TPosition::VECIN, 0, count);
      AscendC::GlobalTensor<int32_t> global;
      global.SetGlobalBuffer(static_cast<int32_t*>(data), count);
      AscendC::DataCopy(local, global, count);
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::Muls(local, local, 2, count);
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::DataCopy(global, local, count);
    };
  }
  static std::vector<int32_t> numbers(size_t count) {
    std::vector<int32_t> all(count);
    std::iota(all.begin(), all.end(), 1);
    return all;
  }
};

TEST_F(AclMemory, DeviceMemoryIsZerosAnd64ByteAligned) {
  for (const size_t bytes : {1, 33, 4096, 100000}) {
    const auto* data = static_cast<uint8_t*>(make_buffer(bytes));
    EXPECT_EQ(reinterpret_cast<uint64_t>(data) % 64, 0u);
    EXPECT_TRUE(std::all_of(data, data + bytes, [](uint8_t byte) { return byte == 0; }));
  }
  void* buffer = &buffer;
  EXPECT_EQ(aclrtMalloc(&buffer, 0, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMalloc(&buffer, size_t{1} << 60, ACL_MEM_MALLOC_HUGE_FIRST),
            ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_EQ(buffer, nullptr);
}

TEST_F(AclMemory, CopiesAndKernelsOfAStreamFollowEachOther) {
  const std::vector<int32_t> input = numbers(64);
  std::vector<int32_t> output(64);
  void* data = make_buffer(256);
  const aclrtStream stream = make_stream();
  ASSERT_EQ(aclrtMemcpyAsync(data, 256, input.data(), 256, ACL_MEMCPY_HOST_TO_DEVICE, stream), 0);
  ASSERT_EQ(launch(stream, doubling(data, 64), {1, 0, 1}), 0);
  ASSERT_EQ(aclrtMemsetAsync(data, 256, 1, 4, stream), 0);
  ASSERT_EQ(aclrtMemcpyAsync(output.data(), 256, data, 256, ACL_MEMCPY_DEFAULT, stream), 0);
  ASSERT_EQ(aclrtSynchronizeStream(stream), 0);
  EXPECT_EQ(output[0], 0x01010101);
  for (size_t i = 1; i < 64; ++i) EXPECT_EQ(output[i], 2 * input[i]);
  EXPECT_EQ(aclrtFree(data), 0);
}

TEST_F(AclMemory, RowsAreCopiedBetweenPitches) {
  std::vector<uint8_t> input(40), output(30, 9);
  std::iota(input.begin(), input.end(), uint8_t{0});
  void* data = make_buffer(48);
  ASSERT_EQ(aclrtMemcpy2d(data, 16, input.data(), 20, 5, 2, ACL_MEMCPY_HOST_TO_DEVICE), 0);
  ASSERT_EQ(aclrtMemcpy2d(output.data(), 10, data, 16, 7, 2, ACL_MEMCPY_DEVICE_TO_HOST), 0);
  const std::vector<uint8_t> wanted{0, 1, 2, 3, 4, 0, 0, 9, 9, 9, 20, 21, 22, 23, 24,
                                    0, 0, 9, 9, 9, 9, 9, 9, 9, 9, 9,  9,  9,  9,  9};
  EXPECT_EQ(output, wanted);
  expect_refused(
      [&] { return aclrtMemcpy2d(data, 4, input.data(), 20, 5, 2, ACL_MEMCPY_HOST_TO_DEVICE); },
      ACL_ERROR_RT_PARAM_INVALID, "rows of 5 bytes");
  expect_refused(
      [&] { return aclrtMemcpy2d(data, 44, input.data(), 20, 5, 2, ACL_MEMCPY_HOST_TO_DEVICE); },
      ACL_ERROR_RT_PARAM_INVALID, "bytes 0..48 of dst, which has 48");
}

TEST_F(AclMemory, ACopyPastABufferIsRefusedAndDoesNothing) {
  std::vector<uint8_t> host(200, 5);
  auto* data = static_cast<uint8_t*>(make_buffer(100));
  const auto to = [&](size_t offset, size_t room, size_t count) {
    return aclrtMemcpy(data + offset, room, host.data(), count, ACL_MEMCPY_HOST_TO_DEVICE);
  };
  EXPECT_EQ(to(60, 40, 40), 0);
  EXPECT_EQ(to(0, 0, 0), 0);
  expect_refused([&] { return to(0, 50, 51); }, ACL_ERROR_RT_PARAM_INVALID,
                 "51 bytes into a buffer of 50");
  expect_refused([&] { return to(60, 41, 41); }, ACL_ERROR_RT_PARAM_INVALID,
                 "bytes 60..100 of dst, which has 100");
  EXPECT_EQ(data[59], 0);
  expect_refused(
      [&] { return aclrtMemcpy(host.data(), 200, data, 101, ACL_MEMCPY_DEVICE_TO_HOST); },
      ACL_ERROR_RT_PARAM_INVALID, "bytes 0..100 of src, which has 100");
  expect_refused([&] { return aclrtMemset(data, 200, 0, 101); }, ACL_ERROR_RT_PARAM_INVALID,
                 "bytes 0..100 of the buffer, which has 100");
  EXPECT_EQ(aclrtMemset(data, 200, 0, 100), 0);
}

TEST_F(AclMemory, ACopyOfTheWrongKindIsRefused) {
  std::vector<uint8_t> host(64);
  void* data = make_buffer(64);
  void* pinned = nullptr;
  ASSERT_EQ(aclrtMallocHost(&pinned, 64), 0);
  expect_refused([&] { return aclrtMemcpy(host.data(), 64, data, 64, ACL_MEMCPY_HOST_TO_DEVICE); },
                 ACL_ERROR_RT_PARAM_INVALID, "which is no device memory");
  expect_refused([&] { return aclrtMemcpy(data, 64, pinned, 64, ACL_MEMCPY_DEVICE_TO_DEVICE); },
                 ACL_ERROR_RT_PARAM_INVALID, "src is host memory");
  expect_refused([&] { return aclrtMemcpy(data, 64, pinned, 64, ACL_MEMCPY_HOST_TO_HOST); },
                 ACL_ERROR_RT_PARAM_INVALID, "dst is device memory");
  expect_refused([&] { return aclrtMemcpy(nullptr, 64, data, 64, ACL_MEMCPY_DEVICE_TO_HOST); },
                 ACL_ERROR_RT_PARAM_INVALID, "dst is null");
  expect_refused([&] { return aclrtMemcpy(data, 64, pinned, 64, aclrtMemcpyKind(8)); },
                 ACL_ERROR_RT_PARAM_INVALID, "kind 8");
  EXPECT_EQ(aclrtMemcpy(data, 64, pinned, 64, ACL_MEMCPY_DEFAULT), 0);
  EXPECT_EQ(aclrtMemcpy(host.data(), 64, pinned, 64, ACL_MEMCPY_HOST_TO_HOST), 0);
  EXPECT_EQ(aclrtFreeHost(pinned), 0);
}

TEST_F(AclMemory, WhatIsFreedIsTheRuntimesAndNotFreedBefore) {
  auto* data = static_cast<uint8_t*>(make_buffer(64));
  void* pinned = nullptr;
  int own = 0;
  ASSERT_EQ(aclrtMallocHost(&pinned, 64), 0);
  expect_refused([&] { return aclrtFree(&own); }, ACL_ERROR_RT_PARAM_INVALID,
                 "is no memory of the runtime's");
  expect_refused([&] { return aclrtFree(data + 32); }, ACL_ERROR_RT_PARAM_INVALID,
                 "lies 32 bytes inside a buffer");
  expect_refused([&] { return aclrtFree(pinned); }, ACL_ERROR_RT_PARAM_INVALID, "is host memory");
  expect_refused([&] { return aclrtFreeHost(data); }, ACL_ERROR_RT_PARAM_INVALID,
                 "is device memory");
  EXPECT_EQ(aclrtFree(data), 0);
  expect_refused([&] { return aclrtFree(data); }, ACL_ERROR_RT_PARAM_INVALID, "was freed before");
  expect_refused([&] { return aclrtMemcpy(data, 4, &own, 4, ACL_MEMCPY_HOST_TO_DEVICE); },
                 ACL_ERROR_RT_PARAM_INVALID, "which was freed before");
  EXPECT_EQ(aclrtFreeHost(pinned), 0);
  EXPECT_EQ(aclrtFree(nullptr), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(AclMemory, MemoryThatIsFreedTooEarlyStaysForWhatIsUnderWay) {
  Gate gate;
  auto* data = static_cast<uint8_t*>(make_buffer(256));
  ASSERT_EQ(launch(nullptr, [&, run = doubling(data, 64)] { gate.pass(), run(); }, {1, 0, 1}), 0);
  EXPECT_EQ(aclrtFree(data), 0);
  gate.open();
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 0);
  testing::internal::CaptureStderr();
  ASSERT_EQ(aclrtFree(make_buffer(32)), 0);  // streams are idle: now it goes
  ASSERT_EQ(launch(nullptr, doubling(data, 64), {1, 0, 1}), 0);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("V1003"), std::string::npos);
}

TEST_F(AclMemory, FreeingAfterTheResetIsFine) {
  void* data = make_buffer(64);
  ASSERT_EQ(aclrtResetDevice(0), 0);
  EXPECT_EQ(aclrtFree(data), 0);
  ASSERT_EQ(aclrtSetDevice(0), 0);
}

TEST_F(AclMemory, MemoryOfTheOtherHeadersIsTheSame) {
  auto* data = static_cast<int32_t*>(host_alloc("Ascend910B1", 256));
  EXPECT_EQ(data[0], -1);
  const std::vector<int32_t> input = numbers(64);
  ASSERT_EQ(aclrtMemcpy(data, 256, input.data(), 256, ACL_MEMCPY_HOST_TO_DEVICE), 0);
  ASSERT_EQ(launch(nullptr, doubling(data, 64), {1, 0, 1}), 0);
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), 0);
  host_launch("Ascend910B1", "doubling", 1, doubling(data, 64));
  EXPECT_EQ(data[63], 4 * 64);
  host_free(data);
}

TEST_F(AclMemory, RegisteredHostMemoryIsGmToo) {
  std::vector<int32_t> host = numbers(64);
  void* device = nullptr;
  ASSERT_EQ(aclrtHostRegister(host.data(), 256, ACL_HOST_REGISTER_MAPPED, &device), 0);
  ASSERT_EQ(launch(nullptr, doubling(device, 64), {1, 0, 1}), 0);
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), 0);
  EXPECT_EQ(host[63], 128);
  EXPECT_EQ(aclrtHostUnregister(host.data()), 0);
}

TEST_F(AclMemory, PinnedMemoryThatIsRegisteredIsGmUntilItGoes) {
  void *host = nullptr, *device = nullptr;
  ASSERT_EQ(aclrtMallocHost(&host, 256), 0);
  std::ranges::copy(numbers(64), static_cast<int32_t*>(host));
  ASSERT_EQ(aclrtHostRegisterV2(host, 256, ACL_HOST_REG_MAPPED | ACL_HOST_REG_PINNED), 0);
  ASSERT_EQ(aclrtHostGetDevicePointer(host, &device, 0), 0);
  ASSERT_EQ(launch(nullptr, doubling(device, 64), {1, 0, 1}), 0);
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), 0);
  EXPECT_EQ(static_cast<int32_t*>(host)[63], 128);
  aclrtPtrAttributes attributes{};
  ASSERT_EQ(aclrtPointerGetAttributes(host, &attributes), 0);
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_HOST);
  EXPECT_EQ(aclrtFreeHost(host), 0);
  EXPECT_EQ(aclrtHostGetDevicePointer(host, &device, 0), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

TEST_F(AclMemory, AddressesGetMemoryLater) {
  aclrtPhysicalMemProp properties{};
  properties.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  size_t bytes = 0;
  ASSERT_EQ(
      aclrtMemGetAllocationGranularity(&properties, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &bytes),
      0);
  void* first = nullptr;
  aclrtDrvMemHandle handle = nullptr;
  ASSERT_EQ(aclrtReserveMemAddress(&first, 2 * bytes, 0, nullptr, 0), 0);
  EXPECT_EQ(reinterpret_cast<uint64_t>(first) % bytes, 0u);
  EXPECT_EQ(aclrtMallocPhysical(&handle, bytes + 1, &properties, 0), ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_EQ(aclrtMallocPhysical(&handle, bytes, &properties, 0), 0);
  void* second = static_cast<char*>(first) + bytes;
  ASSERT_EQ(aclrtMapMem(first, bytes, 0, handle, 0), 0);
  ASSERT_EQ(aclrtMapMem(second, bytes, 0, handle, 0), 0);
  expect_refused([&] { return aclrtMapMem(first, bytes, 0, handle, 0); },
                 ACL_ERROR_RT_PARAM_INVALID, "of a handle of 2097152");
  const std::vector<int32_t> input = numbers(64);
  ASSERT_EQ(aclrtMemcpy(first, bytes, input.data(), 256, ACL_MEMCPY_HOST_TO_DEVICE), 0);
  ASSERT_EQ(launch(nullptr, doubling(second, 64), {1, 0, 1}), 0);
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), 0);
  EXPECT_EQ(static_cast<int32_t*>(first)[63], 128);  // both are the same memory
  for (void* address : {first, second}) EXPECT_EQ(aclrtUnmapMem(address), 0);
  EXPECT_EQ(aclrtFreePhysical(handle), 0);
  expect_refused([&] { return aclrtFreePhysical(handle); }, ACL_ERROR_RT_INVALID_HANDLE,
                 "is no memory");
  EXPECT_EQ(aclrtReleaseMemAddress(first), 0);
}

TEST_F(AclMemory, TheChipIsTold) {
  EXPECT_STREQ(aclrtGetSocName(), "Ascend910B1");
  int64_t value = 0;
  EXPECT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_CUBE_CORE_NUM, &value), 0);
  EXPECT_EQ(value, 24);
  EXPECT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_VECTOR_CORE_NUM, &value), 0);
  EXPECT_EQ(value, 48);
  EXPECT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE, &value), 0);
  EXPECT_EQ(value, 196608);
  EXPECT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_NPU_ARCH, &value), 0);
  EXPECT_EQ(value, 2201);
  EXPECT_EQ(aclGetDeviceCapability(0, ACL_DEVICE_INFO_VECTOR_CORE_NUM, &value), 0);
  EXPECT_EQ(value, 48);
  EXPECT_EQ(aclrtGetDeviceInfo(0, aclrtDevAttr(999), &value), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  aclrtRunMode mode = ACL_DEVICE;
  EXPECT_EQ(aclrtGetRunMode(&mode), 0);
  EXPECT_EQ(mode, ACL_HOST);
  uint32_t count = 0;
  EXPECT_EQ(aclrtGetDeviceCount(&count), 0);
  expect_refused([=] { return aclrtSetDevice(int32_t(count)); }, ACL_ERROR_RT_INVALID_DEVICEID,
                 "device 8");
}

TEST_F(AclMemory, InitialisationIsCounted) {
  EXPECT_EQ(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
  EXPECT_EQ(aclInit(nullptr), 0);
  EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  uint64_t count = 9;
  EXPECT_EQ(aclFinalizeReference(&count), 0);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(aclFinalize(), 0);
  EXPECT_EQ(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
  EXPECT_EQ(aclInit(nullptr), 0);
  EXPECT_EQ(aclFinalize(), 0);
}

TEST_F(AclMemory, HalfsAndSizes) {
  EXPECT_EQ(aclFloatToFloat16(1.0f), 0x3C00);
  EXPECT_EQ(aclFloatToFloat16(-2.0f), 0xC000);
  EXPECT_EQ(aclFloatToFloat16(1.0f + 1.0f / 2048), 0x3C00);  // a tie, to even
  EXPECT_EQ(aclFloatToFloat16(1.0f + 3.0f / 2048), 0x3C02);
  EXPECT_EQ(aclFloatToFloat16(65519.0f), 0x7BFF);
  EXPECT_EQ(aclFloatToFloat16(65520.0f), 0x7C00);
  EXPECT_EQ(aclFloat16ToFloat(0x0001), std::ldexp(1.0f, -24));
  EXPECT_EQ(aclFloat16ToFloat(0x3555), 0.333251953125f);
  EXPECT_EQ(aclDataTypeSize(ACL_FLOAT), 4u);
  EXPECT_EQ(aclDataTypeSize(ACL_BF16), 2u);
  EXPECT_EQ(aclDataTypeSize(ACL_BOOL), 1u);
  EXPECT_EQ(aclDataTypeSize(ACL_COMPLEX128), 16u);
  EXPECT_EQ(aclDataTypeSize(ACL_DT_UNDEFINED), 0u);
}

}  // namespace
}  // namespace vinci
