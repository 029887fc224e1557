// What the program has of the host runtime: contexts, streams and events.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "acl/acl_rt.h"
#include "host/acl/stream.h"

namespace vinci::acl {

inline constexpr int32_t kDevices = 8;        // identifiers that a program may use
inline constexpr uintptr_t kHandleStep = 64;  // a handle looks like an address, and is none

// Handles are never used twice, so that one that is gone is known as such.
struct Context {
  void* handle = nullptr;
  int32_t device = 0;
  void* default_stream = nullptr;
};
struct StreamEntry {
  std::shared_ptr<Stream> stream;
  void* context = nullptr;
  int32_t device = 0;
  int32_t number = 0;
  uint32_t priority = 0, flags = 0;
  std::map<int, aclrtStreamAttrValue> attributes{};  // as they were set
};

// For any thread. Functions hold the lock while they look at it, never while they wait.
class Runtime {
 public:
  static Runtime& instance();

  std::mutex mutex;
  int64_t initialised = 0;  // aclInit without aclFinalize
  struct Opened {
    int64_t count = 0;        // aclrtSetDevice without aclrtResetDevice
    void* context = nullptr;  // the default one
  };
  std::map<int32_t, Opened> opened;
  std::map<void*, Context> contexts;
  std::map<void*, StreamEntry> streams;
  std::map<void*, std::shared_ptr<Event>> events;
  std::set<void*> dropped;  // streams that went with their device or context

  // With the lock held:
  void* next_handle();
  Context make_context(int32_t device);
  void* make_stream(const Context& context, uint32_t priority, uint32_t flags);
  // The streams go when the result does, without the lock: their tasks end first.
  std::vector<std::shared_ptr<Stream>> take_context(void* handle);

 private:
  uintptr_t last_handle_ = 0;
};

// The context of this thread, set by a function of the program. Refused, with the error told, if
// there is none.
bool current_context(const char* api, Context& context);
void set_current_context(void* handle);

// The stream that a handle means; nullptr, with the error told, if it is none.
std::shared_ptr<Stream> stream_of(const char* api, aclrtStream handle, int32_t* device = nullptr);

// A number for what this thread gives a stream now, and that of what it gave last; 0: nothing.
uint32_t begin_task();
uint32_t last_task();

// Puts a task onto a stream.
aclError add_task(const char* api, aclrtStream handle, Stream::Task task);

// A stream is captured with another one, of which it waits for something, until that capture ends.
void join_capture(const std::shared_ptr<Stream>& stream, const std::shared_ptr<Capture>& capture);

// Puts a launch onto a stream: `before` on its thread, then `kernel` on each core of the grid of a
// chip, that which the code was compiled for or VINCI_SOC. `name` is the kernel's.
aclError enqueue(aclrtStream handle, const char* name, const std::string& compiled_for,
                 const Grid& grid, std::function<void()> before, std::function<void()> kernel);

aclError check_device(const char* api, int64_t id);
// Whether there is a place for a result.
aclError check_place(const char* api, const void* place);
// Whether so many bytes lie where they must: in memory of a device, or of the host.
aclError check_memory(const char* api, const char* name, const void* address, uint64_t bytes,
                      bool on_device);

}  // namespace vinci::acl
