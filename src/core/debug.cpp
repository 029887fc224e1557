// The functions of vinci/debug.h.
#include "vinci/debug.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/core.h"
#include "core/print_format.h"

namespace vinci {
namespace {

constexpr size_t kMostPrinted = 30 << 10;  // of one call

std::string_view kind_of(const Core& core) {
  const Seat& seat = core.seat();
  const CoreKind kind = seat.grid.kind_of(seat.core);
  const bool vector = kind == CoreKind::kAiv || core.soc().arch->vector_core;
  return vector ? "AIV" : "AIC";
}

// `text` with `prefix` before each line that begins in it.
std::string prefixed(std::string_view text, const std::string& prefix, bool& in_line) {
  std::string lines;
  for (const char letter : text) {
    if (!in_line) lines += prefix;
    lines += letter;
    in_line = letter != '\n';
  }
  return lines;
}

// False if the launch has ended without this core.
bool say(std::string_view text) {
  if (!await_turn()) return false;
  std::fwrite(text.data(), 1, text.size(), stdout);
  return true;
}

std::string_view file_name(const char* file) {
  const std::string_view path = file;
  const size_t slash = path.rfind('/');
  return slash == path.npos ? path : path.substr(slash + 1);
}

// After the line on stdout the fault; outside a kernel the program ends.
[[noreturn]] void fail(const std::string& line, std::string message) {
  say(line);
  Core* core = Core::current_or_null();
  if (core == nullptr) {
    std::fflush(stdout);
    std::abort();
  }
  core->report(Code::kAssertion, std::move(message), "");
  core->stop();
}

}  // namespace

int print_from_chip(const char* format, const PrintValue* values, size_t count) {
  const std::string text = print_format::text_of(format, {values, count});
  if (text.size() > kMostPrinted) return 0;
  Core* core = Core::current_or_null();
  if (core == nullptr) return say(text) ? int(text.size()) : 0;
  const std::string prefix =
      fmt::format("[{} Block {}/{}] ", kind_of(*core), core->block_index(), core->block_count());
  const std::string lines = prefixed(text, prefix, core->in_line());
  return say(lines) ? int(lines.size()) : 0;
}

void assertion_failed(const char* expression, const char* file, int line) {
  fail(fmt::format("[ASSERT] {}:{}: : Assertion `{}' failed.\n", file, line, expression),
       fmt::format("assertion `{}' failed", expression));
}

void assertion_failed(const char* expression, const char* file, int line, const char* format,
                      const PrintValue* values, size_t count) {
  std::string message = print_format::text_of(format, {values, count});
  while (message.ends_with('\n')) message.pop_back();
  fail(fmt::format("[ASSERT] {}:{}: Assertion `{}' {}\n", file, line, expression, message),
       fmt::format("assertion `{}' failed{}{}", expression, message.empty() ? "" : ": ", message));
}

void trap() { fail("", "Trap was called"); }

void log_line(const char* level, const char* file, int line, const char* function,
              const char* format, const PrintValue* values, size_t count) {
  const Core* core = Core::current_or_null();
  const std::string place =
      core == nullptr ? std::string()
                      : fmt::format("[Block_{}][{}_{}]", core->block_index(), kind_of(*core),
                                    core->seat().grid.sub_block_of(core->seat().core));
  std::string text = print_format::text_of(format, {values, count});
  if (!text.ends_with('\n')) text += '\n';
  say(fmt::format("[{}]{}[{}:{}][{}][{}] {}", level, place, file_name(file), line, function,
                  getpid(), text));
}

bool await_turn() {
  const Core* core = Core::current_or_null();
  return core == nullptr || core->await_turn();
}

int64_t system_cycle() {
  using std::chrono::steady_clock;
  const auto now = steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() / 20;
}

int64_t entry_cycle() { return Core::current().entry_cycle(); }

int64_t program_counter() {
  return int64_t(reinterpret_cast<uintptr_t>(__builtin_return_address(0)));
}

uint32_t arch_version() {
  const auto digits = fmt::format("{}", Core::current().soc().arch->npu_arch);
  return uint32_t(std::stoul(digits, nullptr, 16));
}

}  // namespace vinci
