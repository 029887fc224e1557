// Where this very library lies.
#pragma once

#include <string>

namespace vinci {

struct OwnLibrary {
  std::string file;
  // Where its kind is found: not the folder inside it that is for a level of the host.
  std::string folder;
};
OwnLibrary own_library();

}  // namespace vinci
