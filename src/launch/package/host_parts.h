// The host code of a package, project by project. With the toolkit each project becomes libraries
// of its own, and what two of them call by one name has nothing in common.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace vinci::launch {

// The folder of the project that a source belongs to: the one that has op_host or op_kernel, or its
// own.
std::string project_of(const std::string& source);

struct HostPart {
  std::vector<std::string> sources;
  std::set<std::string> defines;  // the types of OP_ADD, as the text has them
};

// A project that defines operators is a part, together with the sources elsewhere that only
// register something for these. All other sources, as those that projects share, are the last part,
// if there are any.
std::vector<HostPart> host_parts(const std::vector<std::string>& sources);

}  // namespace vinci::launch
