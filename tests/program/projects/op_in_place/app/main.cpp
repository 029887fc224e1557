// An operator that works in place, on a view; another on lists, whose executor is used again.
#include <cstdio>
#include <vector>

#include "acl/acl_rt.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_increment.h"
#include "aclnn_sum_list.h"

#define CHECK(call)                                                 \
  do {                                                              \
    const int code = call;                                          \
    if (code != 0) return std::printf(#call " gave %d\n", code), 1; \
  } while (0)

constexpr int kCount = 128, kBytes = kCount * 4;
static aclrtStream stream;

static void save(const char* file, const void* gm) {
  int32_t values[kCount];
  aclrtMemcpy(values, kBytes, gm, kBytes, ACL_MEMCPY_DEVICE_TO_HOST);
  FILE* to = fopen(file, "wb");
  fwrite(values, 4, kCount, to);
  fclose(to);
}

int main() {
  CHECK(aclnnInit(nullptr));
  CHECK(aclrtSetDevice(0));
  CHECK(aclrtCreateStream(&stream));
  void* memory[4];
  for (int which = 0; which < 4; ++which) {
    int32_t values[kCount];
    for (int i = 0; i < kCount; ++i) values[i] = i * (which + 1);
    CHECK(aclrtMalloc(&memory[which], kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMemcpy(memory[which], kBytes, values, kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
  }

  // Every other number from the third on, in rows of eight that are 16 apart.
  const int64_t view[] = {4, 8}, strides[] = {16, 2}, storage[] = {kCount};
  aclTensor* part = aclCreateTensor(view, 2, ACL_INT32, strides, 2, ACL_FORMAT_ND, storage, 1, memory[0]);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  CHECK(aclnnIncrementGetWorkspaceSize(part, &size, &executor));
  void* workspace;
  CHECK(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclDestroyTensor(part));  // the executor knows what it needs
  CHECK(aclnnIncrement(workspace, size, executor, stream));
  CHECK(aclrtSynchronizeStream(stream));
  save("view.bin", memory[0]);

  aclTensor* tensors[3];
  for (int i = 0; i < 3; ++i) {
    tensors[i] = aclCreateTensor(storage, 1, ACL_INT32, nullptr, 0, ACL_FORMAT_ND, storage, 1, memory[i]);
  }
  aclTensorList* list = aclCreateTensorList(tensors, 2);
  CHECK(aclnnSumListGetWorkspaceSize(list, tensors[2], &size, &executor));
  CHECK(aclSetAclOpExecutorRepeatable(executor));
  CHECK(aclnnSumList(nullptr, size, executor, stream));
  CHECK(aclrtSynchronizeStream(stream));
  save("sum.bin", memory[2]);
  CHECK(aclSetDynamicInputTensorAddr(executor, 0, 1, list, memory[3]));
  CHECK(aclSetOutputTensorAddr(executor, 0, tensors[2], memory[1]));
  CHECK(aclnnSumList(nullptr, size, executor, stream));
  CHECK(aclrtSynchronizeStream(stream));
  save("again.bin", memory[1]);
  CHECK(aclDestroyAclOpExecutor(executor));
  CHECK(aclDestroyTensorList(list));
  CHECK(aclDestroyTensor(tensors[2]));
  CHECK(aclrtResetDevice(0));
  CHECK(aclnnFinalize());
  return 0;
}
