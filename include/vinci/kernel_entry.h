// The kernels of a file, as a program finds them while it runs: by name in a binary that it loads,
// or by their address in its own code. What vinci's compiler driver writes behind each kernel. Not
// for kernels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "vinci/grid.h"
#include "vinci/unit.h"

// The file that is compiled, where several functions of one name may stand.
#ifndef VINCI_UNIT
#define VINCI_UNIT ""
#endif

namespace vinci {

#ifdef VINCI_PASS_HOST
extern "C" const char vinci_unit_type[];  // the driver adds it to the object
#define VINCI_UNIT_TYPE ::vinci::vinci_unit_type
#else
#define VINCI_UNIT_TYPE ""
#endif

namespace host {

// What one pass made of a kernel. All passes give it the same name.
struct KernelEntry {
  struct Parameter {
    size_t bytes, alignment;
  };
  const char* unit;      // VINCI_UNIT
  const char* name;      // of the type KernelName<kernel>
  const char* function;  // of the kernel's own type
  // As LaunchOptions has them.
  const char* type;
  const char* unit_type;
  const char* soc;
  const Parameter* parameters;
  size_t count;
  const void* address;  // of the host's version; nullptr in the passes for cores
  CoreKind kind;        // of the core that the other version is for
  void (*run)(const void* const* arguments);  // it: a pointer to each argument; nullptr: the host's
};
void add_kernel(const KernelEntry& entry);

// For a kernel that another file of the program defines, by KernelEntry::name: calls what its pass
// for this core made. False: no such file was compiled in passes.
bool run_defined(const char* name, const void* const* arguments);
// The type of its definition, else `declared`.
const char* type_of_defined(const char* name, const char* declared);

#ifdef VINCI_SOC  // a file of a program's
template <auto kernel>
struct KernelName {};

// What is no kernel for AI cores is left out.
template <auto kernel, class Type = decltype(kernel)>
struct Kernel {
  static bool add(const char*) { return false; }
};

template <auto kernel, class... Parameters>
struct Kernel<kernel, void (*)(Parameters...)> {
  static constexpr std::array<KernelEntry::Parameter, sizeof...(Parameters)> kParameters{
      KernelEntry::Parameter{sizeof(Parameters), alignof(Parameters)}...};

  static bool add(const char* type) {
    KernelEntry entry{.unit = VINCI_UNIT,
                      .name = typeid(KernelName<kernel>).name(),
                      .function = typeid(void(Parameters...)).name(),
                      .type = type,
                      .unit_type = VINCI_UNIT_TYPE,
                      .soc = VINCI_SOC,
                      .parameters = kParameters.data(),
                      .count = kParameters.size(),
                      .address = nullptr,
                      .kind = CoreKind::kWhole,
                      .run = nullptr};
#if defined(VINCI_PASS_HOST)
    entry.address = reinterpret_cast<const void*>(kernel);
#else
    entry.run = run;
#endif
#if defined(VINCI_PASS_AIC)
    entry.kind = CoreKind::kAic;
#elif defined(VINCI_PASS_AIV)
    entry.kind = CoreKind::kAiv;
#endif
    add_kernel(entry);
    return true;
  }

 private:
  static void run(const void* const* arguments) {
#ifdef VINCI_NO_AUTO_SYNC
    leave_out_auto_sync();
#endif
    run(arguments, std::index_sequence_for<Parameters...>());
  }
  template <size_t... i>
  static void run(const void* const* arguments, std::index_sequence<i...>) {
    kernel(static_cast<Parameters&&>(
        *static_cast<std::remove_reference_t<Parameters>*>(const_cast<void*>(arguments[i])))...);
  }
};

// A kernel that the file only declares.
template <auto kernel, class Type = decltype(kernel)>
struct Declared;

template <auto kernel, class... Parameters>
struct Declared<kernel, void (*)(Parameters...)> {
  static const char* name() { return typeid(KernelName<kernel>).name(); }
  static const char* type(const char* declared) { return type_of_defined(name(), declared); }
  static void run(Parameters... parameters) {
    const void* const arguments[] = {&parameters..., nullptr};
    if (!run_defined(name(), arguments)) kernel(static_cast<Parameters&&>(parameters)...);
  }
};
#endif

}  // namespace host
}  // namespace vinci
