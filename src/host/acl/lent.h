// GM that a launch has for itself, until its kernel has ended.
#pragma once

#include <cstdint>
#include <cstring>

#include "host/memories.h"

namespace vinci::acl {

class Lent {
 public:
  // Throws std::bad_alloc.
  Lent(int32_t device, const void* data, size_t bytes, const char* name = "place holder")
      : gm_(host::Memories::instance().allocate(device, bytes, name, false)) {
    std::memcpy(gm_, data, bytes);
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  ~Lent() { host::Memories::instance().release(gm_); }
  void* gm() const { return gm_; }

 private:
  void* gm_;
};

}  // namespace vinci::acl
