// One run of a program: GM from what is fed in, all blocks, and what came out.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tik/machine.h"
#include "tik/program.h"
#include "vinci/fault.h"

namespace vinci::tik {

// What is fed in under a name: arrays (one, or those of a list) or a number.
struct Feed {
  struct Bytes {
    const void* data = nullptr;
    uint64_t bytes = 0;
  };
  std::vector<Bytes> arrays;
  Value number;
};

struct Result {
  // What GM holds at the end, by name: several arrays of a list, else one. The bytes live in
  // `memory`.
  std::map<std::string, std::vector<std::span<const uint8_t>>> outputs;
  std::shared_ptr<const void> memory;
  std::vector<Fault> faults;  // `frames` of each: the number of its callers in the program, or none
  bool finished = false;
  double seconds = 0;  // that the statements took, without feeding
};

// Blocks run on `threads` host threads (0: as many as the host runs at once), and on the caller's
// if there are hooks. Exceptions of the hooks pass through. Throws std::invalid_argument for a chip
// or a name that there is not, and std::bad_alloc.
Result run(const Program& program, const std::map<std::string, Feed>& feeds, const Hooks& hooks,
           int threads);

}  // namespace vinci::tik
