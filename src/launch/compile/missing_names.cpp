// Reading a compiler's errors.
#include "launch/compile/missing_names.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "launch/command.h"
#include "launch/compile/preprocess.h"
#include "launch/compile/public_names.h"
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
    {"aclnn_kernels/", "the toolkit's functions for op_api, which call other operators"},
    {"hccl/", "hccl, communication between chips"},
    {"aicpu_", "the toolkit's functions for the AI CPU"},
    {"cpu_kernel", "the toolkit's functions for the AI CPU"},
    {"simt_api/", "the SIMT interface of newer chips"}};

// Groups of the host runtime's names, by how these begin.
constexpr struct {
  std::string_view start, group;
} kHostGroups[] = {{"aclmdl", "models"},
                   {"aclrtLabel", "labels of streams"},
                   {"aclrtCreateLabel", "labels of streams"},
                   {"aclrtDestroyLabel", "labels of streams"},
                   {"aclrtSetLabel", "labels of streams"},
                   {"aclrtSwitchLabel", "labels of streams"},
                   {"acldvpp", "media"},
                   {"aclvdec", "media"},
                   {"aclvenc", "media"}};

std::string_view host_group(std::string_view name) {
  for (const auto& [start, group] : kHostGroups) {
    if (name.starts_with(start)) return group;
  }
  return {};
}

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

// The words of the errors about undeclared names, each once, in their order.
std::vector<std::string_view> words_not_found(std::string_view errors) {
  std::vector<std::string_view> words;
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
      if (std::ranges::find(words, word) == words.end()) words.push_back(word);
    }
  }
  return words;
}

// What to say of a word that the headers do not hold; nothing: it is nobody's.
std::string about_missing_name(std::string_view word) {
  if (const PublicName* name = public_name(word)) {
    return std::string(word) +
           (name->newer ? " is part of Ascend C for newer chips than those that vinci has"
                        : " is part of Ascend C, but vinci does not have it yet");
  }
  const std::string_view group = host_group(word);
  if (group.empty()) return {};
  return std::string(word) + " is part of the toolkit's host runtime (" + std::string(group) +
         "): vinci does not have it";
}

// Of what only an operator's host code says to its kernel; nothing: it is something else.
std::string about_operator(std::string_view word) {
  if (word == "registered_tiling_struct") {
    return "GET_TILING_DATA takes the struct that an operator's host code registers: `vinci op` "
           "compiles a kernel with it; alone, REGISTER_TILING_DEFAULT(Struct) says which";
  }
  for (const std::string_view start : {"DTYPE_", "ORIG_DTYPE_"}) {
    if (!word.starts_with(start)) continue;
    return fmt::format(
        "{0} is of a parameter of an operator, which its host code defines: `vinci op` compiles a "
        "kernel with it; alone, the option -D{0}=... says it",
        word);
  }
  return {};
}

}  // namespace

std::vector<std::string> about_missing_names(std::string_view errors,
                                             const Installation& installation) {
  std::vector<std::string> sentences = about_missing_headers(errors);
  std::vector<std::string_view> asked = words_not_found(errors);
  for (const std::string_view word : asked) {
    if (std::string sentence = about_operator(word); !sentence.empty())
      sentences.push_back(std::move(sentence));
  }
  std::erase_if(asked, [](std::string_view word) { return about_missing_name(word).empty(); });
  if (asked.empty()) return sentences;
  const auto held = names_in_headers(installation);
  for (const std::string_view word : asked) {
    if (!held.contains(word)) sentences.push_back(about_missing_name(word));
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
