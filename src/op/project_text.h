// What msopgen makes of an operator's description in JSON: a project that builds, with a
// definition, a tiling function and a kernel that computes nothing yet.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace vinci::op {

struct ProjectFile {
  std::string path, text;  // below the project's folder
};

// The operators of a description, which is one or a list of them. Throws Error (call): it is
// neither.
std::vector<nlohmann::json> described_by_msopgen(const nlohmann::json& description);

// op_host and op_kernel of one operator; `families` as definitions have them: "ascend910b". Throws
// Error (call): what is wrong, and where.
std::vector<ProjectFile> operator_files(const nlohmann::json& one,
                                        const std::vector<std::string>& families);

// What is there once: build.sh, CMake's files and its presets.
std::vector<ProjectFile> project_files(const std::vector<std::string>& families);

}  // namespace vinci::op
