// aclrtKernelArgs...: a kernel's arguments, put together one by one.
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "host/acl/error.h"
#include "host/acl/functions.h"
#include "host/acl/runtime.h"

namespace vinci::acl {
namespace {

constexpr size_t kMostArguments = 128;
constexpr size_t kHandleBytes = 64;  // of which nothing is used: lists are vinci's

size_t bytes_of(const ArgumentList& list) {
  size_t bytes = 0;
  for (const ArgumentList::Item& item : list.items) {
    bytes += rounded(item.bytes->size(), kWord) + (item.is_place_holder ? kWord : 0);
  }
  return bytes;
}

// A wrong call; made where it is found, told behind the lock.
struct Wrong {
  aclError code = ACL_SUCCESS;
  std::string text, legal;
};

// Calls `change` with the list, which gives what is wrong, if anything is.
template <class Change>
aclError with_list(const char* api, aclrtArgsHandle handle, const Change& change) {
  Wrong wrong{ACL_ERROR_RT_INVALID_HANDLE, fmt::format("{} is no list of arguments", handle),
              "what aclrtKernelArgsInit gave, before aclrtBinaryUnLoad"};
  {
    const std::lock_guard lock(Runtime::instance().mutex);
    auto& lists = Loaded::instance().lists;
    if (const auto found = lists.find(handle); found != lists.end()) wrong = change(found->second);
  }
  if (wrong.code == ACL_SUCCESS) return ACL_SUCCESS;
  return refuse(wrong.code, api, wrong.text, wrong.legal);
}

Wrong parameter(std::string text, std::string legal) {
  return {ACL_ERROR_RT_PARAM_INVALID, std::move(text), std::move(legal)};
}

Wrong append(ArgumentList& list, ArgumentList::Item item, void** handle) {
  if (list.is_final) return parameter("after aclrtKernelArgsFinalize", "updates of what is there");
  if (list.items.size() == kMostArguments) {
    return parameter(fmt::format("argument {}", kMostArguments + 1),
                     fmt::format("{} at most", kMostArguments));
  }
  item.handle = *handle = Runtime::instance().next_handle();
  list.items.push_back(std::move(item));
  if (bytes_of(list) <= list.most_bytes) return {};
  list.items.pop_back();
  return parameter(fmt::format("more than the {} bytes of the list", list.most_bytes),
                   "as much as aclrtKernelArgsGetMemSize was asked for");
}

// The item that a handle means, of a placeholder or of a value.
ArgumentList::Item* item_of(ArgumentList& list, const void* handle, bool is_place_holder) {
  for (ArgumentList::Item& item : list.items) {
    if (item.handle == handle && item.is_place_holder == is_place_holder) return &item;
  }
  return nullptr;
}

Wrong no_item(const void* handle, const char* legal) {
  return {ACL_ERROR_RT_INVALID_HANDLE,
          fmt::format("{} is no argument of the list for this call", handle), legal};
}

Wrong set_place_holder(ArgumentList& list, const void* handle, size_t size, void** place) {
  ArgumentList::Item* item = item_of(list, handle, true);
  if (item == nullptr) return no_item(handle, "what aclrtKernelArgsAppendPlaceHolder gave");
  if (size == 0) return parameter("0 bytes", "the bytes that the argument points to");
  const size_t before = item->bytes->size();
  item->bytes->resize(size);
  if (bytes_of(list) > list.most_bytes) {
    item->bytes->resize(before);
    return parameter(fmt::format("more than the {} bytes of the list", list.most_bytes),
                     "as much as aclrtKernelArgsGetMemSize was asked for");
  }
  *place = item->bytes->data();
  return {};
}

Wrong update(ArgumentList& list, const void* handle, const void* value, size_t size) {
  ArgumentList::Item* item = item_of(list, handle, false);
  if (item == nullptr) return no_item(handle, "what aclrtKernelArgsAppend gave");
  if (size != item->bytes->size()) {
    return parameter(fmt::format("{} bytes", size),
                     fmt::format("{}, as before", item->bytes->size()));
  }
  // A launch that was given before keeps what it had.
  item->bytes = std::make_shared<std::vector<uint8_t>>(size);
  std::memcpy(item->bytes->data(), value, size);
  list.is_final = false;
  return {};
}

Wrong finish(ArgumentList& list, const KnownKernel& kernel) {
  const auto& parameters = kernel.parameters;
  if (list.items.size() != parameters.size()) {
    return parameter(fmt::format("{} arguments for {}", list.items.size(), kernel.name),
                     fmt::format("{}", parameters.size()));
  }
  for (size_t i = 0; i < parameters.size(); ++i) {
    const ArgumentList::Item& item = list.items[i];
    const size_t own = parameters[i].bytes, got = item.is_place_holder ? 8 : item.bytes->size();
    if (got != own && got != rounded(own, kWord)) {
      return parameter(fmt::format("argument {} of {} has {} bytes", i + 1, kernel.name, got),
                       fmt::format("{} bytes", own));
    }
    if (item.is_place_holder && item.bytes->empty()) {
      return parameter(fmt::format("argument {} is a place holder without a buffer", i + 1),
                       "aclrtKernelArgsGetPlaceHolderBuffer first");
    }
  }
  list.is_final = true;
  return {};
}

}  // namespace
}  // namespace vinci::acl

