// Things that were compiled from files whose names nobody knew before: an entry of the cache has a
// list of them, and of what they held then.
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace vinci::launch {

// The files that a list of the compiler's for make names.
std::set<std::string> files_of_list(const std::string& list);

// The list for an entry.
std::string list_of_inputs(const std::set<std::string>& files);
// Whether the entry has its product, and all files on its list hold what they held.
bool is_as_before(const std::filesystem::path& entry, const std::string& product);

// The files on its list.
std::set<std::string> files_of_inputs(const std::filesystem::path& entry);

}  // namespace vinci::launch
