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

// VINCI_LOG=debug, info, warning, error (the default) or off.
int least_level() {
  const char* said = std::getenv("VINCI_LOG");
  const std::string_view word = said == nullptr ? "" : said;
  if (word == "debug") return 0;
  if (word == "info") return 1;
  if (word == "warning") return 2;
  return word == "off" ? 4 : 3;
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
  std::fprintf(stderr, "vinci: %s: %s:%d: %s\n", kLevels[level], file, line, text);
}

}  // namespace vinci::op
