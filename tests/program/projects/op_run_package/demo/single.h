// The operator by its type alone, as a model of atc's has it, and calls that no model fits.
#pragma once

#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_op_compiler.h"

struct Single {
  std::vector<aclTensorDesc*> descriptions;
  std::vector<aclDataBuffer*> buffers;
  std::vector<void*> memory;
  aclopAttr* attributes = aclopCreateAttr();

  void add(aclDataType type, std::vector<int64_t> shape, size_t bytes) {
    descriptions.push_back(aclCreateTensorDesc(type, int(shape.size()), shape.data(), ACL_FORMAT_ND));
    void* data = nullptr;
    aclrtMalloc(&data, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    memory.push_back(data);
    buffers.push_back(aclCreateDataBuffer(data, bytes));
  }
  int execute(const char* type, aclrtStream stream) {
    return aclopExecuteV2(type, 1, &descriptions[0], &buffers[0], 1, &descriptions[1], &buffers[1], attributes, stream);
  }
  ~Single() {
    for (aclTensorDesc* one : descriptions) aclDestroyTensorDesc(one);
    for (aclDataBuffer* one : buffers) aclDestroyDataBuffer(one);
    for (void* one : memory) aclrtFree(one);
    aclopDestroyAttr(attributes);
  }
};

inline int single(const std::vector<aclFloat16>& values, aclrtStream stream) {
  const size_t bytes = values.size() * sizeof(aclFloat16);
  Single call;
  call.add(ACL_FLOAT16, {int64_t(values.size()) / 32, 32}, bytes);
  call.add(ACL_FLOAT16, {int64_t(values.size()) / 32, 32}, bytes);
  aclopSetAttrFloat(call.attributes, "factor", 0.3f);
  aclrtMemcpy(call.memory[0], bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE);
  std::printf("%d", call.execute("ScaleCustom", stream));  // there is no model yet
  std::printf(" %d", aclopSetModelDir("models"));
  std::printf(" %d", call.execute("ScaleCustom", stream));
  aclrtSynchronizeStream(stream);
  std::vector<aclFloat16> result(values.size());
  aclrtMemcpy(result.data(), bytes, call.memory[1], bytes, ACL_MEMCPY_DEVICE_TO_HOST);
  FILE* to = fopen("single.bin", "wb");
  fwrite(result.data(), sizeof(aclFloat16), result.size(), to);
  fclose(to);

  aclopSetAttrFloat(call.attributes, "factor", 0.5f);
  std::printf(" %d", call.execute("ScaleCustom", stream));
  // Without a model any attribute will do, but not any name.
  std::printf(" %d", aclopCompileAndExecuteV2("ScaleCustom", 1, &call.descriptions[0], &call.buffers[0], 1,
                                              &call.descriptions[1], &call.buffers[1], call.attributes, ACL_ENGINE_SYS,
                                              ACL_COMPILE_SYS, nullptr, stream));
  aclrtSynchronizeStream(stream);
  aclFloat16 first;
  aclrtMemcpy(&first, 2, call.memory[1], 2, ACL_MEMCPY_DEVICE_TO_HOST);
  std::printf(" %d", call.execute("ScaleOther", stream));
  Single other;
  other.add(ACL_FLOAT16, {64}, bytes);
  other.add(ACL_FLOAT16, {64}, bytes);
  aclopSetAttrFloat(other.attributes, "factor", 0.3f);
  std::printf(" %d %g\n", other.execute("ScaleCustom", stream), aclFloat16ToFloat(first));
  std::printf("%zu %zu %ld\n", aclGetTensorDescSize(other.descriptions[0]), aclGetTensorDescNumDims(call.descriptions[0]),
              long(aclGetTensorDescDim(call.descriptions[0], 1)));
  return 0;
}
