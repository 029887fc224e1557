// Processes that are children of this one or another, and theirs.
#pragma once

#include <sys/types.h>

#include <set>

namespace vinci::launch {

// All that descend from a process now.
std::set<pid_t> descendants_of(pid_t process);

// While it exists, processes whose parents end become children of this one; and when it goes, it
// ends all children that came since, with what they left behind. For a program that waits for
// nothing else.
class Orphanage {
 public:
  Orphanage();
  ~Orphanage();
  Orphanage(const Orphanage&) = delete;
  Orphanage& operator=(const Orphanage&) = delete;

 private:
  const std::set<pid_t> before_;  // what a shell that became this program had started, say
};

}  // namespace vinci::launch
