// Landlock: what files a process, and those that it starts, may open.
#pragma once

#include <cstdint>
#include <string>

namespace vinci::launch {

// Its version; 0: this host has none.
int landlock_version();

// Files and folders that may be used as said; others may be seen and not opened. Without Landlock
// nothing is restricted.
class FileRules {
 public:
  enum class Use { kRead, kReadAndStart, kAll };

  FileRules();
  ~FileRules();
  FileRules(const FileRules&) = delete;
  FileRules& operator=(const FileRules&) = delete;

  // The file, or the folder with all in it; nothing for what does not exist.
  void allow(const std::string& path, Use use);

  // From now on for this process, which has no_new_privs set; safe between fork and exec.
  void enter() const;

 private:
  uint64_t handled_ = 0;
  int rules_ = -1;
};

}  // namespace vinci::launch
