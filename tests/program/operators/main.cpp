// Calls ten operators of packages in two phases, each in the shapes that calls.txt lists: on a line the
// operator, then of each tensor its file, its type by number, and its dimensions; a file that begins with
// "out" is written. Attributes are those that the operator's lines in invoke() take.
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnn/aclnn_base.h"
#include "aclnn_add_custom.h"
#include "aclnn_add_to_rows.h"
#include "aclnn_concat_flat.h"
#include "aclnn_histogram_x.h"
#include "aclnn_largest_k.h"
#include "aclnn_matmul_small.h"
#include "aclnn_not_equal_x.h"
#include "aclnn_reduce_axis.h"
#include "aclnn_scale_shift.h"
#include "aclnn_take_rows.h"

#define CHECK(call)                                               \
  do {                                                            \
    const int code = call;                                        \
    if (code != 0) std::printf(#call " gave %d\n", code), exit(1); \
  } while (0)

struct Tensor {
  std::string file;
  void* data = nullptr;
  size_t bytes = 0;
  aclTensor* tensor = nullptr;

  Tensor(std::string name, int type, const std::vector<int64_t>& shape) : file(std::move(name)) {
    bytes = aclDataTypeSize(aclDataType(type));
    for (const int64_t each : shape) bytes *= each;
    CHECK(aclrtMalloc(&data, bytes + 32, ACL_MEM_MALLOC_HUGE_FIRST));
    if (file.rfind("out", 0) != 0) {
      std::ifstream input(file, std::ios::binary);
      const std::vector<char> content(std::istreambuf_iterator<char>(input), {});
      if (content.size() != bytes) std::printf("%s has %zu bytes, not %zu\n", file.c_str(), content.size(), bytes), exit(1);
      CHECK(aclrtMemcpy(data, bytes, content.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
    }
    tensor = aclCreateTensor(shape.data(), shape.size(), aclDataType(type), nullptr, 0, ACL_FORMAT_ND, shape.data(),
                             shape.size(), data);
  }
  void save(const std::string& name) const {
    std::vector<char> content(bytes);
    if (bytes > 0) CHECK(aclrtMemcpy(content.data(), bytes, data, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
    std::ofstream(name, std::ios::binary).write(content.data(), std::streamsize(bytes));
  }
};

using Run = aclnnStatus (*)(void*, uint64_t, aclOpExecutor*, aclrtStream);

static Run invoke(const std::string& type, const std::vector<Tensor>& t, uint64_t* size, aclOpExecutor** executor) {
  if (type == "AddCustom") {
    CHECK(aclnnAddCustomGetWorkspaceSize(t[0].tensor, t[1].tensor, t[2].tensor, size, executor));
    return aclnnAddCustom;
  }
  if (type == "NotEqualX") {
    CHECK(aclnnNotEqualXGetWorkspaceSize(t[0].tensor, t[1].tensor, t[2].tensor, size, executor));
    return aclnnNotEqualX;
  }
  if (type == "MatmulSmall") {
    CHECK(aclnnMatmulSmallGetWorkspaceSize(t[0].tensor, t[1].tensor, t[2].tensor, size, executor));
    return aclnnMatmulSmall;
  }
  if (type == "TakeRows") {
    CHECK(aclnnTakeRowsGetWorkspaceSize(t[0].tensor, t[1].tensor, t[2].tensor, size, executor));
    return aclnnTakeRows;
  }
  if (type == "AddToRows") {  // in place
    CHECK(aclnnAddToRowsGetWorkspaceSize(t[0].tensor, t[1].tensor, t[2].tensor, size, executor));
    return aclnnAddToRows;
  }
  if (type == "LargestK") {  // k is a tensor
    CHECK(aclnnLargestKTensorGetWorkspaceSize(t[0].tensor, t[1].tensor, t[2].tensor, t[3].tensor, size, executor));
    return aclnnLargestK;
  }
  if (type == "ReduceAxis") {
    CHECK(aclnnReduceAxisGetWorkspaceSize(t[0].tensor, 0, t[1].tensor, size, executor));
    return aclnnReduceAxis;
  }
  if (type == "ScaleShift") {
    const int64_t ints[] = {1, 2, 4};
    const float floats[] = {8, 16};
    const bool which[] = {false, true};
    char mode[] = "shifted";
    CHECK(aclnnScaleShiftGetWorkspaceSize(t[0].tensor, true, 3, 0.5, mode, aclCreateIntArray(ints, 3),
                                          aclCreateFloatArray(floats, 2), aclCreateBoolArray(which, 2), t[1].tensor,
                                          size, executor));
    return aclnnScaleShift;
  }
  if (type == "HistogramX") {
    CHECK(aclnnHistogramXGetWorkspaceSize(t[0].tensor, 7, true, t[1].tensor, t[2].tensor, t[3].tensor, size, executor));
    return aclnnHistogramX;
  }
  std::vector<const aclTensor*> list;
  for (size_t i = 0; i + 1 < t.size(); ++i) list.push_back(t[i].tensor);
  CHECK(aclnnConcatFlatGetWorkspaceSize(aclCreateTensorList(list.data(), list.size()), t.back().tensor, size, executor));
  return aclnnConcatFlat;
}

int main() {
  aclrtStream stream;
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  CHECK(aclrtCreateStream(&stream));
  std::ifstream calls("calls.txt");
  for (std::string line; std::getline(calls, line);) {
    std::istringstream words(line);
    std::string type, file, dimensions;
    int number;
    words >> type;
    std::vector<Tensor> tensors;
    while (words >> file >> number >> dimensions) {
      std::vector<int64_t> shape;
      std::istringstream list(dimensions);
      for (std::string one; std::getline(list, one, 'x');) shape.push_back(std::stoll(one));
      tensors.emplace_back(file, number, shape);
    }
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    const Run run = invoke(type, tensors, &size, &executor);
    void* workspace = nullptr;
    if (size > 0) CHECK(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(run(workspace, size, executor, stream));
    CHECK(aclrtSynchronizeStream(stream));
    for (const Tensor& each : tensors) {
      if (each.file.rfind("out", 0) == 0) each.save(each.file);
      if (type == "AddToRows" && &each == &tensors[0]) each.save("out_" + each.file);
    }
  }
  std::printf("done\n");
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return 0;
}
