// Reading a compiler's errors.
#include "launch/missing_names.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "launch/command.h"
#include "launch/preprocess.h"
#include "launch/temporary_folder.h"

namespace vinci::launch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNames[] = {
#include "launch/ascendc_names.inc"
};

// What g++ and clang say of names that they do not know.
constexpr std::string_view kPhrases[] = {"was not declared",
                                         "is not a member of",
                                         "has not been declared",
                                         "does not name a",
                                         "there are no arguments to",
                                         "has no member named",
                                         "no member named",
                                         "undeclared identifier",
                                         "no template named",
                                         "unknown type name",
                                         "no type named"};

bool is_letter(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

// The identifiers of a line.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const size_t start = size_t(std::ranges::find_if(line, is_letter) - line.begin());
    line.remove_prefix(start);
    const size_t end = size_t(std::ranges::find_if_not(line, is_letter) - line.begin());
    if (end != 0) words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return words;
}

bool headers_hold(const std::string& name, const std::string& include_directory) {
  std::error_code error;
  const fs::path folder = fs::path(include_directory) / "ascendc";
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    if (!entry.is_regular_file()) continue;
    const std::string text = content_of(entry.path().string()).value_or("");
    const std::vector<std::string_view> words = words_of(text);
    if (std::ranges::find(words, std::string_view(name)) != words.end()) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> missing_names(std::string_view errors,
                                       const std::string& include_directory) {
  std::vector<std::string> names;
  while (!errors.empty()) {
    const size_t end = std::min(errors.find('\n'), errors.size());
    std::string_view line = errors.substr(0, end);
    errors.remove_prefix(std::min(end + 1, errors.size()));
    const size_t error = line.find("error: ");
    if (error == line.npos) continue;
    line = line.substr(error, line.find("; did you mean") - error);
    const auto is_said = [&](std::string_view phrase) { return line.find(phrase) != line.npos; };
    if (!std::ranges::any_of(kPhrases, is_said)) continue;
    for (const std::string_view word : words_of(line)) {
      if (!std::ranges::binary_search(kNames, word)) continue;
      const std::string name(word);
      if (std::ranges::find(names, name) != names.end()) continue;
      if (!headers_hold(name, include_directory)) names.push_back(name);
    }
  }
  return names;
}

std::vector<std::string> about_missing_names(std::string_view errors,
                                             const std::string& include_directory) {
  std::vector<std::string> sentences = missing_names(errors, include_directory);
  for (std::string& name : sentences) {
    name += " is part of Ascend C, but vinci does not have it yet";
  }
  return sentences;
}

std::vector<std::string> about_missing_names(const std::vector<std::string>& command,
                                             const std::string& include_directory) {
  const TemporaryFolder folder;
  std::vector<std::string> words = command;
  words.insert(words.end(), {"-fsyntax-only", "-w", "-fdiagnostics-color=never"});
  Redirection to;
  to.output = "/dev/null";
  to.errors = folder.file("errors");
  to.english = true;
  run_command(words, to);
  return about_missing_names(content_of(to.errors).value_or(""), include_directory);
}

}  // namespace vinci::launch
