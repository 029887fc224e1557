// Cube groups: their AIVs put messages into queues in GM, and their AICs serve these.
#pragma once

#include <cstdint>

#include "vinci/record.h"

namespace vinci {

// The first byte of a message.
enum class MessageState : uint8_t { kFree, kValid, kQuit, kFake };

// The queues of one AIC of a group: their slots lie in GM by their place in the queue first, then
// by queue.
struct CubeQueues {
  static constexpr uint32_t kDepth = 4;

  uint64_t start = 0;
  uint32_t message_bytes = 0;
  uint32_t first = 0, count = 0;  // among the group's queues

  // `queue` counts among these queues.
  constexpr uint64_t slot(uint32_t queue, uint32_t place) const {
    return start + uint64_t(message_bytes) * (place * count + queue);
  }
  // Whether a message lies in one of the slots, whose number is then `index`.
  constexpr bool holds(uint64_t message, uint32_t& index) const {
    if (message < start || (message - start) % message_bytes != 0) return false;
    const uint64_t number = (message - start) / message_bytes;
    index = uint32_t(number);
    return number < uint64_t(count) * kDepth;
  }
};

struct CubeGroup {
  uint64_t workspace = 0;
  uint32_t message_bytes = 0;
  uint8_t block_start = 0, block_size = 0, queues = 0;

  constexpr uint32_t aics() const { return block_size / 2u; }
  // Each AIC has so many queues, the last one what is left.
  constexpr uint32_t queues_per_aic() const { return (queues + aics() - 1) / aics(); }
  constexpr uint64_t bytes() const { return uint64_t(queues) * CubeQueues::kDepth * message_bytes; }
  // `aic` counts among the group's AICs.
  constexpr CubeQueues queues_of(uint32_t aic) const {
    const uint32_t first = aic * queues_per_aic();
    const uint32_t left = queues - first;
    return {workspace + uint64_t(first) * CubeQueues::kDepth * message_bytes, message_bytes, first,
            left < queues_per_aic() ? left : queues_per_aic()};
  }
};

// What an AIC remembers while it serves. All queues count among its own.
struct CubeServer {
  static constexpr uint32_t kMostQueues = 64;
  static constexpr int16_t kNone = -1;

  uint32_t taken[kMostQueues] = {};  // messages of each queue
  uint8_t held[kMostQueues] = {};    // a bit for each place: Call has had its message, not freed it
  bool has_quit[kMostQueues] = {};
  uint32_t at = 0;         // the queue that is looked at next
  int16_t called = kNone;  // the one whose message Call has
  uint8_t skipped = 0;     // SetSkipMsg
};

// What one core's CubeResGroupHandle knows: plain data, as handles are copied.
struct CubeHandle {
  static constexpr int8_t kNone = -1;

  CubeGroup group;
  int16_t queue = kNone;  // of this AIV
  uint8_t next = 0;       // the place in it that AllocMessage hands out next
  // How AllocMessage was told that a place's message would be written: a PipeMode; kNone: the place
  // has not been handed out.
  int8_t allocated[CubeQueues::kDepth] = {kNone, kNone, kNone, kNone};

  uint64_t asked_at = 0;  // Wait<false>: the core's step

  int16_t aic = kNone;           // this AIC's number in the group
  CubeServer* server = nullptr;  // while it serves
};

// All of them act when they are issued, and on the handle.
struct CubeHandleRecord : Record {
  CubeHandle* handle = nullptr;
  int32_t argument = 0;  // CreateCubeResGroup: the event; AssignQueue: the queue
};
// AllocMessage, and Wait for a message that was posted.
struct AwaitMessageRecord : Record {
  CubeHandle* handle = nullptr;
  int32_t mode = CubeHandle::kNone;  // AllocMessage: a PipeMode
  uint32_t offset = 0;               // Wait: what the post returned
  bool waits = true;                 // false: it only asks
  uint64_t* message = nullptr;       // out: of AllocMessage
  bool* is_free = nullptr;           // out: of Wait
};
// PostMessage, PostFakeMsg and SetQuit by an AIV, FreeMessage by an AIC.
struct MessageStateRecord : Record {
  CubeHandle* handle = nullptr;
  const char* api = nullptr;
  uint64_t message = 0;
  uint32_t head = 0;                 // posted: the message's first four bytes
  const void* source = nullptr;      // PostMessage: all of it, in the kernel's own memory
  int32_t mode = CubeHandle::kNone;  // PostMessage: a PipeMode
  int32_t awaited = -1;              // FreeMessage: a MessageState; -1: any
  uint16_t* offset = nullptr;        // out
};
// PostMessage, for all of a message but its first four bytes, which tell that it is there.
struct WriteMessageRecord : Record {
  static constexpr uint32_t kHeadBytes = 4;

  Operand message;
  const void* source = nullptr;  // of the whole message
  uint32_t bytes = 0;
  bool by_mte3 = false;
};
// An AIC's next message for Call.
struct NextMessageRecord : Record {
  CubeHandle* handle = nullptr;
  uint64_t* message = nullptr;  // out; 0: all queues have quit
};

}  // namespace vinci
