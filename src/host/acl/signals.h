// Streams that wait for what the program or another stream may never do.
#pragma once

#include <cstdint>
#include <functional>

#include "acl/acl_base.h"
#include "host/acl/stream.h"

namespace vinci::acl {

// Waits on a stream's thread until `is_ready`, which is called with a lock of all such waits held,
// for so many milliseconds at most (-1: no limit). Then, and when the program has ended with nobody
// left to do it, the ending is a failure of `api`.
Ending wait_for_signal(const char* api, const std::function<bool()>& is_ready,
                       int64_t milliseconds);
// Does something that others may wait for.
void signal(const std::function<void()>& act);

// How many streams wait so, and the end of their hope: the program is over.
int64_t waiting_for_signals();
void end_waits_for_signals();

// As add_task. What waits for others cannot be part of a captured stream, which runs alone.
aclError add_signal_task(const char* api, aclrtStream handle, Stream::Task task);

}  // namespace vinci::acl
