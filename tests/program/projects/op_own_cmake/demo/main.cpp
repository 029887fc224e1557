#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "aclnn_shift_custom.h"

#define CHECK(call)                                                 \
  do {                                                              \
    const int code = call;                                          \
    if (code != 0) return std::printf(#call " gave %d\n", code), 1; \
  } while (0)

int main() {
  std::vector<int32_t> values;
  for (int i = 0; i < 512; ++i) values.push_back(i * i - 1000);
  const int64_t shape[] = {2, 256};
  const size_t bytes = values.size() * sizeof(int32_t);
  aclrtStream stream;
  void *x, *y;
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  CHECK(aclrtCreateStream(&stream));
  CHECK(aclrtMalloc(&x, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMalloc(&y, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMemcpy(x, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
  aclTensor* in = aclCreateTensor(shape, 2, ACL_INT32, nullptr, 0, ACL_FORMAT_ND, shape, 2, x);
  aclTensor* out = aclCreateTensor(shape, 2, ACL_INT32, nullptr, 0, ACL_FORMAT_ND, shape, 2, y);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  CHECK(aclnnShiftCustomGetWorkspaceSize(in, 77, out, &size, &executor));
  void* workspace = nullptr;
  if (size != 0) CHECK(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclnnShiftCustom(workspace, size, executor, stream));
  CHECK(aclrtSynchronizeStream(stream));
  CHECK(aclrtMemcpy(values.data(), bytes, y, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
  FILE* file = fopen("y.bin", "wb");
  fwrite(values.data(), 1, bytes, file);
  fclose(file);
  return 0;
}
