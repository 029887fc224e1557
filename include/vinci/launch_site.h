// What vinci's compiler driver makes of kernel<<<blocks, ub, stream>>>(arguments). Not for kernels.
//
// A source is compiled once for the host and once for each kind of core. All of these passes
// instantiate launch_site for the same launches, and the launch's own type, that of the lambda
// which the driver writes, has the same name in each: under it the passes for the cores register
// what they made of the call, and the host finds it.
#pragma once

#include <cstddef>
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

// What a kernel's name says that is one function: its parameters. No function for names of several.
template <class... P>
struct Parameters {};
struct Asked {};
template <class Result, class... P>
Parameters<P...> parameters(Asked, Result (*)(P...)) {
  return {};
}

// Those of the function that the driver writes behind the call; nullptr_t where there are none to
// be known, as of an overloaded kernel.
template <class Ask, class = void>
struct Known {
  using type = std::nullptr_t;
};
template <class Ask>
struct Known<Ask, std::enable_if_t<std::is_invocable_v<Ask, Asked>>> {
  using type = std::invoke_result_t<Ask, Asked>;
};

template <class Kernel, class... Arguments>
int32_t launch_with(const LaunchOptions& options, Arguments... arguments) {
  using Tuple = std::tuple<Arguments...>;
  using Code = LaunchCode<Kernel, Tuple>;
#ifndef VINCI_PASS_HOST
  (void)&Code::added;
#endif
  const auto drop = [](const void* tuple) { delete static_cast<const Tuple*>(tuple); };
  return launch_at(Code::site(), options, {new Tuple(arguments...), drop});
}

}  // namespace host

// A launch that waits for its arguments, which it takes as the call passes them, to be converted
// where the kernel runs.
template <class Kernel, class Known>
struct LaunchSite {
  host::LaunchOptions options;

  template <class... Arguments>
  int32_t operator()(Arguments... arguments) const {
    return host::launch_with<Kernel>(options, arguments...);
  }
};

// The same where the kernel's parameters are known: arguments become them here, as in a call, so
// that {1, 2} may be a struct and NULL a pointer. With fewer arguments the others have defaults.
template <class Kernel, class... P>
struct LaunchSite<Kernel, host::Parameters<P...>> {
  host::LaunchOptions options;

  int32_t operator()(P... parameters) const {
    return host::launch_with<Kernel, std::decay_t<P>...>(options, parameters...);
  }
  template <class... Arguments, class = std::enable_if_t<(sizeof...(Arguments) < sizeof...(P))>>
  int32_t operator()(Arguments... arguments) const {
    return host::launch_with<Kernel>(options, arguments...);
  }
};

// <<<blocks, ub, stream>>>, of which only the first is needed, or <<<blocks, threads, ub,
// stream>>>. `ub` is bytes of UB that the kernel adds, or, in older sources, a pointer that nothing
// reads. `Ask`, called with host::Asked, gives the kernel's host::Parameters if they are known.
template <class Kernel, class Ask, class Blocks>
LaunchSite<Kernel, typename host::Known<Ask>::type> launch_site(Kernel, Ask, const char* name,
                                                                const char* type, Blocks blocks) {
  return {{name, type, VINCI_UNIT_TYPE, int64_t(blocks), nullptr}};
}
template <class Kernel, class Ask, class Blocks, class Ub>
auto launch_site(Kernel kernel, Ask ask, const char* name, const char* type, Blocks blocks, Ub) {
  return launch_site(kernel, ask, name, type, blocks);
}
template <class Kernel, class Ask, class Blocks, class Ub, class Stream>
auto launch_site(Kernel kernel, Ask ask, const char* name, const char* type, Blocks blocks, Ub,
                 Stream stream) {
  auto site = launch_site(kernel, ask, name, type, blocks);
  site.options.stream = host::stream_of(stream);
  return site;
}
template <class Kernel, class Ask, class Blocks, class Threads, class Ub, class Stream>
auto launch_site(Kernel kernel, Ask ask, const char* name, const char* type, Blocks blocks, Threads,
                 Ub ub, Stream stream) {
  return launch_site(kernel, ask, name, type, blocks, ub, stream);
}

}  // namespace vinci
