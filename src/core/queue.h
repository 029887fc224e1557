// A block's buffers: what InitBuffer handed out, and the queues that pass buffers on.
//
// src/isa/sync has the instructions that call alloc, enque, deque and free. This is the part that a
// kernel cannot run without; src/tool/queue_protocol.cpp judges how the kernel uses it.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string_view>
#include <vector>

#include "core/schedule.h"
#include "soc/soc.h"
#include "vinci/tool.h"

namespace vinci {

class Core;

class BufferTable {
 public:
  explicit BufferTable(Core& core) : core_(core) {}

  // A new block: nothing is handed out.
  void begin_block();
  // `pipe`: the kernel's object, which it may ask for.
  void begin_pipe(void* pipe);
  void* pipe_object();
  void end_pipe(bool pipes_end);
  void reset_pipe();

  // Who fills a queue's buffers, and who empties them.
  struct Pipes {
    Pipe filled_by = Pipe::kNone, emptied_by = Pipe::kNone;
  };

  QueueId init_queue(Position position, QueueEnds ends, uint32_t depth, uint32_t buffers,
                     uint32_t bytes);
  // The same without memory, for which place_buffer follows.
  QueueId init_placed_queue(Position position, QueueEnds ends, uint32_t depth, uint32_t buffers,
                            uint32_t bytes);
  void place_buffer(QueueId id, uint32_t index, uint64_t address);
  LocalBuffer init_buffer(Position position, uint32_t bytes);
  // vinci/door.h
  uint32_t init_once(uint32_t before);
  // Of a variable of the kernel's, which its address tells: the same until the block ends.
  LocalBuffer variable(const void* variable, Position position, uint32_t bytes);

  LocalBuffer alloc(QueueId id);
  // `ends`: nullptr for the queue's own.
  void enque(QueueId id, const Operand& tensor, const QueueEnds* ends);
  LocalBuffer deque(QueueId id, const QueueEnds* ends);
  void free(QueueId id, const Operand& tensor);

  uint32_t waiting(QueueId id) const;
  uint32_t idle(QueueId id) const;
  uint32_t depth(QueueId id) const;

  // How many flags from one pipe to another queues have up, on a chip: of tensors between EnQue and
  // DeQue, and of buffers between FreeTensor and AllocTensor.
  uint32_t events_held(Pipe from, Pipe to) const;

  // Whether the bytes lie in one buffer that was handed out, or none was in this memory.
  bool in_one(Space space, uint64_t first, uint64_t end) const;

  // Whether they lie, in part, behind the bytes that InitBuffer was asked for and before those that
  // it gave: whole datablocks.
  bool in_gap(Space space, uint64_t first, uint64_t end) const;

  // A Matmul object of the AIVs and its AIC begin to tell each other through the bytes that the
  // framework keeps: buffers over them are told, those that are there and those to come.
  void meet_framework();

  // What of the position's memory is not handed out.
  LocalBuffer unused(Position position);
  // The same for an operator, which gives it back when its call ends.
  LocalBuffer for_operator(Position position);

 private:
  struct Buffer {
    uint64_t address = 0;
    uint32_t allocation = 0;      // 0: idle
    bool used = false;            // by AllocTensor, before
    Schedule::MarkPointer freed;  // what the last FreeTensor stands for
  };
  struct Waiting {
    LocalBuffer buffer;
    Schedule::MarkPointer filled;  // what the EnQue stands for
  };
  struct Queue {
    Position position;
    QueueEnds ends;
    Pipes pipes;  // of the ends
    uint32_t depth;
    uint32_t bytes;
    std::vector<Buffer> buffers;
    std::deque<Waiting> waiting;
    uint32_t next = 0;        // buffer of the next AllocTensor, if it is idle
    bool is_foreign = false;  // at a position that only the other kind of core has: it does nothing
  };

  // Takes `bytes` from the position's memory; stops the block if it is full.
  uint64_t take(Position position, uint64_t bytes, uint32_t pieces,
                std::string_view who = "InitBuffer");
  void keep_gap(Position position, uint64_t address, uint32_t asked, uint32_t given);
  void hand_out(Position position, uint64_t address, uint64_t bytes);
  Queue& queue(QueueId id, const char* api);
  static std::vector<Buffer>::iterator next_idle(Queue& queue);
  const Queue* find(QueueId id) const;  // nullptr if InitBuffer has not made it
  void tell(QueueStep step, QueueId id, const LocalBuffer& buffer, QueueEnds ends, Pipes pipes);
  Pipes pipes_of(QueueEnds ends) const;

  Core& core_;
  std::vector<Queue> queues_;
  uint64_t taken_[kSpaces] = {};
  std::vector<Interval> handed_out_[kSpaces];
  std::vector<Interval> gaps_[kSpaces];
  uint32_t pipe_number_ = 0;  // another one after each Reset
  std::map<const void*, LocalBuffer> variables_;
  uint32_t buffers_ = 0;
  uint32_t last_allocation_ = 0;
  bool pipe_alive_ = false;
  bool pipes_end_ = false;        // before the next TPipe
  std::vector<Fault> over_kept_;  // not yet told
  bool framework_works_ = false;
  void* pipe_ = nullptr;
};

}  // namespace vinci
