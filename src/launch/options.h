// What users say in words about a launch, on a command line or in Python.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinci/checks.h"
#include "vinci/order.h"

namespace vinci::launch {

// An option as its user calls it, and what it was given; empty: nothing.
struct Word {
  std::string option;
  std::string value;
};

// Throws Error (usage) that names what is legal.
Checks checks_of(const Word& check);
// What is not given is as the compiler's option says, or else the environment. Throws Error
// (usage).
Order order_of(const Word& schedule, const Word& auto_sync, std::optional<bool> of_compiler);

// Takes --cce-auto-sync, which the host's compiler does not know, out of the words for it; the last
// one counts. Throws Error (usage).
std::optional<bool> take_auto_sync(std::vector<std::string>& words);

}  // namespace vinci::launch
