#include "launch/sandbox/call_filter.h"

#include <sys/mman.h>
#include <unistd.h>

namespace vinci::launch {

CallFilter filter_code(scmp_filter_ctx filter) {
  CallFilter code;
  const int file = memfd_create("filter", MFD_CLOEXEC);
  if (file >= 0 && seccomp_export_bpf(filter, file) == 0) {
    const off_t bytes = lseek(file, 0, SEEK_END);
    code.resize(size_t(bytes) / sizeof(sock_filter));
    if (pread(file, code.data(), size_t(bytes), 0) != bytes) code.clear();
  }
  if (file >= 0) close(file);
  seccomp_release(filter);
  return code;
}

}  // namespace vinci::launch
