// aclrtLaunchKernel and its kind. They differ in where a kernel's arguments come from.
#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "host/acl/error.h"
#include "host/acl/functions.h"
#include "host/acl/lent.h"
#include "host/acl/runtime.h"
#include "host/memories.h"
#include "vinci/door.h"

namespace vinci::acl {
namespace {

using host::Memories;
using host::Memory;

// Values where a kernel finds them, each aligned for its type.
class Values {
 public:
  explicit Values(const KnownKernel& kernel) : layout_(layout_of(kernel, 0)) {
    size_t alignment = alignof(std::max_align_t);
    for (const auto& parameter : kernel.parameters) {
      alignment = std::max(alignment, parameter.alignment);
    }
    bytes_.resize(layout_.bytes + alignment);
    const auto start = reinterpret_cast<uintptr_t>(bytes_.data());
    base_ = bytes_.data() + (alignment - start % alignment) % alignment;
    for (const size_t offset : layout_.offsets) addresses_.push_back(base_ + offset);
  }
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;

  uint8_t* at(size_t index) { return base_ + layout_.offsets[index]; }
  const void* const* addresses() const { return addresses_.data(); }

 private:
  const Layout layout_;
  std::vector<uint8_t> bytes_;
  uint8_t* base_ = nullptr;
  std::vector<const void*> addresses_;
};

struct LaunchArguments {
  std::shared_ptr<Values> values;
  std::vector<std::shared_ptr<Lent>> lent;
  // Instead of values: a block of device memory that holds them when the kernel begins.
  const uint8_t* block = nullptr;
  size_t size = 0;
};

void take_from(const uint8_t* block, size_t size, const KnownKernel& kernel, Values& values) {
  const Layout layout = layout_of(kernel, size);
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    std::memcpy(values.at(i), block + layout.offsets[i], kernel.parameters[i].bytes);
  }
}

// What is asked for: where, how often, and how.
struct Request {
  const char* api;
  Function function;
  uint32_t blocks;
  aclrtStream stream;
  int32_t device;  // of the stream
};

aclError wrong(const Request& request, const std::string& text, std::string legal) {
  return refuse(ACL_ERROR_RT_PARAM_INVALID, request.api, text, std::move(legal));
}

aclError check_attribute(const Request& request, const aclrtLaunchKernelAttr& attribute) {
  const auto value = [&](const char* name, uint32_t got, uint32_t most) {
    if (got <= most) return ACL_SUCCESS;
    return wrong(request, fmt::format("{} {}", name, got),
                 most == 0 ? "0" : fmt::format("0..{}", most));
  };
  const aclrtLaunchKernelAttrValue& is = attribute.value;
  switch (attribute.id) {
    case ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE: return value("schemMode", is.schemMode, 1);
    case ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE: return value("dynUBufSize", is.dynUBufSize, 0);
    case ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE:
      if (is.engineType == ACL_RT_ENGINE_TYPE_AIC) return ACL_SUCCESS;
      return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, request.api, "Vector Cores beside AI Cores");
    case ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET:
      if (is.blockDimOffset == 0) return ACL_SUCCESS;
      return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, request.api, "blocks that begin at another");
    case ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH:
      return value("isBlockTaskPrefetch", is.isBlockTaskPrefetch, 1);
    case ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP: return value("isDataDump", is.isDataDump, 1);
    case ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT:
    case ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US:
    case ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING: return ACL_SUCCESS;
  }
  return wrong(request, fmt::format("attribute {}", int(attribute.id)),
               "ACL_RT_LAUNCH_KERNEL_ATTR_... 1..9");
}

aclError check_configuration(const Request& request, const aclrtLaunchKernelCfg* configuration) {
  if (configuration == nullptr || configuration->numAttrs == 0) return ACL_SUCCESS;
  if (configuration->attrs == nullptr) {
    return wrong(request, fmt::format("{} attributes at a null pointer", configuration->numAttrs),
                 "an array of them");
  }
  int limits = 0;
  for (size_t i = 0; i < configuration->numAttrs; ++i) {
    const aclrtLaunchKernelAttr& attribute = configuration->attrs[i];
    const aclError code = check_attribute(request, attribute);
    if (code != ACL_SUCCESS) return code;
    limits += attribute.id == ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT ||
              attribute.id == ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US;
  }
  return limits < 2 ? ACL_SUCCESS : wrong(request, "a time limit twice", "in seconds or in us");
}

// Fills in what the request is for. The code, if it cannot be meant.
aclError prepare(Request& request, const void* handle, const aclrtLaunchKernelCfg* configuration) {
  if (!find_function(request.api, handle, request.function)) return last_error();
  if (const aclError code = check_configuration(request, configuration); code != ACL_SUCCESS) {
    return code;
  }
  if (stream_of(request.api, request.stream, &request.device) == nullptr) return last_error();
  const int32_t own = request.function.device;
  if (own < 0 || own == request.device) return ACL_SUCCESS;
  return wrong(request, fmt::format("a stream of device {}", request.device),
               fmt::format("one of device {}, where the binary was loaded", own));
}

