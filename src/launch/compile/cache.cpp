#include "launch/compile/cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "core/system_folder.h"
#include "launch/error.h"
#include "launch/compile/preprocess.h"

namespace vinci::launch {

namespace fs = std::filesystem;

namespace {

// Where everybody may write, a folder of this user's alone: what is in the cache is executed.
fs::path private_folder() {
  const fs::path path = system_folder() / fmt::format("vinci-{}", geteuid());
  mkdir(path.c_str(), 0700);
  struct stat status {};
  if (lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
      (status.st_mode & 077) == 0) {
    return path;
  }
  throw Error(Error::Kind::kCompile,
              fmt::format("{} is not this user's alone (set HOME or VINCI_CACHE)", path.string()));
}

int64_t nanoseconds(const timespec& time) {
  return int64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

constexpr uint64_t kEmptyHash = 0xcbf29ce484222325;

uint64_t hash_on(uint64_t hash, std::string_view text) {
  for (const unsigned char byte : text) hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

}  // namespace

fs::path cache_directory() {
  if (const char* own = std::getenv("VINCI_CACHE"); own != nullptr && *own != '\0') return own;
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && *xdg != '\0') {
    return fs::path(xdg) / "vinci";
  }
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') return fs::path(home) / ".cache" / "vinci";
  return private_folder();
}

uint64_t hash_of(std::string_view text) { return hash_on(kEmptyHash, text); }

std::string name_of(const std::vector<std::string_view>& parts) {
  uint64_t hash = kEmptyHash;
  for (const std::string_view part : parts) hash = hash_on(hash_on(hash, part), "\n\n");
  return fmt::format("{:016x}", hash);
}

std::string content_hash(const std::string& path) {
  return fmt::format("{:016x}", hash_of(content_of(path).value_or("")));
}

std::string status_of(const std::string& path) {
  constexpr int64_t kTick = 20'000'000;  // ns; Linux's are 10 ms at most
  struct stat status {};
  timespec now{};
  if (stat(path.c_str(), &status) != 0 || clock_gettime(CLOCK_REALTIME, &now) != 0) return "";
  const int64_t changed = nanoseconds(status.st_ctim);
  if (nanoseconds(now) - changed < kTick) return "";
  return fmt::format("{}:{}:{}:{}:{}", status.st_size, status.st_dev, status.st_ino,
                     nanoseconds(status.st_mtim), changed);
}

std::string stamp_of(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return "none";
  return fmt::format("{}:{}", status.st_size, nanoseconds(status.st_mtim));
}

std::string witness_of(const std::string& path) {
  const std::string status = status_of(path);  // of before: a change while it is read shows
  return content_hash(path) + "/" + status;
}

bool is_as_witnessed(const std::string& path, std::string_view witness) {
  const size_t slash = std::min(witness.find('/'), witness.size());
  const std::string status = status_of(path);
  if (!status.empty() && witness.substr(slash) == "/" + status) return true;
  return witness.substr(0, slash) == content_hash(path);
}

std::string identity_of(const std::string& program) {
  std::vector<fs::path> candidates{program};
  if (program.find('/') == std::string::npos) {
    const char* path = std::getenv("PATH");
    std::stringstream list(path == nullptr ? "" : path);
    for (std::string directory; std::getline(list, directory, ':');) {
      candidates.push_back(fs::path(directory) / program);
    }
  }
  for (const fs::path& candidate : candidates) {
    std::error_code error;
    const auto changed = fs::last_write_time(candidate, error);
    if (error || fs::is_directory(candidate)) continue;
    return fmt::format("{} {} {}", candidate.string(), changed.time_since_epoch().count(),
                       fs::file_size(candidate, error));
  }
  return program;
}

void publish(const fs::path& work, const fs::path& entry) {
  std::error_code error;
  fs::rename(work, entry, error);
  if (error) renameat2(AT_FDCWD, work.c_str(), AT_FDCWD, entry.c_str(), RENAME_EXCHANGE);
}

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
}

}  // namespace vinci::launch
