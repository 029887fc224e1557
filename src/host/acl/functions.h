// Binaries that a program has loaded, their kernels, and lists of arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "acl/acl_rt.h"
#include "host/kernels.h"

namespace vinci::acl {

using host::KnownKernel;

// Arguments of a kernel are whole words.
constexpr size_t kWord = 8;

inline size_t rounded(size_t value, size_t to) { return (value + to - 1) / to * to; }

// What a handle of a kernel means. The kernels stay as long as somebody may run one.
struct Function {
  std::shared_ptr<const host::Kernels> kernels;
  const KnownKernel* kernel = nullptr;
  void* binary = nullptr;  // nullptr: the program's own
  int32_t device = -1;     // that it was loaded on; -1: any
};

struct Binary {
  std::shared_ptr<const host::Kernels> kernels;
  int32_t device = 0;
  std::map<const KnownKernel*, void*> functions;
  std::shared_ptr<const std::string> bytes;  // nullptr: to be loaded when it is needed
};

// Arguments that are put together one by one.
struct ArgumentList {
  struct Item {
    void* handle = nullptr;
    bool is_place_holder = false;
    std::shared_ptr<std::vector<uint8_t>> bytes;  // its value, or what it is to point to
  };
  void* function = nullptr;
  size_t most_bytes = SIZE_MAX;
  bool is_final = false;
  std::vector<Item> items;
};

// Guarded by the Runtime's mutex, as its other maps are.
struct Loaded {
  static Loaded& instance();

  std::map<void*, Binary> binaries;
  std::map<void*, Function> functions;
  std::map<const KnownKernel*, void*> own;  // handles of the program's kernels
  std::map<void*, ArgumentList> lists;
};

// False, with the error told, if it is none.
bool find_function(const char* api, const void* handle, Function& function);

// Where a kernel's arguments lie in one block of memory, in bytes, and how long it is: members of a
// struct, or each in words of eight bytes of its own. `size` is what the program says; what is
// neither is taken for a struct with something behind it.
struct Layout {
  std::vector<size_t> offsets;
  size_t bytes = 0;
};
Layout layout_of(const KnownKernel& kernel, size_t size);

}  // namespace vinci::acl
