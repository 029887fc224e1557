// What a kernel's handle tells of it.
#include "host/acl/functions.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "host/acl/error.h"
#include "host/acl/runtime.h"

namespace vinci::acl {
namespace {

Layout as_struct(const KnownKernel& kernel) {
  Layout layout;
  for (const KnownKernel::Parameter& parameter : kernel.parameters) {
    layout.offsets.push_back(rounded(layout.bytes, parameter.alignment));
    layout.bytes = layout.offsets.back() + parameter.bytes;
  }
  return layout;
}

Layout as_words(const KnownKernel& kernel) {
  Layout layout;
  for (const KnownKernel::Parameter& parameter : kernel.parameters) {
    layout.offsets.push_back(layout.bytes);
    layout.bytes += rounded(parameter.bytes, kWord);
  }
  return layout;
}

// Asks for something of a kernel. `get` gives the code.
template <class Get>
aclError ask(const char* api, const void* handle, const void* place, const Get& get) {
  if (const aclError code = check_place(api, place); code != ACL_SUCCESS) return code;
  Function function;
  return find_function(api, handle, function) ? get(function) : last_error();
}

aclrtKernelType type_of(const KnownKernel& kernel) {
  const Grid block = kernel.block();
  if (block.is_whole()) return ACL_KERNEL_TYPE_AICORE;
  if (kernel.type.starts_with("MIX")) return ACL_KERNEL_TYPE_MIX;
  return block.aic > 0 ? ACL_KERNEL_TYPE_CUBE : ACL_KERNEL_TYPE_VECTOR;
}

}  // namespace

Layout layout_of(const KnownKernel& kernel, size_t size) {
  const Layout words = as_words(kernel);
  const Layout members = as_struct(kernel);
  return size == words.bytes && rounded(members.bytes, kWord) != size ? words : members;
}

}  // namespace vinci::acl

using namespace vinci::acl;

extern "C" {

aclError aclrtFunctionGetBinary(const aclrtFuncHandle handle, aclrtBinHandle* binary) {
  constexpr const char* kApi = "aclrtFunctionGetBinary";
  return ask(kApi, handle, binary, [&](const Function& function) {
    *binary = function.binary;
    if (function.binary != nullptr) return ACL_SUCCESS;
    return fail(ACL_ERROR_RT_PARAM_INVALID, kApi, "the kernel is the program's own");
  });
}

aclError aclrtFunctionGetParamCount(const void* handle, size_t* count) {
  return ask("aclrtFunctionGetParamCount", handle, count, [&](const Function& function) {
    *count = function.kernel->parameters.size();
    return ACL_SUCCESS;
  });
}

aclError aclrtFunctionGetParamInfo(const void* handle, size_t index, size_t* offset, size_t* size) {
  constexpr const char* kApi = "aclrtFunctionGetParamInfo";
  if (const aclError code = check_place(kApi, offset); code != ACL_SUCCESS) return code;
  return ask(kApi, handle, size, [&](const Function& function) {
    const auto& parameters = function.kernel->parameters;
    if (index >= parameters.size()) {
      return fail(ACL_ERROR_RT_PARAM_INVALID, kApi,
                  fmt::format("parameter {} of {}", index, parameters.size()));
    }
    *offset = layout_of(*function.kernel, 0).offsets[index];
    *size = parameters[index].bytes;
    return ACL_SUCCESS;
  });
}

// No chip of vinci has SIMT cores.
aclError aclrtFunctionGetAvailDynUbufPerBlock(void* handle, uint32_t, size_t* bytes) {
  return ask("aclrtFunctionGetAvailDynUbufPerBlock", handle, bytes, [&](const Function&) {
    *bytes = 0;
    return ACL_SUCCESS;
  });
}

aclError aclrtGetFunctionName(aclrtFuncHandle handle, uint32_t most, char* name) {
  constexpr const char* kApi = "aclrtGetFunctionName";
  return ask(kApi, handle, name, [&](const Function& function) {
    const std::string& text = function.kernel->name;
    if (most <= text.size()) {
      return fail(ACL_ERROR_RT_PARAM_INVALID, kApi,
                  fmt::format("{} bytes for {}", most, text.size() + 1));
    }
    std::memcpy(name, text.c_str(), text.size() + 1);
    return ACL_SUCCESS;
  });
}

aclError aclrtGetFunctionAddr(aclrtFuncHandle handle, void** aic, void** aiv) {
  constexpr const char* kApi = "aclrtGetFunctionAddr";
  if (const aclError code = check_place(kApi, aic); code != ACL_SUCCESS) return code;
  return ask(kApi, handle, aiv, [&](const Function& function) {
    const KnownKernel& kernel = *function.kernel;
    const vinci::Grid block = kernel.block();
    const auto code_for = [&](vinci::CoreKind kind) {
      return reinterpret_cast<void*>(kernel.code[size_t(kind)]);
    };
    *aic = block.aic > 0 ? code_for(vinci::CoreKind::kAic) : code_for(vinci::CoreKind::kWhole);
    *aiv = block.aiv > 0 ? code_for(vinci::CoreKind::kAiv) : nullptr;
    return ACL_SUCCESS;
  });
}

aclError aclrtGetFunctionSize(aclrtFuncHandle handle, size_t* aic, size_t* aiv) {
  constexpr const char* kApi = "aclrtGetFunctionSize";
  if (const aclError code = check_place(kApi, aic); code != ACL_SUCCESS) return code;
  return ask(kApi, handle, aiv, [&](const Function&) {
    return refuse(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kApi,
                  "a kernel is code for this host, whose size says nothing of the chip's",
                  "a card");
  });
}

aclError aclrtGetFunctionAttribute(aclrtFuncHandle handle, aclrtFuncAttribute attribute,
                                   int64_t* value) {
  constexpr const char* kApi = "aclrtGetFunctionAttribute";
  return ask(kApi, handle, value, [&](const Function& function) {
    const vinci::Grid block = function.kernel->block();
    switch (attribute) {
      case ACL_FUNC_ATTR_KERNEL_TYPE: *value = type_of(*function.kernel); return ACL_SUCCESS;
      case ACL_FUNC_ATTR_KERNEL_RATIO:
        *value = block.is_whole() ? 1 << 16 : block.aic << 16 | block.aiv;
        return ACL_SUCCESS;
      case ACL_FUNC_ATTR_KERNEL_SCHED_MODE: *value = 0; return ACL_SUCCESS;
    }
    return fail(ACL_ERROR_RT_PARAM_INVALID, kApi, fmt::format("attribute {}", int(attribute)));
  });
}

}  // extern "C"
