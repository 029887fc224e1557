#include "launch/compile/renamed_kernels.h"

#include <algorithm>
#include <set>

#include "core/kernel_name.h"
#include "launch/compile/preprocess.h"
#include "launch/compile/token_source.h"

namespace vinci::launch {
namespace {

// "conflicting declaration of C function 'void hypot(uint8_t*, uint8_t*)'": hypot.
std::set<std::string, std::less<>> names_in_conflict(std::string_view errors) {
  constexpr std::string_view kConflict = "conflicting declaration of C function ";
  std::set<std::string, std::less<>> names;
  for (size_t at = errors.find(kConflict); at != errors.npos;
       at = errors.find(kConflict, at + 1)) {
    const size_t end = errors.find('(', at);
    if (end == errors.npos) break;
    size_t begin = end;
    while (is_name(errors[begin - 1])) --begin;
    names.emplace(errors.substr(begin, end - begin));
  }
  return names;
}

}  // namespace

std::string with_kernels_renamed(std::string_view text, std::string_view errors,
                                 std::string_view own_headers) {
  const auto names = names_in_conflict(errors);
  if (names.empty()) return "";
  std::string result;
  bool foreign = false;
  // Line by line: no token goes on in the next one.
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = text.substr(at, end - at);
    at = end;
    if (const auto marker = marker_of(line)) {
      foreign = marker->system || marker->file.starts_with(own_headers);
    }
    size_t copied = 0;
    if (!foreign) {
      const Source source(line);
      for (size_t i = 0; i < source.size(); ++i) {
        // std::round; a member of the source's own is renamed with its declaration.
        const bool is_qualified = i > 0 && source.is(i - 1, ':');
        if (is_qualified || !names.contains(source.word(i))) continue;
        result += line.substr(copied, source.token(i).begin - copied);
        result += kRenamedKernel;
        copied = source.token(i).begin;
      }
    }
    result += line.substr(copied);
  }
  return result;
}

}  // namespace vinci::launch
