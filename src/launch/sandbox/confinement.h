// Shutting in the compiler, for sources that nobody trusts: it reads what it is told, writes to one
// folder, and may take so much time and memory and no more.
#pragma once

#include <string>
#include <vector>

struct sock_filter;

namespace vinci::launch {

// What programs that are shut in may use, besides the system's libraries and headers.
struct Confines {
  std::vector<std::string> readable;  // files and folders
  std::string folder;                 // where they write
  int seconds = 60;                   // of the processor, for each process
};

// While it exists, run_command on this thread shuts in what it starts. One at a time.
class Confinement {
 public:
  explicit Confinement(Confines confines);
  ~Confinement();
  Confinement(const Confinement&) = delete;
  Confinement& operator=(const Confinement&) = delete;
};

// Those of this thread; nullptr: none.
const Confines* confines();

// Starts a program like posix_spawnp, shut in. Output and errors go to these descriptors. Returns
// its process, or -1 with errno.
int start_confined(const Confines& confines, const std::vector<char*>& arguments,
                   const std::vector<char*>& environment, int output, int errors);

// The files of C++ in a folder and below it: what a source there may include.
std::vector<std::string> sources_below(const std::string& folder);

// Whether the compiler's messages say that one of its limits ended it.
bool ran_into_limit(const std::string& messages);

}  // namespace vinci::launch
