// The folder where compiled things are kept, and what their names are made of.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace vinci::launch {

// Where VINCI_CACHE says, or in the user's own cache. Throws Error (compile) if that is nobody's.
std::filesystem::path cache_directory();

// FNV-1a: enough to tell contents apart, not meant against malice.
uint64_t hash_of(std::string_view text);
// The same of texts one behind the other, with an end after each, as a name for what they make.
std::string name_of(const std::vector<std::string_view>& parts);
// Of a file's bytes, in hexadecimal digits.
std::string content_hash(const std::string& path);
// Length, number and times; "" for no file, and for one that has just changed: what changes it once
// more in the same tick of the host's clock may leave it the same times.
std::string status_of(const std::string& path);
// Size and time of a file that is not worth reading.
std::string stamp_of(const std::string& path);
// What a file held, one word for is_as_witnessed: its hash, and its status, which nothing that
// changes the file leaves as it is. So the file is read once more only if its status is another.
std::string witness_of(const std::string& path);
bool is_as_witnessed(const std::string& path, std::string_view witness);
// The program that a name means, and when it was last changed.
std::string identity_of(const std::string& program);

// Puts a finished work folder in the entry's place, in one step: other processes see the old entry
// or the new one.
void publish(const std::filesystem::path& work, const std::filesystem::path& entry);

void write_file(const std::filesystem::path& path, const std::string& text);

}  // namespace vinci::launch
