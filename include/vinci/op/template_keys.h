// Tiling keys of kernels that are templates: what the host's code tells of those that it makes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vinci::op {

// One argument of the kernel's template.
struct TemplateArgument {
  const char* name;
  uint64_t value;
  bool is_type;  // the number of a type, which the kernel gets as the type
};

// What one key stands for. `is_selected`: one of the selections has it; of its kernel type the
// number, or -1, and of its tiling struct the name, or nullptr.
struct TemplateInstance {
  const TemplateArgument* arguments;
  size_t count;
  bool is_selected;
  int kernel_type;
  const char* tiling_struct;
};
// For this thread, until it tells of the same key again.
void add_template_key(uint64_t key, const TemplateInstance& instance);

}  // namespace vinci::op
