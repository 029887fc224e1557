// What Ascend C has beyond C++, in text that any C++ compiler takes: launches
// kernel<<<blocks, ub, stream>>>(arguments), the words that say what kind of core a kernel is for,
// and printf in device code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "launch/compile/source_kernels.h"

namespace vinci::launch {

enum class Pass : unsigned char {
  kHost,    // what the host runs
  kDevice,  // what the cores run, in an object of the program
  kFile,    // the same in a library of its own, where `vinci run` looks for kernels
};

// What becomes of functions of device code that give nothing (__global__ or __aicore__, void).
enum class DeviceBodies : unsigned char { kStay, kLeftOut };

struct Translation {
  std::string text;
  std::vector<KernelText> kernels;  // in the order of the source; a declaration and its definition
};

// Preprocessed text as C++. Lines stay where they are. A launch becomes
//
//   ::vinci::launch_site([](auto&&... vinci_a) { KERNEL(std::forward...(vinci_a)...); },
//                        [](auto vinci_t) -> decltype(::vinci::host::parameters(vinci_t, KERNEL)) {
//                          return {};
//                        },
//                        "KERNEL", TYPE, CFG)(ARGS)
//
// so that its arguments convert as in any call; behind each kernel of a program comes
//
//   static const bool vinci_kernel_N = ::vinci::host::Kernel<&KERNEL>::add(TYPE);
//
// by which it is found at run time; `__ubuf__ float name[64];` becomes a reference to UB,
// as the words for other memories do;
// __global__ becomes an attribute, __aicore__ nothing, and in device code an unqualified printf
// AscendC's. What cannot be told from a launch stays as it is, so that the compiler names its
// place.
//
// [aicore] and [host, aicore], of which the vendor's compiler makes __aicore__, mean the same.
Translation as_cxx(std::string_view text, Pass pass, DeviceBodies bodies = DeviceBodies::kStay);

// Whether it may have qualifiers as [aicore], which no C++ compiler reads.
bool is_written_with_brackets(std::string_view text);

// Whether preprocessed text has kernels, but not Ascend C's header: for the vendor's compiler
// sources in CCE need none. The option with which they are read again.
bool lacks_header(std::string_view text);
std::vector<std::string> with_header();

}  // namespace vinci::launch
