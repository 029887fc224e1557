// Calls the operator with both of its types, then as nobody may.
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_scale_custom.h"
#include "scale_types.h"
#include "single.h"

#define CHECK(call)                                                   \
  do {                                                                \
    const int code = call;                                            \
    if (code != 0) return std::printf(#call " gave %d\n", code), 1;   \
  } while (0)

template <class T>
int scale(aclDataType type, const std::vector<T>& values, ScaleValue factor, const char* file, aclrtStream stream) {
  const int64_t shape[] = {int64_t(values.size()) / 32, 32};
  const size_t bytes = values.size() * sizeof(T);
  void *x, *y, *workspace;
  CHECK(aclrtMalloc(&x, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMalloc(&y, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMemcpy(x, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
  aclTensor* in = aclCreateTensor(shape, 2, type, nullptr, 0, ACL_FORMAT_ND, shape, 2, x);
  aclTensor* out = aclCreateTensor(shape, 2, type, nullptr, 0, ACL_FORMAT_ND, shape, 2, y);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  CHECK(aclnnScaleCustomGetWorkspaceSize(in, factor, out, &size, &executor));
  if (size != 16 * 1024 * 1024 + 64) return std::printf("a workspace of %lu bytes\n", size), 1;
  CHECK(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclnnScaleCustom(workspace, size, executor, stream));
  CHECK(aclrtSynchronizeStream(stream));
  std::vector<T> result(values.size());
  CHECK(aclrtMemcpy(result.data(), bytes, y, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
  FILE* to = fopen(file, "wb");
  fwrite(result.data(), sizeof(T), result.size(), to);
  fclose(to);
  // What no call of it may be. Null pointers are asked for.
  std::printf("%d", aclnnScaleCustomGetWorkspaceSize(nullptr, factor, out, &size, &executor));
  std::printf(" %d", aclnnScaleCustomGetWorkspaceSize(in, factor, nullptr, &size, &executor));
  std::printf(" %d", aclnnScaleCustomGetWorkspaceSize(in, factor, out, nullptr, &executor));
  std::printf(" %d", aclnnScaleCustom(workspace, size, nullptr, stream));
  CHECK(aclnnScaleCustomGetWorkspaceSize(in, factor, out, &size, &executor));
  std::printf(" %d\n", aclnnScaleCustom(nullptr, size, executor, stream));
  CHECK(aclDestroyAclOpExecutor(executor));
  CHECK(aclDestroyTensor(in));
  CHECK(aclDestroyTensor(out));
  CHECK(aclrtFree(x));
  CHECK(aclrtFree(y));
  CHECK(aclrtFree(workspace));
  return 0;
}

int main() {
  aclrtStream stream;
  CHECK(aclnnInit(nullptr));
  CHECK(aclrtSetDevice(0));
  CHECK(aclrtCreateStream(&stream));
  std::vector<float> floats;
  std::vector<aclFloat16> halves;
  for (int i = 0; i < 512; ++i) {
    floats.push_back(0.25f * i - 20);
    halves.push_back(aclFloatToFloat16(floats.back()));
  }
  if (scale(ACL_FLOAT, floats, 1.7f, "floats.bin", stream) != 0) return 1;
  if (scale(ACL_FLOAT16, halves, -0.5f, "halves.bin", stream) != 0) return 1;
  single(halves, stream);
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(0));
  CHECK(aclnnFinalize());
  return 0;
}
