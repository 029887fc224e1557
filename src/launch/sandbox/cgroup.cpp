#include "launch/sandbox/cgroup.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

namespace vinci::launch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMade = "vinci-";  // with the number of the process that it was made for

bool is_made(const fs::path& group) { return group.filename().string().starts_with(kMade); }

// Such files take one write.
bool put(const fs::path& file, std::string_view text) {
  const int opened = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (opened < 0) return false;
  const bool is_put = write(opened, text.data(), text.size()) == ssize_t(text.size());
  close(opened);
  return is_put;
}

bool names(const fs::path& file, std::string_view wanted) {
  std::ifstream words(file);
  for (std::string word; words >> word;) {
    if (word == wanted) return true;
  }
  return false;
}

bool limits_are_had(const fs::path& file) { return names(file, "memory") && names(file, "pids"); }

bool is_alone(const fs::path& group, int pid) {
  std::ifstream processes(group / "cgroup.procs");
  int first = 0, second = 0;
  return processes >> first && first == pid && !(processes >> second);
}

// What processes have left that ended.
void remove_left(const fs::path& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (!is_made(entry.path())) continue;
    const std::string pid = entry.path().filename().string().substr(kMade.size());
    if (!fs::exists("/proc/" + pid, error)) rmdir(entry.path().c_str());
  }
}

}  // namespace

std::string own_group() {
  std::string mount, line;
  std::ifstream mounts("/proc/self/mountinfo");
  while (mount.empty() && std::getline(mounts, line)) {
    std::istringstream words(line);
    std::string number, parent, device, root, point;
    words >> number >> parent >> device >> root >> point;
    if (root == "/" && line.find(" - cgroup2 ") != line.npos) mount = point;
  }
  std::ifstream groups("/proc/self/cgroup");
  while (!mount.empty() && std::getline(groups, line)) {
    if (line.starts_with("0::/")) return line == "0::/" ? mount : mount + line.substr(3);
  }
  return "";
}

bool enter_group(const std::string& own, int pid, const std::optional<GroupLimits>& limits) {
  if (own.empty()) return false;
  const bool is_first = !is_made(own);
  const fs::path folder = is_first ? fs::path(own) : fs::path(own).parent_path();
  const fs::path control = folder / "cgroup.subtree_control";
  // A group that limits those below it may have no process itself: so this one leaves it.
  if (is_first && !(is_alone(own, pid) && limits_are_had(folder / "cgroup.controllers")))
    return false;
  if (!is_first && !limits_are_had(control)) return false;
  remove_left(folder);
  const fs::path group = folder / fmt::format("{}{}", kMade, pid);
  std::error_code error;
  if (!fs::create_directory(group, error)) return false;
  const std::string process = std::to_string(pid);
  bool done = put(group / "cgroup.procs", process);
  if (done && is_first) done = put(control, "+memory +pids");
  if (done && limits) {
    done = put(group / "memory.max", std::to_string(limits->bytes)) &&
           put(group / "pids.max", std::to_string(limits->tasks));
  }
  if (!done) {
    put(fs::path(own) / "cgroup.procs", process);
    rmdir(group.c_str());
  }
  return done;
}

}  // namespace vinci::launch
