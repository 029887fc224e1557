// aclrtBinaryLoadFromFile and its kind: from a file or its bytes to a kernel's handle.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>

#include <elf.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "host/acl/error.h"
#include "host/acl/functions.h"
#include "host/acl/runtime.h"
#include "host/driver.h"

namespace vinci::acl {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBinary =
    "what vinci bisheng made: a shared object (-shared) or an object (-c)";

aclError check_option(const char* api, const aclrtBinaryLoadOption& option) {
  const auto wrong = [&](const char* what, uint32_t value, const char* legal) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID, api, fmt::format("{} {:#x}", what, value), legal);
  };
  const uint32_t value = option.value.magic;
  switch (option.type) {
    case ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD:
      return value <= 1 ? ACL_SUCCESS : wrong("isLazyLoad", value, "0, 1");
    case ACL_RT_BINARY_LOAD_OPT_MAGIC:
      for (const uint32_t magic :
           {ACL_RT_BINARY_MAGIC_ELF_AICORE, ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE,
            ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE}) {
        if (value == magic) return ACL_SUCCESS;
      }
      return wrong("magic", value, "ACL_RT_BINARY_MAGIC_ELF_AICORE, _VECTOR_CORE, _CUBE_CORE");
    case ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE:
      return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, api, "kernels for the AI CPU");
  }
  return wrong("option", uint32_t(option.type), "ACL_RT_BINARY_LOAD_OPT_... 1..3");
}

aclError check_options(const char* api, const aclrtBinaryLoadOptions* options) {
  if (options == nullptr || options->numOpt == 0) return ACL_SUCCESS;
  if (options->options == nullptr) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID, api,
                  fmt::format("{} options at a null pointer", options->numOpt), "an array of them");
  }
  for (size_t i = 0; i < options->numOpt; ++i) {
    const aclError code = check_option(api, options->options[i]);
    if (code != ACL_SUCCESS) return code;
  }
  return ACL_SUCCESS;
}

// The kind of ELF file that the bytes are: ET_DYN, ET_REL; ET_NONE for what is none.
uint16_t elf_type(const std::string& bytes) {
  Elf64_Ehdr header;
  if (bytes.size() < sizeof(header)) return ET_NONE;
  std::memcpy(&header, bytes.data(), sizeof(header));
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 ? header.e_type : uint16_t(ET_NONE);
}

// A copy that nobody else changes, linked if need be: loading the same file twice gives two.
std::shared_ptr<const host::Kernels> kernels_of(const std::string& bytes, const std::string& name) {
  const uint16_t type = elf_type(bytes);
  if (type != ET_DYN && type != ET_REL) throw std::runtime_error("it is no ELF file of a library");
  const std::string folder = host::new_scratch_folder();
  std::string path = fmt::format("{}/{}", folder, type == ET_REL ? "object.o" : name);
  std::ofstream(path, std::ios::binary) << bytes;
  if (type == ET_REL) {
    const std::string linked =
        fmt::format("{}/{}", folder, name == "object.o" ? "linked.so" : name);
    const host::Driven done = host::run_driver({"-shared", path, "-o", linked});
    if (done.code != 0) throw std::runtime_error("it cannot be linked: " + done.log);
    path = linked;
  }
  auto kernels = host::Kernels::load(path);
  if (kernels->names().empty()) throw std::runtime_error("it has no kernels");
  return kernels;
}

bool is_lazy(const aclrtBinaryLoadOptions* options) {
  if (options == nullptr) return false;
  return std::any_of(options->options, options->options + options->numOpt, [](const auto& option) {
    return option.type == ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD && option.value.isLazyLoad != 0;
  });
}

aclError load(const char* api, const std::string& bytes, const std::string& name,
              const aclrtBinaryLoadOptions* options, aclrtBinHandle* handle) {
  Context context;
  if (!current_context(api, context)) return last_error();
  std::shared_ptr<const host::Kernels> kernels;
  try {
    kernels = kernels_of(bytes, name);
  } catch (const std::runtime_error& error) {
    return refuse(ACL_ERROR_PARSE_FILE, api, fmt::format("{}: {}", name, error.what()), kBinary);
  }
  const std::lock_guard lock(Runtime::instance().mutex);
  *handle = Runtime::instance().next_handle();
  Loaded::instance().binaries[*handle] = {
      std::move(kernels),
      context.device,
      {},
      is_lazy(options) ? nullptr : std::make_shared<const std::string>(bytes)};
  return ACL_SUCCESS;
}

