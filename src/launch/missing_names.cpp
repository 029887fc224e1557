// Reading a compiler's errors.
#include "launch/missing_names.h"

#include <algorithm>

#include "launch/command.h"
#include "launch/preprocess.h"
#include "launch/public_names.h"
#include "launch/temporary_folder.h"

namespace vinci::launch {
namespace {

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

// Headers of libraries beside Ascend C that packages build on.
constexpr struct {
  std::string_view folder, library;
} kLibraries[] = {
    {"atvoss/", "atvoss, templates that make tiling and kernel of a graph of operations"},
    {"catlass/", "catlass, templates of matrix products"},
    {"opdev/", "the toolkit's functions for op_api, which call other operators"},
    {"hccl/", "hccl, communication between chips"},
    {"lib/hccl/", "hccl, communication between chips"},
    {"adv_api/hccl/", "hccl, communication between chips"},
    {"lib/conv", "Conv3D, convolutions of volumes"},
    {"adv_api/conv", "Conv3D, convolutions of volumes"},
    {"aicpu_", "the toolkit's functions for the AI CPU"},
    {"cpu_kernel", "the toolkit's functions for the AI CPU"},
    {"simt_api/", "the SIMT interface of newer chips"}};

// Of a header that neither vinci nor the package has: what it is part of.
std::vector<std::string> about_missing_headers(std::string_view errors) {
  std::vector<std::string> sentences;
  for (size_t at = 0; (at = errors.find("fatal error: ", at)) != errors.npos;) {
    at += std::string_view("fatal error: ").size();
    std::string_view name = errors.substr(at, errors.find('\n', at) - at);
    if (name.starts_with('\'')) name.remove_prefix(1);  // clang's
    name = name.substr(0, name.find_first_of(":' "));
    for (const auto& [folder, library] : kLibraries) {
      if (!name.starts_with(folder)) continue;
      sentences.push_back(std::string(name) + " is part of " + std::string(library) +
                          ": vinci does not have it; if it is here as source, -I names its folder");
    }
  }
  return sentences;
}

// Public names of Ascend C that the errors find undeclared, each once, in the order of the errors.
std::vector<const PublicName*> names_not_found(std::string_view errors) {
  std::vector<const PublicName*> names;
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
      const PublicName* name = public_name(word);
      if (name != nullptr && std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

}  // namespace

std::vector<std::string> about_missing_names(std::string_view errors,
                                             const Installation& installation) {
  std::vector<std::string> sentences = about_missing_headers(errors);
  std::vector<const PublicName*> asked = names_not_found(errors);
  if (asked.empty()) return sentences;
  const auto held = names_in_headers(installation);
  std::erase_if(asked, [&](const PublicName* name) { return held.contains(name->name); });
  for (const PublicName* name : asked) {
    sentences.push_back(std::string(name->name) +
                        (name->newer
                             ? " is part of Ascend C for newer chips than those that vinci has"
                             : " is part of Ascend C, but vinci does not have it yet"));
  }
  return sentences;
}

std::string errors_in_english(const std::vector<std::string>& command) {
  const TemporaryFolder folder;
  std::vector<std::string> words = command;
  words.insert(words.end(), {"-fsyntax-only", "-w", "-fdiagnostics-color=never"});
  Redirection to;
  to.output = "/dev/null";
  to.errors = folder.file("errors");
  to.english = true;
  run_command(words, to);
  return content_of(to.errors).value_or("");
}

}  // namespace vinci::launch
