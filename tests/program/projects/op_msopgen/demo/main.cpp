// 77 floats through the operator.
#include <cstdio>

#include "acl/acl.h"
#include "aclnn_add_bias.h"

#define CHECK(call)                                                 \
  do {                                                              \
    const int code = call;                                          \
    if (code != 0) return std::printf(#call " gave %d\n", code), 1; \
  } while (0)

int main() {
  const int64_t shape[] = {77};
  float values[77];
  for (int i = 0; i < 77; ++i) values[i] = i;
  aclrtStream stream;
  void *x, *y;
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  CHECK(aclrtCreateStream(&stream));
  CHECK(aclrtMalloc(&x, sizeof values, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMalloc(&y, sizeof values, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMemcpy(x, sizeof values, values, sizeof values, ACL_MEMCPY_HOST_TO_DEVICE));
  aclTensor* in = aclCreateTensor(shape, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 1, x);
  aclTensor* out = aclCreateTensor(shape, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 1, y);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  CHECK(aclnnAddBiasGetWorkspaceSize(in, 0.25, out, &size, &executor));
  CHECK(aclnnAddBias(nullptr, size, executor, stream));
  CHECK(aclrtSynchronizeStream(stream));
  CHECK(aclrtMemcpy(values, sizeof values, y, sizeof values, ACL_MEMCPY_DEVICE_TO_HOST));
  FILE* to = std::fopen("out.bin", "wb");
  std::fwrite(values, sizeof values, 1, to);
  std::fclose(to);
  CHECK(aclDestroyTensor(in));
  CHECK(aclDestroyTensor(out));
  CHECK(aclrtFree(x));
  CHECK(aclrtFree(y));
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(0));
  return aclFinalize();
}
