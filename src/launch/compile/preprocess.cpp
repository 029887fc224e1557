// The preprocessor's text, its line markers and its list of include folders.
#include "launch/compile/preprocess.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "launch/command.h"

namespace vinci::launch {
namespace {

namespace fs = std::filesystem;

// "<built-in>" and the like.
bool is_no_file(const std::string& name) { return name.empty() || name[0] == '<'; }

std::string lines_with(const std::string& text, std::string_view part) {
  std::stringstream lines(text);
  std::string found;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(part) != line.npos) found += line + "\n";
  }
  return found;
}

// The folders that -v lists, in their order. Those that do not exist come first: they might be
// anywhere.
std::vector<std::string> include_folders(const std::string& log) {
  constexpr std::string_view kMissing = "ignoring nonexistent directory \"";
  std::vector<std::string> missing, folders;
  bool listed = false;
  for (size_t at = 0; at < log.size();) {
    const size_t end = std::min(log.find('\n', at), log.size());
    const std::string_view line = std::string_view(log).substr(at, end - at);
    at = end + 1;
    if (line.starts_with("#include ")) listed = true;
    if (line.starts_with("End of search list")) listed = false;
    if (listed && line.starts_with(" ")) folders.emplace_back(line.substr(1));
    if (line.starts_with(kMissing) && line.ends_with("\"")) {
      missing.emplace_back(line.substr(kMissing.size(), line.size() - kMissing.size() - 1));
    }
  }
  missing.insert(missing.end(), folders.begin(), folders.end());
  return missing;
}

// Finds the look-ups that failed before an input was found.
class LookUps {
 public:
  explicit LookUps(std::vector<std::string> folders) : folders_(std::move(folders)) {}

  // `includer` includes `file`. As the name was written is not known: it is each end of the path
  // behind a folder of the list, or behind the includer's; of the system's own files the shortest.
  void add(const std::string& includer, const std::string& file, bool system) {
    const std::string own = includer.substr(0, includer.rfind('/') + 1);
    size_t nearest = folders_.size();
    for (size_t i = 0; i < folders_.size(); ++i) {
      if (behind(folders_[i] + "/", file) == nullptr) continue;
      if (!system) {
        add_before(i, own, file);
      } else if (nearest == folders_.size() || folders_[i].size() > folders_[nearest].size()) {
        nearest = i;
      }
    }
    if (nearest < folders_.size()) add_before(nearest, own, file);
  }

  // `asker` has __has_include of `name`: wherever it may be, it is looked for.
  void ask(const std::string& asker, const std::string& name) {
    candidates_.insert(asker.substr(0, asker.rfind('/') + 1) + name);
    for (const std::string& folder : folders_) candidates_.insert(folder + "/" + name);
  }

  // Whether each is there: of some use, perhaps, as an answer to __has_include. Of a file in a
  // folder that is not there, the folder is what is missing.
  struct Found {
    std::vector<std::string> present, absent;
  };
  Found found() const {
    Found result;
    std::map<fs::path, fs::path> missing;  // of each folder; empty: it is there
    std::set<std::string> absent;
    std::error_code error;
    for (const fs::path path : candidates_) {
      const auto [folder, is_new] = missing.try_emplace(path.parent_path());
      if (is_new) folder->second = outermost_missing(folder->first);
      if (!folder->second.empty()) {
        absent.insert(folder->second);
      } else if (const fs::file_status status = fs::status(path, error); !fs::exists(status)) {
        absent.insert(path);
      } else if (fs::is_regular_file(status)) {
        result.present.push_back(path);
      }
    }
    result.absent.assign(absent.begin(), absent.end());
    return result;
  }

 private:
  static const char* behind(const std::string& folder, const std::string& file) {
    return file.starts_with(folder) ? file.c_str() + folder.size() : nullptr;
  }

  // Empty if the folder is there.
  static fs::path outermost_missing(const fs::path& folder) {
    std::error_code error;
    if (fs::exists(folder, error)) return {};
    fs::path missing = folder;
    while (missing.has_relative_path() && missing.has_parent_path() &&
           !fs::exists(missing.parent_path(), error)) {
      missing = missing.parent_path();
    }
    return missing;
  }

  void add_before(size_t folder, const std::string& own, const std::string& file) {
    const std::string name = behind(folders_[folder] + "/", file);
    candidates_.insert(own + name);
    for (size_t i = 0; i < folder; ++i) candidates_.insert(folders_[i] + "/" + name);
  }

  std::vector<std::string> folders_;
  std::set<std::string> candidates_;
};

constexpr std::string_view kQuestion = "__has_include";

