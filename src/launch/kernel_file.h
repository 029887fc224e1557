// What a compiled kernel file holds: its __global__ functions and their parameters.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "vinci/dtype.h"

namespace vinci::launch {

// A number or pointer somewhere in a struct.
struct Leaf {
  uint64_t offset = 0;
  unsigned bytes = 0;
  bool is_float = false;
};

struct Parameter {
  enum class Kind { kPointer, kInteger, kFloat, kDouble, kStruct };
  std::string name;
  std::string type;  // as the source says it
  Kind kind = Kind::kPointer;
  unsigned bytes = 8;
  bool is_signed = false;
  DType dtype = DType::kNone;  // half and bfloat16_t take no other
  // Of a struct: what it consists of, in ascending order, and why it cannot be passed by value.
  std::vector<Leaf> leaves;
  std::string obstacle;
};

struct Kernel {
  std::string symbol;  // for dlsym
  std::string name;    // in the source, with its namespaces
  std::vector<Parameter> parameters;
  bool has_debug_info = false;  // without it the parameters are not known
  bool is_instance = false;     // `symbol` is a variable with its address
};

// The variable with the address of a template's instance: include/vinci/kernel_instance.h.
inline constexpr const char* kInstance = "vinci_kernel_instance";

// Reads an ELF shared object. Throws Error if it is none.
std::vector<Kernel> kernels_in(const std::string& shared_object);

// The symbol of the function that a variable of an object file points to; empty if it has none.
std::string symbol_behind(const std::string& object, const std::string& variable);

// The kernel that the user means. Throws Error (usage) that lists the choices, and tells how to
// choose: "--kernel: ". `templates` gives those of the file, as "add<typename T, int N>".
Kernel choose_kernel(const std::vector<Kernel>& kernels, const std::string& name,
                     const std::string& file, const std::string& how,
                     const std::function<std::vector<std::string>()>& templates);

// "kernel_gather(uint8_t* dstGm, uint8_t* srcGm)"
std::string signature_text(const Kernel& kernel);

}  // namespace vinci::launch
