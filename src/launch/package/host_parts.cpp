#include "launch/package/host_parts.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>

#include "launch/compile/source_text.h"
#include "launch/compile/token_source.h"

namespace vinci::launch {
namespace {

namespace fs = std::filesystem;

struct HostFile {
  std::string path, project;
  std::set<std::string> defines, mentions;  // the words behind OP_ADD( and any other MACRO(
};

bool is_macro(std::string_view word) {
  return std::ranges::none_of(
      word, [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; });
}

HostFile host_file(const std::string& path) {
  HostFile file{path, project_of(path), {}, {}};
  const std::string text = source_text(path, {});
  const Source source(text);
  for (size_t at = 0; at + 2 < source.size(); ++at) {
    if (!source.is_name(at) || !source.is(at + 1, '(') || !source.is_name(at + 2)) continue;
    if (!is_macro(source.word(at))) continue;
    auto& list = source.word(at) == "OP_ADD" ? file.defines : file.mentions;
    list.insert(std::string(source.word(at + 2)));
  }
  return file;
}

// Whether a file says something of what another project defines, and its own does not.
bool is_for(const HostFile& file, const HostPart& part, const HostPart& own) {
  return std::ranges::any_of(file.mentions, [&](const std::string& each) {
    return part.defines.contains(each) && !own.defines.contains(each);
  });
}

}  // namespace

std::string project_of(const std::string& source) {
  const fs::path folder = fs::path(source).parent_path();
  for (fs::path at = folder; at.has_relative_path(); at = at.parent_path()) {
    if (at.filename() == "op_host" || at.filename() == "op_kernel") {
      return at.parent_path().string();
    }
  }
  return folder.string();
}

std::vector<HostPart> host_parts(const std::vector<std::string>& sources) {
  std::vector<HostFile> files;
  for (const std::string& source : sources) files.push_back(host_file(source));
  std::map<std::string, HostPart> projects;
  for (const HostFile& file : files) {
    projects[file.project].defines.insert(file.defines.begin(), file.defines.end());
  }
  HostPart rest;
  for (const HostFile& file : files) {
    HostPart& own = projects.at(file.project);
    bool has_part = !own.defines.empty();
    if (has_part) own.sources.push_back(file.path);
    for (auto& [project, part] : projects) {
      if (!is_for(file, part, own)) continue;
      part.sources.push_back(file.path);
      has_part = true;
    }
    if (!has_part) rest.sources.push_back(file.path);
  }
  std::vector<HostPart> parts;
  for (auto& [project, part] : projects) {
    if (!part.defines.empty()) parts.push_back(std::move(part));
  }
  if (!rest.sources.empty()) parts.push_back(std::move(rest));
  return parts;
}

}  // namespace vinci::launch
