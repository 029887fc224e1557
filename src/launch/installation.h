// Where vinci's parts lie on this host.
#pragma once

#include <string>

namespace vinci::launch {

struct Installation {
  // Of kernel_operator.h; in it, `toolkit` has headers of the vendor's toolkit that are parts of
  // it.
  std::string include_directory;
  std::string library_directory;  // of libvinci.so
  std::string library;            // libvinci.so itself, as this process has loaded it
};

// The installation whose libvinci.so this process has loaded, wherever it was moved to: the headers
// are in `include` in the library's folder (a Python package), or beside it (all others). Throws
// Error (internal) if there are none, or of another version.
Installation own_installation();

// Throws Error (internal) if the headers in this folder are not of this library's version.
void require_own_version(const std::string& include_directory);

// The folder that is laid out as the vendor's toolkit is (cmake/cann/tree.cmake). It may not be
// there: a Python package has none.
std::string toolkit_tree(const Installation& installation);

}  // namespace vinci::launch
