#include "host/kernels.h"

#include <dlfcn.h>

#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <cxxabi.h>

#include "core/kernel_type.h"
#include "vinci/door.h"

namespace vinci::host {
namespace {

std::mutex mutex;  // of all kernels, as constructors of several threads' libraries add to them

// Where constructors of a library that this thread loads put their kernels; nullptr: the program's.
thread_local Kernels* loading = nullptr;

std::string demangled(const char* symbol) {
  int status = 0;
  char* text = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  std::string result = status == 0 ? text : symbol;
  std::free(text);
  return result;
}

// Without result and parameters.
std::string plain(std::string text) {
  constexpr std::string_view kResult = "void ";
  if (text.starts_with(kResult)) text.erase(0, kResult.size());
  int angles = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    angles += (text[i] == '<') - (text[i] == '>');
    if (angles == 0 && text[i] == '(' && !text.substr(i).starts_with("(anonymous")) {
      return text.substr(0, i);
    }
  }
  return text;
}

// "outer::add<float>" of the type's name, "...KernelName<&outer::add<float>>". In brackets, where
// the function is a template's.
std::string kernel_of(const char* type) {
  std::string text = demangled(type);
  text = text.substr(text.find('<') + 1);
  text.resize(text.rfind('>'));
  while (text.starts_with('&')) text.erase(0, 1);
  if (text.starts_with('(') && text.ends_with(')')) text = text.substr(1, text.size() - 2);
  return plain(text);
}

}  // namespace

Grid grid_of(int64_t blocks, const std::string& type, bool is_whole) {
  if (is_whole) return {blocks};
  Grid grid = block_of_type(type).value_or(Grid{1, 1, 2});
  grid.blocks = blocks;
  return grid;
}

Grid KnownKernel::block() const {
  return grid_of(1, type, code[size_t(CoreKind::kWhole)] != nullptr);
}

Kernels& Kernels::of_program() {
  static Kernels* const all = new Kernels;  // constructors of other files add to it
  return *all;
}

std::shared_ptr<Kernels> Kernels::load(const std::string& path) {
  auto kernels = std::make_shared<Kernels>();
  Kernels* const outer = std::exchange(loading, kernels.get());
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  loading = outer;
  if (library == nullptr) throw std::runtime_error(dlerror());
  return kernels;
}

void Kernels::add(const KernelEntry& entry) {
  const std::lock_guard lock(mutex);
  KnownKernel& kernel = kernels_[{entry.unit, entry.name}];
  if (kernel.name.empty()) {
    kernel.name = kernel_of(entry.name);
    const std::string type = demangled(entry.function);  // "void (unsigned char*)"
    kernel.function = kernel.name + type.substr(type.find('('));
    kernel.parameters.assign(entry.parameters, entry.parameters + entry.count);
  }
  if (entry.run != nullptr) {
    kernel.code[size_t(entry.kind)] = entry.run;
    return;
  }
  kernel.address = entry.address;
  kernel.type = *entry.type != '\0' ? entry.type : entry.unit_type;
  kernel.soc = entry.soc;
}

const KnownKernel* Kernels::find(const std::string& name) const {
  std::string wanted = name.starts_with("_Z") ? demangled(name.c_str()) : name;
  if (wanted.starts_with("void ")) wanted.erase(0, 5);
  const std::lock_guard lock(mutex);
  for (const auto& [key, kernel] : kernels_) {
    if (kernel.function == wanted) return &kernel;
  }
  for (const auto& [key, kernel] : kernels_) {
    if (kernel.name == wanted || kernel.name.ends_with("::" + wanted)) return &kernel;
  }
  return nullptr;
}

const KnownKernel* Kernels::find(const void* address) const {
  const std::lock_guard lock(mutex);
  for (const auto& [key, kernel] : kernels_) {
    if (kernel.address == address && address != nullptr) return &kernel;
  }
  return nullptr;
}

const KnownKernel* Kernels::find_entry(std::string_view name) const {
  const std::lock_guard lock(mutex);
  for (const auto& [key, kernel] : kernels_) {
    if (key.second == name) return &kernel;
  }
  return nullptr;
}

std::vector<std::string> Kernels::names() const {
  const std::lock_guard lock(mutex);
  std::vector<std::string> names;
  for (const auto& [key, kernel] : kernels_) names.push_back(kernel.name);
  return names;
}

void add_kernel(const KernelEntry& entry) {
  (loading != nullptr ? *loading : Kernels::of_program()).add(entry);
}

bool run_defined(const char* name, const void* const* arguments) {
  const KnownKernel* kernel = Kernels::of_program().find_entry(name);
  if (kernel == nullptr) return false;
  if (const auto run = kernel->code[size_t(core_kind())]) run(arguments);
  return true;
}

const char* type_of_defined(const char* name, const char* declared) {
  const KnownKernel* kernel = Kernels::of_program().find_entry(name);
  return kernel == nullptr ? declared : kernel->type.c_str();
}

}  // namespace vinci::host
