// Groups of processes that the host limits together (cgroups, version 2): for what no limit of a
// single process holds, as tables of pages and many processes at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace vinci::launch {

struct GroupLimits {
  uint64_t bytes = uint64_t{16} << 30;  // of memory
  int tasks = 4096;                     // processes and threads
};

// The folder of the group that this process is in; empty: the host has no such groups.
std::string own_group();

// Puts process `pid` of the group `own`, and what it will start, into a group of its own. Works
// where the process may make groups and is alone in its own (a delegated scope of systemd, say), or
// is in one that vinci has made so. False: nothing has changed.
bool enter_group(const std::string& own, int pid, const std::optional<GroupLimits>& limits);

}  // namespace vinci::launch
