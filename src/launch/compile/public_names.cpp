// What vinci has is asked of the preprocessor, as macros make some of the names.
#include "launch/compile/public_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "launch/chip.h"
#include "launch/command.h"
#include "launch/compile/compile.h"
#include "launch/error.h"
#include "launch/compile/preprocess.h"
#include "launch/temporary_folder.h"

namespace vinci::launch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNames[] = {
#include "launch/compile/ascendc_names.inc"
};
constexpr std::string_view kNewerNames[] = {
#include "launch/compile/ascendc_names_newer.inc"
};
static_assert(std::ranges::is_sorted(kNames) && std::ranges::is_sorted(kNewerNames));

constexpr auto kAll = [] {
  std::array<PublicName, std::size(kNames) + std::size(kNewerNames)> all;
  size_t old = 0, newer = 0;  // both lists are sorted
  for (PublicName& next : all) {
    const bool is_newer =
        old == std::size(kNames) ||
        (newer != std::size(kNewerNames) && kNewerNames[newer] < kNames[old]);
    next = is_newer ? PublicName{kNewerNames[newer++], true} : PublicName{kNames[old++], false};
  }
  return all;
}();
static_assert(std::ranges::adjacent_find(kAll, {}, &PublicName::name) == kAll.end(),
              "each name stands in one of the lists, once");

bool is_letter(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

// A source with all headers that programs may include.
std::string including_all(const fs::path& headers) {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(
           headers, fs::directory_options::follow_directory_symlink)) {
    const std::string name = entry.path().lexically_relative(headers).string();
    const bool is_own = name.starts_with("vinci/") || name.starts_with("toolkit/") ||
                        (name.starts_with("ascendc/") && !name.starts_with("ascendc/host_api/"));
    if (entry.is_regular_file() && !is_own) names.insert(name);
  }
  std::string text;
  for (const std::string& name : names) text += "#include <" + name + ">\n";
  return text;
}

}  // namespace

const PublicName* public_name(std::string_view name) {
  const auto found = std::ranges::lower_bound(kAll, name, {}, &PublicName::name);
  return found != kAll.end() && found->name == name ? &*found : nullptr;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const size_t start = size_t(std::ranges::find_if(text, is_letter) - text.begin());
    text.remove_prefix(start);
    const size_t end = size_t(std::ranges::find_if_not(text, is_letter) - text.begin());
    if (end != 0) words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

std::set<std::string, std::less<>> names_in_headers(const Installation& installation) {
  const TemporaryFolder folder;
  const std::string source = folder.file("all.cpp"), text = folder.file("text");
  std::ofstream(source) << including_all(installation.include_directory);
  std::vector<std::string> command = compiler();
  const auto options = kernel_options(chip(std::string(kDefaultSplitSoc)), installation);
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {"-DVINCI_LISTING_NAMES", "-E", "-dD", source});
  // Headers that only say what vinci lacks end in an error: the rest is written all the same.
  run_command(command, {text, "/dev/null"});
  const std::string content = content_of(text).value_or("");
  std::set<std::string, std::less<>> names;
  for (const std::string_view word : words_of(content)) names.emplace(word);
  return names;
}

std::vector<PublicName> lacking_names(const Installation& installation) {
  const auto held = names_in_headers(installation);
  std::vector<PublicName> names;
  std::ranges::copy_if(kAll, std::back_inserter(names),
                       [&](const PublicName& name) { return !held.contains(name.name); });
  return names;
}

}  // namespace vinci::launch