aclError launch(const Request& request, LaunchArguments arguments) {
  const KnownKernel& kernel = *request.function.kernel;
  Grid grid = kernel.block();
  grid.blocks = request.blocks;
  if (std::ranges::all_of(kernel.code, [](auto code) { return code == nullptr; })) {
    return fail(ACL_ERROR_RT_KERNEL_LOOKUP, request.api,
                fmt::format("{} was compiled for no core", kernel.name));
  }
  const auto before = [function = request.function, arguments] {
    if (arguments.block == nullptr) return;
    take_from(arguments.block, arguments.size, *function.kernel, *arguments.values);
  };
  return enqueue(request.stream, kernel.name.c_str(), kernel.soc, grid, before,
                 [function = request.function, arguments] {
                   const auto run = function.kernel->code[size_t(core_kind())];
                   if (run != nullptr) run(arguments.values->addresses());
                 });
}

// GM with this data, for an argument.
aclError lend(const Request& request, const void* data, size_t bytes, LaunchArguments& arguments,
              void* place) {
  try {
    arguments.lent.push_back(std::make_shared<Lent>(request.device, data, bytes));
  } catch (const std::bad_alloc&) {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, request.api,
                fmt::format("{} bytes are not to be had", bytes));
  }
  void* const gm = arguments.lent.back()->gm();
  std::memcpy(place, &gm, sizeof(gm));
  return ACL_SUCCESS;
}

// Whether a block of arguments has as many bytes as the kernel's need.
aclError check_size(const Request& request, size_t size) {
  const KnownKernel& kernel = *request.function.kernel;
  const size_t needed = layout_of(kernel, size).bytes;
  if (size >= needed) return ACL_SUCCESS;
  return wrong(request, fmt::format("{} bytes of arguments for {}", size, kernel.name),
               fmt::format("{} bytes: {} arguments", needed, kernel.parameters.size()));
}

aclError launch_from_device(const char* api, const void* handle, uint32_t blocks, const void* data,
                            size_t size, const aclrtLaunchKernelCfg* configuration,
                            aclrtStream stream) {
  Request request{api, {}, blocks, stream, 0};
  if (const aclError code = prepare(request, handle, configuration); code != ACL_SUCCESS) {
    return code;
  }
  if (const aclError code = check_size(request, size); code != ACL_SUCCESS) return code;
  LaunchArguments arguments{std::make_shared<Values>(*request.function.kernel),
                            {},
                            static_cast<const uint8_t*>(data),
                            size};
  if (size == 0) {
    arguments.block = nullptr;
    return launch(request, std::move(arguments));
  }
  const std::optional<Memory> memory = Memories::instance().find(data);
  if (!memory || memory->device != request.device) {
    return wrong(
        request,
        fmt::format("arguments at {}, which is no memory of device {}", data, request.device),
        "an address inside what aclrtMalloc gave");
  }
  const size_t left = memory->end() - reinterpret_cast<uint64_t>(data);
  if (size > left) {
    return wrong(request, fmt::format("{} bytes of arguments where {} are left", size, left),
                 fmt::format("0..{}", left));
  }
  return launch(request, std::move(arguments));
}

// A placeholder among arguments in host memory.
aclError fill(const Request& request, const aclrtPlaceHolderInfo& place, const uint8_t* block,
              size_t size, size_t end, LaunchArguments& arguments) {
  const KnownKernel& kernel = *request.function.kernel;
  const Layout layout = layout_of(kernel, end);
  const auto found = std::ranges::find(layout.offsets, place.addrOffset);
  const size_t index = size_t(found - layout.offsets.begin());
  if (found == layout.offsets.end() || kernel.parameters[index].bytes != sizeof(void*)) {
    return wrong(
        request,
        fmt::format("addrOffset {}: no pointer among the arguments begins there", place.addrOffset),
        fmt::format("where one of the {} arguments begins", layout.offsets.size()));
  }
  if (place.dataOffset >= size || place.dataOffset < layout.bytes) {
    return wrong(request, fmt::format("dataOffset {}", place.dataOffset),
                 fmt::format("{}..{}, behind the arguments", layout.bytes, size - 1));
  }
  return lend(request, block + place.dataOffset, size - place.dataOffset, arguments,
              arguments.values->at(index));
}

// A copy of a list: the program may change it at once.
bool find_list(aclrtArgsHandle handle, ArgumentList& list) {
  const std::lock_guard lock(Runtime::instance().mutex);
  const auto& lists = Loaded::instance().lists;
  const auto found = lists.find(handle);
  if (found != lists.end()) list = found->second;
  return found != lists.end();
}

}  // namespace
}  // namespace vinci::acl

using namespace vinci::acl;

