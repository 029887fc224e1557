// Where the kernel of an operator lies, for programs that call it.
#pragma once

#include <string>
#include <vector>

namespace vinci::op {

struct KernelFile {
  std::string path;                  // empty: there is none
  std::vector<std::string> options;  // for compiling it
  std::vector<std::string> tried;    // if there is none: where it was looked for
};

// What build files have said (vinci/op/kernel_files.h); else <name>.cpp in the folders that they
// named, and beside the definition: in op_kernel next to op_host, or in any folder below it. `name`
// is the operator's in snake case, or what its definition says for the chip. `chip` is the
// definition's spelling.
KernelFile kernel_file_of(const std::string& type, const std::string& chip, const std::string& name,
                          const std::string& definition_file);

}  // namespace vinci::op
