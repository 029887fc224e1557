// What a package's kernel source says about itself in words: read from the text, nothing is
// expanded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vinci::op {

class KernelSource {
 public:
  // Reads the file and what it includes in quotes, below its own folder, beside it or in `folders`.
  explicit KernelSource(const std::string& file, const std::vector<std::string>& folders = {});

  struct Function {
    std::string scope;                    // its namespaces, as "outer::inner::"
    std::vector<std::string> parameters;  // as written
    bool is_template = false;
    std::string body;
  };
  // The __global__ function of this name; nothing if there is none.
  std::optional<Function> function(const std::string& name) const;
  // The names of all __global__ functions of the file itself.
  std::vector<std::string> functions() const;

  // What REGISTER_TILING_FOR_TILINGKEY registers for a key; empty: nothing.
  std::string tiling_struct_of(uint64_t key) const;
  bool registers_default() const;
  // GET_TILING_DATA, whose struct is said elsewhere.
  bool takes_default() const;
  // Whether it names the struct where it reads tiling data; then GET_TILING_DATA means another one.
  bool names_struct(const std::string& name) const;
  // What GET_TILING_DATA takes for a key if the host has registered no class; empty: nothing.
  std::string default_struct(uint64_t key) const;
  // The structs that it names in macros that read tiling data, each once.
  std::vector<std::string> read_structs() const;
  // The struct of its own that the kernel reads for a key; empty: it names none.
  std::string read_struct(uint64_t key) const;
  // KERNEL_TYPE_... without that beginning, by KERNEL_TASK_TYPE(key, ) or _DEFAULT; or empty.
  std::string kernel_type(const std::string& function, uint64_t key) const;

  // Words that begin with `start`, each once.
  std::vector<std::string> words_from(std::string_view start) const;

 private:
  std::vector<std::vector<std::string>> calls_of(std::string_view macro,
                                                 std::string_view text) const;
  std::optional<uint64_t> number_of(const std::string& word) const;
  // Adds what calls of a macro have at that place, each once.
  void add_structs(std::string_view macro, size_t argument, std::vector<std::string>& names) const;

  std::string own_;   // the file
  std::string text_;  // with what it includes, without comments
};

}  // namespace vinci::op