extern "C" {

aclError aclrtLaunchKernel(aclrtFuncHandle function, uint32_t blocks, const void* data, size_t size,
                           aclrtStream stream) {
  return launch_from_device("aclrtLaunchKernel", function, blocks, data, size, nullptr, stream);
}

aclError aclrtLaunchKernelV2(aclrtFuncHandle function, uint32_t blocks, const void* data,
                             size_t size, aclrtLaunchKernelCfg* configuration, aclrtStream stream) {
  return launch_from_device("aclrtLaunchKernelV2", function, blocks, data, size, configuration,
                            stream);
}

aclError aclrtLaunchKernelWithConfig(aclrtFuncHandle function, uint32_t blocks, aclrtStream stream,
                                     aclrtLaunchKernelCfg* configuration, aclrtArgsHandle handle,
                                     void* reserve) {
  Request request{"aclrtLaunchKernelWithConfig", {}, blocks, stream, 0};
  if (const aclError code = prepare(request, function, configuration); code != ACL_SUCCESS) {
    return code;
  }
  if (reserve != nullptr) return wrong(request, "a value for reserve", "a null pointer");
  ArgumentList list;
  if (!find_list(handle, list)) {
    return refuse(ACL_ERROR_RT_INVALID_HANDLE, request.api,
                  fmt::format("{} is no list of arguments", handle),
                  "what aclrtKernelArgsInit gave, before aclrtBinaryUnLoad");
  }
  if (list.function != function) {
    return wrong(request, "arguments of another kernel", "a list made for this one");
  }
  if (!list.is_final) {
    return wrong(request, "a list of arguments that is not finished",
                 "aclrtKernelArgsFinalize first, and after each update");
  }
  const KnownKernel& kernel = *request.function.kernel;
  LaunchArguments arguments{std::make_shared<Values>(kernel), {}, nullptr, 0};
  for (size_t i = 0; i < list.items.size(); ++i) {
    const std::vector<uint8_t>& bytes = *list.items[i].bytes;
    if (!list.items[i].is_place_holder) {
      std::memcpy(arguments.values->at(i), bytes.data(), kernel.parameters[i].bytes);
      continue;
    }
    const aclError code =
        lend(request, bytes.data(), bytes.size(), arguments, arguments.values->at(i));
    if (code != ACL_SUCCESS) return code;
  }
  return launch(request, std::move(arguments));
}

aclError aclrtLaunchKernelWithHostArgs(aclrtFuncHandle function, uint32_t blocks,
                                       aclrtStream stream, aclrtLaunchKernelCfg* configuration,
                                       void* data, size_t size, aclrtPlaceHolderInfo* places,
                                       size_t count) {
  Request request{"aclrtLaunchKernelWithHostArgs", {}, blocks, stream, 0};
  if (const aclError code = prepare(request, function, configuration); code != ACL_SUCCESS) {
    return code;
  }
  if ((data == nullptr && size != 0) || (places == nullptr && count != 0)) {
    return wrong(request, fmt::format("{} bytes, {} place holders: a null pointer", size, count),
                 "the address of the arguments, and that of an array of place holders");
  }
  // What stands behind the arguments is the place holders' data.
  size_t end = size;
  for (size_t i = 0; i < count; ++i) end = std::min<size_t>(end, places[i].dataOffset);
  if (const aclError code = check_size(request, end); code != ACL_SUCCESS) return code;
  const KnownKernel& kernel = *request.function.kernel;
  const auto* block = static_cast<const uint8_t*>(data);
  LaunchArguments arguments{std::make_shared<Values>(kernel), {}, nullptr, 0};
  take_from(block, end, kernel, *arguments.values);
  for (size_t i = 0; i < count; ++i) {
    const aclError code = fill(request, places[i], block, size, end, arguments);
    if (code != ACL_SUCCESS) return code;
  }
  return launch(request, std::move(arguments));
}

aclError aclrtLaunchKernelWithArgsArray(void* function, uint32_t blocks, aclrtStream stream,
                                        aclrtLaunchKernelCfg* configuration, void** array) {
  Request request{"aclrtLaunchKernelWithArgsArray", {}, blocks, stream, 0};
  // A kernel of the program's own may stand for its handle.
  if (vinci::host::Kernels::of_program().find(function) != nullptr) {
    const aclError code = aclrtGetFuncBySymbol(function, &function);
    if (code != ACL_SUCCESS) return code;
  }
  if (const aclError code = prepare(request, function, configuration); code != ACL_SUCCESS) {
    return code;
  }
  const KnownKernel& kernel = *request.function.kernel;
  LaunchArguments arguments{std::make_shared<Values>(kernel), {}, nullptr, 0};
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    if (array == nullptr || array[i] == nullptr) {
      return wrong(request,
                   fmt::format("argument {} of {} is at a null pointer", i + 1, kernel.name),
                   fmt::format("{} addresses of values", kernel.parameters.size()));
    }
    std::memcpy(arguments.values->at(i), array[i], kernel.parameters[i].bytes);
  }
  return launch(request, std::move(arguments));
}

}  // extern "C"
