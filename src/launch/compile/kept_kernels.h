// The cache's compiled kernels: an entry for each binary, and for each call of the compiler the files
// that its binary was made from.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "launch/compile/preprocess.h"

namespace vinci::launch {

// Whether a binary was written to its end.
bool is_whole(const std::filesystem::path& binary);

// The binary that <key>.inputs names, if nothing has changed that it lists.
std::optional<std::filesystem::path> binary_by_inputs(const std::filesystem::path& cache,
                                                      const std::string& key);
// What <key>.inputs holds; each line is a kind, a word and a path.
std::string inputs_text(const Preprocessed& source, const std::vector<std::string>& files,
                        const std::string& binary);
// Whether all that such a text lists is still so, whatever else has come into the folders or left them.
bool are_as_listed(const std::string& inputs);
// Makes it known what the call of this key was made from.
void keep_inputs(const std::filesystem::path& work, const std::filesystem::path& cache,
                 const std::string& key, const std::string& inputs);

// What nobody has used for a month, and work that nobody could remove.
void drop_old_entries(const std::filesystem::path& cache);

// Whether there are so many that another is likely to come: compiling the header costs as much as
// it saves in two kernels.
bool has_kernels(const std::filesystem::path& cache);

}  // namespace vinci::launch
