#include "launch/compile/leading_header.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "launch/compile/cache.h"
#include "launch/compile/preprocess.h"

namespace vinci::launch {
namespace {

namespace fs = std::filesystem;

// What the files are that the header includes: the text does not show what they define.
std::string files_of(const LeadingHeader& header, std::string_view text) {
  std::set<std::string> own{header.path}, system;
  while (!text.empty()) {
    const auto marker = marker_of(take_line(text));
    if (marker && marker->begins) (marker->system ? system : own).insert(marker->file);
  }
  std::string list;
  for (const std::string& file : own) list += content_hash(file) + "\n";
  for (const std::string& file : system) list += stamp_of(file) + "\n";
  return list;
}

// The command with which the header itself is the source.
std::vector<std::string> command_of(const LeadingHeader& header,
                                    const std::vector<std::string>& last) {
  std::vector<std::string> words = header.compiler;
  words.insert(words.end(), header.options.begin(), header.options.end());
  words.insert(words.end(), {"-w", "-x", "c++-header", header.path});
  words.insert(words.end(), last.begin(), last.end());
  return words;
}

// Whether there are markers only.
bool is_empty(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (!line.empty() && !marker_of(line)) return false;
  }
  return true;
}

// Whether the header is the same to a kernel with `text` as it is by itself.
bool is_same_alone(const LeadingHeader& header, std::string_view text, const fs::path& work,
                   const StartCompiler& start) {
  const std::string alone = work / "text", log = work / "messages";
  if (start(command_of(header, {"-E", "-o", alone}), {log, log, false}) != 0) return false;
  const std::string read = content_of(alone).value_or("");
  std::remove(alone.c_str());
  const std::string marker = fmt::format("# 1 \"{}\"\n", header.path);
  const size_t at = read.rfind(marker);
  return at != read.npos && is_empty(std::string_view(read).substr(0, at)) &&
         std::string_view(read).substr(at + marker.size()) == text;
}

}  // namespace

std::optional<std::string_view> leading_text(std::string_view text, const std::string& header) {
  const std::string begin = fmt::format("# 1 \"{}\" 1", header);
  const size_t at = text.find(begin + "\n");
  if (at == text.npos || !is_empty(text.substr(0, at))) return std::nullopt;
  text.remove_prefix(at + begin.size() + 1);
  const std::string_view whole = text;
  for (int depth = 1; !text.empty();) {
    const size_t read = whole.size() - text.size();
    const auto marker = marker_of(take_line(text));
    if (!marker) continue;
    depth += int(marker->begins) - int(marker->goes_on);
    if (depth == 0) return whole.substr(0, read);
  }
  return whole;
}

void drop_old(const fs::path& folder) {
  constexpr size_t kMost = 12;
  std::vector<std::pair<fs::file_time_type, fs::path>> entries;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    entries.emplace_back(fs::last_write_time(entry.path(), error), entry.path());
  }
  std::ranges::sort(entries, std::greater());
  for (size_t i = kMost; i < entries.size(); ++i) fs::remove_all(entries[i].second, error);
}

std::vector<std::string> with_compiled_header(const LeadingHeader& header, std::string_view text,
                                              const HeaderFolders& folders,
                                              const StartCompiler& start) {
  const auto read = leading_text(text, header.path);
  if (!read) return {};
  const std::string name =
      name_of({header.path, header.identity, fmt::format("{}", fmt::join(header.options, "\n")),
               fmt::format("{}", fmt::join(header.lighter, "\n")), files_of(header, *read), *read});
  const fs::path entry = folders.kept / name;
  const std::string file = fs::path(header.path).filename().string() + ".gch";
  std::error_code error;
  const std::vector<std::string> options{"-I" + entry.string()};
  if (fs::exists(entry / file, error)) {
    fs::last_write_time(entry, fs::file_time_type::clock::now(), error);
    return options;
  }
  if (fs::exists(entry, error)) return {};  // it was tried
  const fs::path made = folders.work / name, log = made / "messages";
  fs::create_directory(made, error);
  fs::create_directories(folders.kept, error);
  std::vector<std::string> last = header.lighter;
  last.insert(last.end(), {"-o", made / file});
  const bool use = is_same_alone(header, *read, made, start) &&
                   start(command_of(header, last), {log, log, false}) == 0;
  if (!use) fs::remove(made / file, error);
  // g++ opens what stands beside it where another header includes it once more.
  write_file(made / fs::path(header.path).filename(),
             fmt::format("#include \"{}\"\n", header.path));
  fs::rename(made, entry, error);
  if (error) fs::remove_all(made, error);  // another process was first
  drop_old(folders.kept);
  return use ? options : std::vector<std::string>();
}

}  // namespace vinci::launch
