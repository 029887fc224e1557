#include "launch/sandbox/landlock.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace vinci::launch {
namespace {

// Rights that kernels knew later than these headers do, by Landlock's version.
constexpr uint64_t kTruncate = 1 << 14, kDeviceControl = 1 << 15;
// Those that a file can have; the others are for folders.
constexpr uint64_t kOfFiles = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                              LANDLOCK_ACCESS_FS_READ_FILE | kTruncate;

uint64_t all_rights(int version) {
  uint64_t rights = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
  if (version >= 2) rights |= LANDLOCK_ACCESS_FS_REFER;
  if (version >= 3) rights |= kTruncate;
  if (version >= 5) rights |= kDeviceControl;
  return rights;
}

uint64_t rights_of(FileRules::Use use, uint64_t handled) {
  const uint64_t read = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
  if (use == FileRules::Use::kRead) return read;
  if (use == FileRules::Use::kReadAndStart) return read | LANDLOCK_ACCESS_FS_EXECUTE;
  return handled;
}

}  // namespace

int landlock_version() {
  const long version =
      syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version < 0 ? 0 : int(version);
}

FileRules::FileRules() {
  const int version = landlock_version();
  if (version == 0) return;
  landlock_ruleset_attr handled{};
  handled.handled_access_fs = handled_ = all_rights(version);
  rules_ = int(syscall(SYS_landlock_create_ruleset, &handled, sizeof(handled), 0));
}

FileRules::~FileRules() {
  if (rules_ >= 0) close(rules_);
}

void FileRules::allow(const std::string& path, Use use) {
  if (rules_ < 0) return;
  landlock_path_beneath_attr rule{};
  rule.parent_fd = open(path.c_str(), O_PATH | O_CLOEXEC);
  if (rule.parent_fd < 0) return;
  struct stat status {};
  fstat(rule.parent_fd, &status);
  rule.allowed_access = rights_of(use, handled_) & handled_;
  if (!S_ISDIR(status.st_mode)) rule.allowed_access &= kOfFiles;
  syscall(SYS_landlock_add_rule, rules_, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  close(rule.parent_fd);
}

void FileRules::enter() const {
  if (rules_ >= 0) syscall(SYS_landlock_restrict_self, rules_, 0);
}

}  // namespace vinci::launch
