// Where the kernels of operators lie, and what they are compiled with.
#pragma once

#include <string>
#include <vector>

namespace vinci::op {

struct KernelFile {
  std::string path;                  // empty: there is none
  std::vector<std::string> options;  // for compiling it
  std::vector<std::string> tried;    // if there is none: the files and folders that were looked at
};

// Whose kernel is looked for.
struct KernelWanted {
  std::string type;             // of the operator
  std::string soc;              // the chip: "Ascend910B1"
  std::string name, function;   // of the source without extension, and of the function in it
  std::string definition_file;  // beside which it may lie; empty: it does not
};

// What has been said of the kernels of a package.
class KernelFiles {
 public:
  // As vinci_op_kernel_source and vinci_op_kernel_option (vinci/op/kernel_files.h) have them. Of
  // sources without a type name or function decides which one it is.
  void add_source(std::string type, std::string chips, std::string path);
  void add_option(std::string type, std::string chips, std::string option);

  // The source that was said for this type and chip, the last one; else, of the others, of those in
  // folders that were said, and of those in op_kernel beside op_host or in any folder below it, the
  // one with that name, or with that function.
  KernelFile find(const KernelWanted& wanted) const;

 private:
  struct Said {
    std::string type, chips, words;  // a path, or an option
    bool is_for(const KernelWanted& wanted) const;
    bool operator==(const Said&) const = default;
  };
  static void add(std::vector<Said>& list, Said said);
  std::vector<Said> sources_, options_;
};

// In a program: what build files have said.
KernelFile kernel_file_of(const KernelWanted& wanted);

}  // namespace vinci::op
