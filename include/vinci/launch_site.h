// What vinci's compiler driver makes of kernel<<<blocks, ub, stream>>>(arguments). Not for kernels.
//
// A source is compiled once for the host and once for each kind of core. All of these passes
// instantiate launch_site for the same launches, and the launch's own type, that of the lambda
// which the driver writes, has the same name in each: under it the passes for the cores register
// what they made of the call, and the host finds it.
#pragma once

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "vinci/grid.h"
#include "vinci/kernel_entry.h"
#include "vinci/unit.h"

namespace vinci {
namespace host {

// A launch's call of its kernel, compiled for one kind of core. Takes the std::tuple of arguments.
using DeviceCode = void (*)(const void* arguments);

struct LaunchSite {
  const char* unit;       // VINCI_UNIT
  const char* launch;     // the name of the lambda's type
  const char* arguments;  // of the tuple's
};
void add_device_code(const LaunchSite& site, CoreKind kind, DeviceCode code);

struct LaunchOptions {
  const char* kernel;  // as the source says it
  // Its cores as KERNEL_TYPE_... without that beginning; empty: as `unit_type` says.
  const char* type;
  const char* unit_type;  // what the file's instructions show
  int64_t blocks = 1;
  void* stream = nullptr;
};
// A tuple on the heap, and what deletes it.
struct LaunchArguments {
  const void* tuple;
  void (*drop)(const void* tuple);
};
// Takes the arguments, and returns the code that an ACL function would.
int32_t launch_at(const LaunchSite& site, const LaunchOptions& options, LaunchArguments arguments);

}  // namespace host

#ifdef VINCI_PASS_HOST
static const bool vinci_names_chip = (host::set_program_soc(VINCI_SOC), true);
#endif

namespace host {

// The call in this pass. Files without passes are host and device in one.
template <class Kernel, class Arguments>
struct LaunchCode {
  static LaunchSite site() { return {VINCI_UNIT, typeid(Kernel).name(), typeid(Arguments).name()}; }
#ifndef VINCI_PASS_HOST
  static void run(const void* arguments) {
#ifdef VINCI_NO_AUTO_SYNC
    leave_out_auto_sync();
#endif
    std::apply(Kernel(), *static_cast<const Arguments*>(arguments));
  }
#if defined(VINCI_PASS_AIC)
  static constexpr CoreKind kKind = CoreKind::kAic;
#elif defined(VINCI_PASS_AIV)
  static constexpr CoreKind kKind = CoreKind::kAiv;
#else
  static constexpr CoreKind kKind = CoreKind::kWhole;
#endif
  static inline const bool added = (add_device_code(site(), kKind, run), true);
#endif
};

template <class T>
void* stream_of(T stream) {
  if constexpr (std::is_pointer_v<T>) {
    return const_cast<void*>(static_cast<const volatile void*>(stream));
  } else {
    return nullptr;  // nullptr or 0: the default stream
  }
}

}  // namespace host

// A launch that waits for its arguments.
template <class Kernel>
struct LaunchSite {
  host::LaunchOptions options;

  // Arguments are taken as the call passes them, and converted where the kernel runs.
  template <class... Arguments>
  int32_t operator()(Arguments... arguments) const {
    using Tuple = std::tuple<Arguments...>;
    using Code = host::LaunchCode<Kernel, Tuple>;
#ifndef VINCI_PASS_HOST
    (void)&Code::added;
#endif
    const auto drop = [](const void* tuple) { delete static_cast<const Tuple*>(tuple); };
    return host::launch_at(Code::site(), options, {new Tuple(arguments...), drop});
  }
};

// <<<blocks, ub, stream>>>, of which only the first is needed, or <<<blocks, threads, ub,
// stream>>>. `ub` is bytes of UB that the kernel adds, or, in older sources, a pointer that nothing
// reads.
template <class Kernel, class Blocks>
LaunchSite<Kernel> launch_site(Kernel, const char* name, const char* type, Blocks blocks) {
  return {{name, type, VINCI_UNIT_TYPE, int64_t(blocks), nullptr}};
}
template <class Kernel, class Blocks, class Ub>
LaunchSite<Kernel> launch_site(Kernel kernel, const char* name, const char* type, Blocks blocks,
                               Ub) {
  return launch_site(kernel, name, type, blocks);
}
template <class Kernel, class Blocks, class Ub, class Stream>
LaunchSite<Kernel> launch_site(Kernel, const char* name, const char* type, Blocks blocks, Ub,
                               Stream stream) {
  return {{name, type, VINCI_UNIT_TYPE, int64_t(blocks), host::stream_of(stream)}};
}
template <class Kernel, class Blocks, class Threads, class Ub, class Stream>
LaunchSite<Kernel> launch_site(Kernel kernel, const char* name, const char* type, Blocks blocks,
                               Threads, Ub ub, Stream stream) {
  return launch_site(kernel, name, type, blocks, ub, stream);
}

}  // namespace vinci