aclError load_data(const char* api, const void* data, size_t length,
                   const aclrtBinaryLoadOptions* options, aclrtBinHandle* handle) {
  if (const aclError code = check_place(api, handle); code != ACL_SUCCESS) return code;
  if (data == nullptr || length == 0) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID, api,
                  data == nullptr ? "the data is a null pointer" : "0 bytes", kBinary);
  }
  if (const aclError code = check_options(api, options); code != ACL_SUCCESS) return code;
  return load(api, {static_cast<const char*>(data), length}, "binary.so", options, handle);
}

aclError no_binary(const char* api, const void* handle) {
  return refuse(ACL_ERROR_RT_INVALID_HANDLE, api, fmt::format("{} is no binary", handle),
                "what aclrtBinaryLoadFromFile gave, before aclrtBinaryUnLoad");
}

// The handle of a kernel; with the Runtime's lock held.
void* handle_of(std::map<const KnownKernel*, void*>& handles, const Function& function) {
  void*& handle = handles[function.kernel];
  if (handle == nullptr) {
    handle = Runtime::instance().next_handle();
    Loaded::instance().functions[handle] = function;
  }
  return handle;
}

// Bytes that aclrtCreateBinary is told of, which stay the program's.
struct Described {
  const void* data;
  size_t length;
};

}  // namespace

Loaded& Loaded::instance() {
  static Loaded* const all = new Loaded;  // streams may be at work until the very end
  return *all;
}

bool find_function(const char* api, const void* handle, Function& function) {
  {
    const std::lock_guard lock(Runtime::instance().mutex);
    const auto& functions = Loaded::instance().functions;
    const auto found = functions.find(const_cast<void*>(handle));
    if (found != functions.end()) {
      function = found->second;
      return true;
    }
  }
  refuse(ACL_ERROR_RT_INVALID_HANDLE, api, fmt::format("{} is no kernel", handle),
         "what aclrtBinaryGetFunction gave, before aclrtBinaryUnLoad");
  return false;
}

}  // namespace vinci::acl

using namespace vinci::acl;

extern "C" {

aclError aclrtBinaryLoadFromFile(const char* path, aclrtBinaryLoadOptions* options,
                                 aclrtBinHandle* handle) {
  constexpr const char* kApi = "aclrtBinaryLoadFromFile";
  if (const aclError code = check_place(kApi, handle); code != ACL_SUCCESS) return code;
  if (path == nullptr) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID, kApi, "the path is a null pointer", kBinary);
  }
  if (const aclError code = check_options(kApi, options); code != ACL_SUCCESS) return code;
  std::error_code error;
  std::ifstream file(path, std::ios::binary);
  if (!file || fs::is_directory(path, error)) {
    return refuse(ACL_ERROR_INVALID_FILE, kApi, fmt::format("{} cannot be read", path), kBinary);
  }
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  return load(kApi, bytes, fs::path(path).filename().string(), options, handle);
}

aclError aclrtBinaryLoadFromData(const void* data, size_t length,
                                 const aclrtBinaryLoadOptions* options, aclrtBinHandle* handle) {
  return load_data("aclrtBinaryLoadFromData", data, length, options, handle);
}

aclrtBinary aclrtCreateBinary(const void* data, size_t length) {
  return new Described{data, length};
}
aclError aclrtDestroyBinary(aclrtBinary binary) {
  if (binary == nullptr) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtDestroyBinary", "the binary is null");
  }
  delete static_cast<Described*>(binary);
  return ACL_SUCCESS;
}
aclError aclrtBinaryLoad(const aclrtBinary binary, aclrtBinHandle* handle) {
  constexpr const char* kApi = "aclrtBinaryLoad";
  if (binary == nullptr) return fail(ACL_ERROR_RT_PARAM_INVALID, kApi, "the binary is null");
  const auto* described = static_cast<const Described*>(binary);
  return load_data(kApi, described->data, described->length, nullptr, handle);
}