using namespace vinci::acl;

extern "C" {

aclError aclrtKernelArgsInit(aclrtFuncHandle handle, aclrtArgsHandle* list) {
  constexpr const char* kApi = "aclrtKernelArgsInit";
  if (const aclError code = check_place(kApi, list); code != ACL_SUCCESS) return code;
  Function function;
  if (!find_function(kApi, handle, function)) return last_error();
  const std::lock_guard lock(Runtime::instance().mutex);
  *list = Runtime::instance().next_handle();
  Loaded::instance().lists[*list].function = handle;
  return ACL_SUCCESS;
}

aclError aclrtKernelArgsInitByUserMem(aclrtFuncHandle handle, aclrtArgsHandle list, void* memory,
                                      size_t size) {
  constexpr const char* kApi = "aclrtKernelArgsInitByUserMem";
  for (const void* place : {static_cast<const void*>(list), static_cast<const void*>(memory)}) {
    if (const aclError code = check_place(kApi, place); code != ACL_SUCCESS) return code;
  }
  Function function;
  if (!find_function(kApi, handle, function)) return last_error();
  const std::lock_guard lock(Runtime::instance().mutex);
  Loaded::instance().lists[list] = {handle, size, false, {}};
  return ACL_SUCCESS;
}

aclError aclrtKernelArgsGetMemSize(aclrtFuncHandle handle, size_t size, size_t* actual) {
  constexpr const char* kApi = "aclrtKernelArgsGetMemSize";
  if (const aclError code = check_place(kApi, actual); code != ACL_SUCCESS) return code;
  Function function;
  if (!find_function(kApi, handle, function)) return last_error();
  *actual = rounded(size, kWord);
  return ACL_SUCCESS;
}

aclError aclrtKernelArgsGetHandleMemSize(aclrtFuncHandle handle, size_t* size) {
  constexpr const char* kApi = "aclrtKernelArgsGetHandleMemSize";
  if (const aclError code = check_place(kApi, size); code != ACL_SUCCESS) return code;
  Function function;
  if (!find_function(kApi, handle, function)) return last_error();
  *size = kHandleBytes;
  return ACL_SUCCESS;
}

aclError aclrtKernelArgsAppend(aclrtArgsHandle handle, void* value, size_t size,
                               aclrtParamHandle* place) {
  constexpr const char* kApi = "aclrtKernelArgsAppend";
  if (const aclError code = check_place(kApi, place); code != ACL_SUCCESS) return code;
  if (value == nullptr || size == 0) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID, kApi,
                  fmt::format("{} bytes at {}", size, static_cast<const void*>(value)),
                  "the address of the value, and its bytes");
  }
  auto bytes = std::make_shared<std::vector<uint8_t>>(size);
  std::memcpy(bytes->data(), value, size);
  return with_list(kApi, handle, [&](ArgumentList& list) {
    return append(list, {nullptr, false, std::move(bytes)}, place);
  });
}

aclError aclrtKernelArgsAppendPlaceHolder(aclrtArgsHandle handle, aclrtParamHandle* place) {
  constexpr const char* kApi = "aclrtKernelArgsAppendPlaceHolder";
  if (const aclError code = check_place(kApi, place); code != ACL_SUCCESS) return code;
  return with_list(kApi, handle, [&](ArgumentList& list) {
    return append(list, {nullptr, true, std::make_shared<std::vector<uint8_t>>()}, place);
  });
}

aclError aclrtKernelArgsGetPlaceHolderBuffer(aclrtArgsHandle handle, aclrtParamHandle argument,
                                             size_t size, void** place) {
  constexpr const char* kApi = "aclrtKernelArgsGetPlaceHolderBuffer";
  if (const aclError code = check_place(kApi, place); code != ACL_SUCCESS) return code;
  return with_list(kApi, handle, [&](ArgumentList& list) {
    return set_place_holder(list, argument, size, place);
  });
}

aclError aclrtKernelArgsParaUpdate(aclrtArgsHandle handle, aclrtParamHandle argument, void* value,
                                   size_t size) {
  constexpr const char* kApi = "aclrtKernelArgsParaUpdate";
  if (const aclError code = check_place(kApi, value); code != ACL_SUCCESS) return code;
  return with_list(kApi, handle,
                   [&](ArgumentList& list) { return update(list, argument, value, size); });
}

aclError aclrtKernelArgsFinalize(aclrtArgsHandle handle) {
  return with_list("aclrtKernelArgsFinalize", handle, [](ArgumentList& list) {
    return finish(list, *Loaded::instance().functions.at(list.function).kernel);
  });
}

}  // extern "C"
