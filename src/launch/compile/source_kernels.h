// The kernels of a source, as far as its text says.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace vinci::launch {

class Source;

// A __global__ function of a source.
struct KernelText {
  struct Parameter {
    std::string type, name;
  };
  std::string name;   // without its namespaces
  std::string scope;  // those, as "outer::inner::"
  // The cores that it runs on, as KERNEL_TYPE_... without that beginning: what its qualifier or
  // KERNEL_TASK_TYPE_DEFAULT says; a __mix__ that is no type as it is written, without blanks.
  // Empty: the source does not say it.
  std::string type;
  bool is_template = false;
  std::string template_parameters;  // as written; empty for a specialisation, too
  bool is_defined = false;
  std::vector<Parameter> parameters;
};

struct FoundKernel {
  KernelText text;
  size_t end = 0;  // the token of the } of its body, if it is defined
};
// In the order of the source; a declaration and its definition.
std::vector<FoundKernel> kernels_of(const Source& source);

}  // namespace vinci::launch
