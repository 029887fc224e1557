// Calls the operator with views, with and without what may be left out, and without elements.
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_mix_custom.h"

#define CHECK(call)                                                 \
  do {                                                              \
    const int code = call;                                          \
    if (code != 0) return std::printf(#call " gave %d\n", code), 1; \
  } while (0)

constexpr int kBytes = 4096;
static float* memory[3];  // x, bias, y: 1024 floats each
static aclrtStream stream;

struct View {
  std::vector<int64_t> shape, strides;
  int64_t offset;
};
static aclTensor* make(int which, const View& view) {
  const int64_t storage[] = {1024};
  return aclCreateTensor(view.shape.data(), view.shape.size(), ACL_FLOAT,
                         view.strides.empty() ? nullptr : view.strides.data(), view.offset,
                         ACL_FORMAT_ND, storage, 1, memory[which]);
}

static int run(const char* file, const View& x, const View* bias, double scale, int64_t shift, bool negate,
               char* mode, const aclIntArray* axes, const aclFloatArray* weights) {
  aclTensor* in = make(0, x);
  aclTensor* more = bias == nullptr ? nullptr : make(1, *bias);
  aclTensor* out = make(2, {x.shape, {}, 0});
  const int64_t numbers[] = {2, 7};
  aclIntArray* sizes = aclCreateIntArray(numbers, 2);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  CHECK(aclnnMixCustomGetWorkspaceSize(in, more, sizes, scale, shift, negate, mode, axes, weights, out, &size, &executor));
  std::printf("%s %lu\n", file, size);
  void* workspace = nullptr;
  if (size > 0) CHECK(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMemset(memory[2], kBytes, 0, kBytes));
  CHECK(aclnnMixCustom(workspace, size, executor, stream));
  CHECK(aclrtSynchronizeStream(stream));
  float result[1024];
  CHECK(aclrtMemcpy(result, kBytes, memory[2], kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  FILE* to = fopen(file, "wb");
  fwrite(result, 1, kBytes, to);
  fclose(to);
  if (workspace != nullptr) CHECK(aclrtFree(workspace));
  return 0;
}

int main() {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  CHECK(aclrtCreateStream(&stream));
  for (int which = 0; which < 3; ++which) {
    float values[1024];
    for (int i = 0; i < 1024; ++i) values[i] = which == 0 ? i : -2 * i;
    CHECK(aclrtMalloc((void**)&memory[which], kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMemcpy(memory[which], kBytes, values, kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
  }
  const float floats[] = {0.5f, 0.25f};
  const int64_t ints[] = {-1};
  aclFloatArray* weights = aclCreateFloatArray(floats, 2);
  aclIntArray* axes = aclCreateIntArray(ints, 1);
  char mode[] = "abc";
  const View whole{{8, 16}, {}, 0}, transposed{{16, 8}, {1, 32}, 5}, every{{64}, {3}, 100}, none{{0, 16}, {}, 0};
  // All defaults but what is required.
  if (run("whole.bin", whole, nullptr, 2, 3, false, nullptr, nullptr, weights)) return 1;
  if (run("transposed.bin", transposed, nullptr, 0.5, -1, true, mode, axes, weights)) return 1;
  if (run("both.bin", every, &every, 1, 0, false, mode, axes, weights)) return 1;
  if (run("none.bin", none, nullptr, 1, 0, false, mode, axes, weights)) return 1;
  aclTensor* x = make(0, whole);
  aclIntArray* sizes = aclCreateIntArray(ints, 1);
  uint64_t size;
  aclOpExecutor* executor;
  // What is required and is not there; the input as a tensor.
  std::printf("%d ", aclnnMixCustomGetWorkspaceSize(x, nullptr, nullptr, 1, 1, 1, mode, axes, weights, x, &size, &executor));
  std::printf("%d ", aclnnMixCustomGetWorkspaceSize(x, nullptr, sizes, 1, 1, 1, mode, axes, nullptr, x, &size, &executor));
  std::printf("%d\n", aclnnMixCustomTensorGetWorkspaceSize(x, nullptr, nullptr, 1, 1, 1, mode, axes, weights, x, &size, &executor));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return 0;
}