// Launches that it was given before may still run: what they need stays.
aclError aclrtBinaryUnLoad(aclrtBinHandle handle) {
  {
    const std::lock_guard lock(Runtime::instance().mutex);
    Loaded& loaded = Loaded::instance();
    if (const auto found = loaded.binaries.find(handle); found != loaded.binaries.end()) {
      for (const auto& named : found->second.functions) {
        const auto function = named.second;
        loaded.functions.erase(function);
        std::erase_if(loaded.lists,
                      [&](const auto& list) { return list.second.function == function; });
      }
      loaded.binaries.erase(found);
      return ACL_SUCCESS;
    }
  }
  return no_binary("aclrtBinaryUnLoad", handle);
}

aclError aclrtBinaryGetDevAddress(const aclrtBinHandle handle, void** address, size_t* size) {
  constexpr const char* kApi = "aclrtBinaryGetDevAddress";
  if (const aclError code = check_place(kApi, address); code != ACL_SUCCESS) return code;
  if (const aclError code = check_place(kApi, size); code != ACL_SUCCESS) return code;
  {
    const std::lock_guard lock(Runtime::instance().mutex);
    const auto& binaries = Loaded::instance().binaries;
    if (const auto found = binaries.find(handle); found != binaries.end()) {
      const auto& bytes = found->second.bytes;
      *address = bytes == nullptr ? nullptr : const_cast<char*>(bytes->data());
      *size = bytes == nullptr ? 0 : bytes->size();
      return ACL_SUCCESS;
    }
  }
  return no_binary(kApi, handle);
}
aclError aclrtBinaryGetGlobal(aclrtBinHandle handle, const char* name, void**, size_t*) {
  constexpr const char* kApi = "aclrtBinaryGetGlobal";
  {
    const std::lock_guard lock(Runtime::instance().mutex);
    const auto& binaries = Loaded::instance().binaries;
    if (binaries.find(handle) == binaries.end()) return no_binary(kApi, handle);
  }
  return refuse(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kApi,
                fmt::format("{}: variables of binaries are not in GM", name ? name : "no name"),
                "an argument of the kernel for what it reads");
}

aclError aclrtBinaryGetFunction(const aclrtBinHandle handle, const char* name,
                                aclrtFuncHandle* function) {
  constexpr const char* kApi = "aclrtBinaryGetFunction";
  if (const aclError code = check_place(kApi, function); code != ACL_SUCCESS) return code;
  if (name == nullptr) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, kApi, "the name is a null pointer");
  }
  Context context;
  if (!current_context(kApi, context)) return last_error();
  std::vector<std::string> names;
  {
    const std::lock_guard lock(Runtime::instance().mutex);
    auto& binaries = Loaded::instance().binaries;
    if (const auto found = binaries.find(handle); found != binaries.end()) {
      Binary& binary = found->second;
      if (const KnownKernel* kernel = binary.kernels->find(std::string(name))) {
        *function = handle_of(binary.functions, {binary.kernels, kernel, handle, binary.device});
        return ACL_SUCCESS;
      }
      names = binary.kernels->names();
    }
  }
  if (names.empty()) return no_binary(kApi, handle);
  return refuse(ACL_ERROR_RT_INVALID_DEVICE_FUNCTION, kApi,
                fmt::format("the binary has no kernel {}", name),
                fmt::format("{}", fmt::join(names, ", ")));
}

// Reserved on cards, too.
aclError aclrtBinaryGetFunctionByEntry(aclrtBinHandle, uint64_t, aclrtFuncHandle*) {
  return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "aclrtBinaryGetFunctionByEntry",
              "kernels have no entries, but names: aclrtBinaryGetFunction");
}

aclError aclrtRegisterCpuFunc(const aclrtBinHandle, const char*, const char*, aclrtFuncHandle*) {
  return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtRegisterCpuFunc", "kernels for the AI CPU");
}

aclError aclrtGetFuncBySymbol(const void* symbol, aclrtFuncHandle* function) {
  constexpr const char* kApi = "aclrtGetFuncBySymbol";
  if (const aclError code = check_place(kApi, function); code != ACL_SUCCESS) return code;
  if (const KnownKernel* kernel = vinci::host::Kernels::of_program().find(symbol)) {
    const std::lock_guard lock(Runtime::instance().mutex);
    *function = handle_of(Loaded::instance().own, {nullptr, kernel, nullptr, -1});
    return ACL_SUCCESS;
  }
  return refuse(ACL_ERROR_RT_INVALID_DEVICE_FUNCTION, kApi,
                fmt::format("{} is no kernel of this program", symbol),
                "a __global__ function, no template, in a file with device code");
}

}  // extern "C"
