// Mistakes of host functions, at the line of the call.
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>

#include <fmt/format.h>

#include "core/call_stack.h"
#include "host/findings.h"
#include "op/tile.h"
#include "vinci/op/registry.h"

namespace vinci::op {
namespace {

std::mutex teller_mutex;
Teller& teller() {
  static Teller* const made = new Teller;
  return *made;
}

thread_local std::array<char, 256> null_words{};

void tell(Code code, std::string message, std::string legal) {
  Fault fault;
  fault.code = code;
  fault.message = std::move(message);
  fault.legal = std::move(legal);
  fault.frames = call_stack();
  Teller told;
  {
    const std::lock_guard lock(teller_mutex);
    told = teller();
  }
  if (told) {
    told(fault);
  } else {
    host::tell(fault, "");
  }
}

// The toolkit's variable: 0 debug, 1 info, 2 warning, 3 error (here the default), 4 nothing.
int least_level() {
  const char* said = std::getenv("ASCEND_GLOBAL_LOG_LEVEL");
  const bool level = said != nullptr && said[0] >= '0' && said[0] <= '4' && said[1] == '\0';
  return level ? said[0] - '0' : 3;
}

}  // namespace

void set_teller(Teller said) {
  const std::lock_guard lock(teller_mutex);
  teller() = std::move(said);
}

const char* last_null() { return null_words.data(); }

void mistake(const char* text, const char* legal) { tell(Code::kOperator, text, legal); }

void doubt(const char* text) { tell(Code::kOperatorDoubt, text, ""); }

void gave_null(const char* call, const char* why) {
  std::snprintf(null_words.data(), null_words.size(), "%s: %s", call, why);
}

void wrong_attribute(const char* wanted) {
  mistake(fmt::format("an attribute is read as {}, which is not its type", wanted).c_str(),
          "the type of the definition: bool, int64_t, float, char or a vector");
}

bool logs(int level) { return level >= least_level(); }

void log(int level, const char* file, int line, const char* text) {
  if (!logs(level)) return;
  constexpr const char* kLevels[] = {"debug", "info", "warning", "error"};
  std::string_view words = text;  // kernels' authors end them with line breaks, or do not
  while (words.ends_with('\n')) words.remove_suffix(1);
  fmt::print(stderr, "vinci: {}: {}:{}: {}\n", kLevels[level], file, line, words);
}

}  // namespace vinci::op