// Whether it is only asked whether there is such a question: #ifdef __has_include, defined(...).
bool is_guard(std::string_view before) {
  while (!before.empty() && (before.back() == ' ' || before.back() == '(')) before.remove_suffix(1);
  return before.ends_with("defined") || before.ends_with("ifdef") || before.ends_with("ifndef");
}

// Calls `found` with each name that a file asks for. False if it asks in other ways, too.
template <class F>
bool questions_of(std::string_view text, F found) {
  bool all = true;
  for (size_t at = 0; (at = text.find(kQuestion, at)) != text.npos;) {
    const bool guard = is_guard(text.substr(0, at));
    at += kQuestion.size();
    std::string_view rest = text.substr(at, text.find('\n', at) - at);
    if (rest.starts_with("_next")) rest.remove_prefix(5);
    const size_t name = rest.find_first_not_of(" (");
    const char open = name == rest.npos ? '\0' : rest[name];
    const size_t end =
        open == '<' || open == '"' ? rest.find(open == '<' ? '>' : '"', name + 1) : rest.npos;
    if (end != rest.npos) {
      found(std::string(rest.substr(name + 1, end - name - 1)));
    } else {
      all &= guard;
    }
  }
  return all;
}

}  // namespace

std::string_view take_line(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::optional<Marker> marker_of(std::string_view line) {
  if (!line.starts_with("# ") || line.size() < 3 || line[2] < '0' || line[2] > '9') {
    return std::nullopt;
  }
  size_t at = line.find('"');
  if (at == std::string_view::npos) return std::nullopt;
  Marker marker;
  for (++at; at < line.size() && line[at] != '"'; ++at) {
    if (line[at] == '\\' && at + 1 < line.size()) ++at;
    marker.file += line[at];
  }
  const std::string_view flags = line.substr(std::min(at + 1, line.size()));
  marker.begins = flags.find(" 1") != std::string_view::npos;
  marker.goes_on = flags.find(" 2") != std::string_view::npos;
  marker.system = flags.find(" 3") != std::string_view::npos;
  return marker;
}

std::optional<std::string> content_of(const std::string& path) {
  // A hostile source names what has no end, or gives nothing and waits.
  constexpr uint64_t kMostBytes = uint64_t{1} << 30;
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > kMostBytes) {
    return std::nullopt;
  }
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return std::nullopt;
  std::string content(size_t(std::max<std::streamoff>(file.tellg(), 0)), '\0');
  file.seekg(0);
  file.read(content.data(), std::streamsize(content.size()));
  content.resize(size_t(file.gcount()));
  return content;
}

std::optional<Preprocessed> preprocess(std::vector<std::string> command,
                                       const std::string& scratch) {
  // To stdout: with -o a compiler refuses several sources.
  command.insert(command.end(), {"-E", "-v"});
  const int status = run_command(command, {scratch, scratch + ".log", true});
  Preprocessed result;
  result.asks = std::ranges::any_of(command, [](const std::string& option) {
    return option.find(kQuestion) != std::string::npos;
  });
  result.text = content_of(scratch).value_or("");
  const std::string log = content_of(scratch + ".log").value_or("");
  result.warnings = lines_with(log, " warning: ");
  LookUps lookups(include_folders(log));
  std::remove(scratch.c_str());
  std::remove((scratch + ".log").c_str());
  if (status != 0) return std::nullopt;
  std::set<std::string> inputs, system;
  std::string current;
  for (size_t at = 0; at < result.text.size();) {
    const size_t end = std::min(result.text.find('\n', at), result.text.size());
    const auto marker = marker_of(std::string_view(result.text).substr(at, end - at));
    if (marker && marker->file.ends_with("//")) {  // the working folder
      result.text.erase(at, end - at);
      continue;
    }
    at = end + 1;
    if (!marker) continue;
    if (!is_no_file(marker->file)) {
      (marker->system ? system : inputs).insert(marker->file);
      result.is_relative |= marker->file[0] != '/';
      if (marker->begins) lookups.add(current, marker->file, marker->system);
    }
    current = marker->file;
  }
  for (const auto* files : {&inputs, &system}) {
    for (const std::string& file : *files) {
      const bool is_known = questions_of(content_of(file).value_or(""),
                                         [&](const std::string& name) { lookups.ask(file, name); });
      // The system's headers have it in comments.
      result.asks |= !is_known && files == &inputs;
    }
  }
  LookUps::Found found = lookups.found();
  system.insert(found.present.begin(), found.present.end());
  result.inputs.assign(inputs.begin(), inputs.end());
  result.system.assign(system.begin(), system.end());
  result.absent = std::move(found.absent);
  return result;
}

}  // namespace vinci::launch
