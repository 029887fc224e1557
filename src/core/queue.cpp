// InitBuffer, AllocTensor, EnQue, DeQue, FreeTensor.
#include "core/queue.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include <fmt/format.h>

#include "core/core.h"
#include "core/global_pipe.h"

namespace vinci {
namespace {

constexpr uint32_t kBlockBytes = 32;
constexpr uint32_t kMostBuffers = 64;  // per TPipe

std::atomic<void*> pipe_of_all_blocks = nullptr;
std::atomic<uint32_t> pipe_numbers = 0;

// What InitBuffer may hand out of a memory of which `taken` bytes are taken.
uint64_t bytes_left(const Core& core, Space space, uint64_t taken) {
  const uint64_t usable = core.usable_bytes(space);
  return usable - std::min(usable, taken);
}

// What the framework of a split chip keeps behind that where both kinds of cores run.
uint64_t bytes_kept(const Core& core, Space space) {
  const Soc& soc = core.soc();
  return soc.arch->split ? soc.size_of(space) - core.usable_bytes(space) : 0;
}

// Who fills what lies at a position, and who empties it, by the flow of the programming model.
BufferTable::Pipes pipes_at(Position position, const Soc& soc) {
  switch (position) {
    case Position::VECIN: return {Pipe::kMte2, Pipe::kV};
    case Position::VECOUT:
    case Position::CO2: return {Pipe::kV, Pipe::kMte3};
    case Position::A1:
    case Position::B1:
    case Position::C1:
    case Position::TSCM: return {Pipe::kMte2, Pipe::kMte1};
    case Position::A2:
    case Position::B2:
    case Position::C2: return {Pipe::kMte1, Pipe::kM};
    case Position::CO1: {
      // Where L0C has a way to UB, it is the vector pipe's.
      const Pipe to_ub = soc.route(Space::kL0C, Space::kUb);
      return {Pipe::kM, to_ub == Pipe::kNone ? Pipe::kFix : to_ub};
    }
    case Position::C2PIPE2GM: return {Pipe::kMte1, Pipe::kFix};
    default: return {Pipe::kV, Pipe::kV};
  }
}

}  // namespace

// Of a queue from one position to another, one of which may be GM.
BufferTable::Pipes BufferTable::pipes_of(QueueEnds ends) const {
  const Soc& soc = core_.soc();
  const bool from_gm = ends.source == Position::GM, to_gm = ends.target == Position::GM;
  return {pipes_at(from_gm ? ends.target : ends.source, soc).filled_by,
          pipes_at(to_gm ? ends.source : ends.target, soc).emptied_by};
}

void* global_pipe() { return pipe_of_all_blocks; }
void set_global_pipe(void* pipe) { pipe_of_all_blocks = pipe; }

void BufferTable::begin_block() {
  queues_.clear();
  variables_.clear();
  reset_pipe();
  pipes_end_ = false;
  pipe_ = global_pipe();
  pipe_alive_ = pipe_ != nullptr;
  last_allocation_ = 0;
  over_kept_.clear();
  framework_works_ = false;
}

void BufferTable::begin_pipe(void* pipe) {
  // Blocks that run side by side share a global one, and what it knows of Destroy.
  if (pipe_alive_ && pipe != pipe_) {
    core_.report(Code::kTwoPipes,
                 "TPipe: the kernel already has one, whose buffers this one hands "
                 "out again",
                 "one TPipe at a time");
  }
  if (std::exchange(pipes_end_, false)) core_.drain_pipes();
  reset_pipe();
  pipe_alive_ = true;
  pipe_ = pipe;
}

namespace {

// What a TBuf gets that lies in its memory alone. Generated kernels ask for more than all of L0A or
// L0B and divide what is there themselves: they run on the chip, whose InitBuffer does not look.
uint32_t part_in_memory(Core& core, Position position, uint32_t bytes) {
  const Space space = core.soc().space_of(position);
  if ((space != Space::kL0A && space != Space::kL0B) || core.is_foreign(position)) return bytes;
  const uint64_t all = core.usable_bytes(space);
  if (bytes <= all) return bytes;
  core.note(
      Code::kNoEffect,
      fmt::format("InitBuffer: a TBuf of more than {} ({}), which has {} bytes on {}, gets no more",
                  name_of(position), name_of(space), all, core.soc().name),
      fmt::format("at most {} bytes, not {}", all, bytes));
  return static_cast<uint32_t>(all);
}

}  // namespace

void* BufferTable::pipe_object() {
  if (pipe_ == nullptr) {
    core_.report(Code::kQueueUninitialised, "GetTPipePtr: the kernel has no TPipe",
                 "a TPipe before GetTPipePtr");
    core_.stop();
  }
  return pipe_;
}

void BufferTable::end_pipe(bool pipes_end) {
  pipe_alive_ = false;
  pipes_end_ = pipes_end;
}

void BufferTable::reset_pipe() {
  // No flag of FreeTensor stays set.
  for (const Queue& queue : queues_) {
    for (const Buffer& buffer : queue.buffers)
      core_.schedule().wait_for_queue(queue.pipes.filled_by, buffer.freed);
  }
  queues_.clear();
  std::ranges::fill(taken_, 0);
  for (auto& buffers : handed_out_) buffers.clear();
  for (auto& gaps : gaps_) gaps.clear();
  pipe_number_ = ++pipe_numbers;
  buffers_ = 0;
  core_.flags().release_all();
  for (Tool* tool : core_.tools()) tool->on_reset(core_);
}

uint64_t BufferTable::take(Position position, uint64_t bytes, uint32_t pieces,
                           std::string_view who) {
  const Soc& soc = core_.soc();
  const Space space = soc.space_of(position);
  if (core_.is_foreign(position)) return 0;  // a number that nobody uses: no call is missing for it
  if (space == Space::kNone) {
    core_.report(Code::kSocPosition,
                 fmt::format("{}: {} has no memory behind {}", who, soc.name, name_of(position)),
                 "");
    core_.stop();
  }
  if (space == Space::kGm) {
    core_.report(Code::kUnimplemented,
                 fmt::format("InitBuffer: {} lies in GM on {}; queues over GM workspace are not "
                             "there yet",
                             name_of(position), soc.name),
                 "a position that lies in a memory of the core: VECIN, VECOUT, A1, ...");
    core_.stop();
  }
  uint64_t& taken = taken_[static_cast<int>(space)];
  const uint64_t total = bytes * pieces;
  if (const uint64_t left = bytes_left(core_, space, taken); total > left) {
    const uint64_t kept = bytes_kept(core_, space), usable = core_.usable_bytes(space);
    const bool fits = taken + total <= usable + kept;
    std::string message =
        fmt::format("{}: {}{} bytes in {} ({}), where {} of {} are left on {}{}", who,
                    pieces == 1 ? "" : fmt::format("{} buffers of ", pieces), bytes,
                    name_of(position), name_of(space), left, usable, soc.name,
                    fits ? fmt::format(" beside the framework's {}", kept) : "");
    std::string legal = fmt::format("at most {} bytes", left);
    if (!fits) {
      core_.report(Code::kOutOfSpace, std::move(message), std::move(legal));
      core_.stop();
    }
    Fault& fault = over_kept_.emplace_back(core_.fault_here(Code::kKeptBytes));
    fault.message = std::move(message);
    fault.legal = std::move(legal);
    if (framework_works_) meet_framework();
  }
  buffers_ += pieces;
  if (buffers_ > kMostBuffers) {
    core_.report(Code::kRange, fmt::format("InitBuffer: {} buffers in one TPipe", buffers_),
                 fmt::format("at most {}", kMostBuffers));
  }
  const uint64_t address = taken;
  taken += total;
  for (uint32_t i = 0; i < pieces; ++i) {
    hand_out(position, address + i * bytes, bytes);
  }
  return address;
}

void BufferTable::meet_framework() {
  framework_works_ = true;
  for (const Fault& fault : std::exchange(over_kept_, {})) core_.tell(fault);
}

void BufferTable::hand_out(Position position, uint64_t address, uint64_t bytes) {
  const Space space = core_.soc().space_of(position);
  if (int(space) < kSpaces) handed_out_[int(space)].push_back({address, address + bytes});
  for (Tool* tool : core_.tools()) tool->on_buffer(core_, position, address, bytes);
}

bool BufferTable::in_one(Space space, uint64_t first, uint64_t end) const {
  if (int(space) >= kSpaces) return false;
  const auto& buffers = handed_out_[int(space)];
  return buffers.empty() || std::ranges::any_of(buffers, [&](const Interval& buffer) {
           return first >= buffer.first && end <= buffer.end;
         });
}

LocalBuffer BufferTable::unused(Position position) {
  const Space space = core_.soc().space_of(position);
  if (space == Space::kNone || space == Space::kGm) return {};
  const uint64_t taken = taken_[static_cast<int>(space)];
  const uint64_t bytes = bytes_left(core_, space, taken);
  hand_out(position, taken, bytes);
  return {taken, bytes, 0};
}

LocalBuffer BufferTable::for_operator(Position position) {
  const Space space = core_.soc().space_of(position);
  if (int(space) >= kSpaces) return {};
  const uint64_t taken = taken_[static_cast<int>(space)];
  const uint64_t bytes = bytes_left(core_, space, taken);
  if (!in_one(space, taken, taken + bytes)) hand_out(position, taken, bytes);
  return {taken, bytes, 0};
}

QueueId BufferTable::init_placed_queue(Position position, QueueEnds ends, uint32_t depth,
                                       uint32_t buffers, uint32_t bytes) {
  if (buffers == 0 || bytes == 0) {
    core_.report(Code::kRange,
                 fmt::format("InitBuffer: {} buffers of {} bytes for a queue", buffers, bytes),
                 "at least one buffer of at least one byte");
  }
  const uint32_t rounded = (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
  Queue queue{position,
              ends,
              pipes_of(ends),
              std::max(depth, 1u),
              rounded,
              {},
              {},
              0,
              core_.is_foreign(position)};
  queue.buffers.resize(buffers);
  queues_.push_back(std::move(queue));
  return {uint32_t(queues_.size())};
}

void BufferTable::place_buffer(QueueId id, uint32_t index, uint64_t address) {
  Queue& queue = this->queue(id, "InitBufHandle");
  if (index >= queue.buffers.size()) {
    core_.report(Code::kRange, fmt::format("InitBufHandle: buffer {} of a queue", index),
                 fmt::format("0..{}", queue.buffers.size() - 1));
    return;
  }
  queue.buffers[index].address = address;
  if (!queue.is_foreign) hand_out(queue.position, address, queue.bytes);
}

QueueId BufferTable::init_queue(Position position, QueueEnds ends, uint32_t depth, uint32_t buffers,
                                uint32_t bytes) {
  const QueueId id = init_placed_queue(position, ends, depth, buffers, bytes);
  Queue& queue = queues_.back();
  const uint64_t address = take(position, queue.bytes, buffers);
  for (uint32_t i = 0; i < buffers; ++i) {
    queue.buffers[i].address = address + i * queue.bytes;
    keep_gap(position, queue.buffers[i].address, bytes, queue.bytes);
  }
  return id;
}

LocalBuffer BufferTable::init_buffer(Position position, uint32_t asked) {
  const Space space = core_.soc().space_of(position);
  const bool alone = int(space) < kSpaces && taken_[static_cast<int>(space)] == 0;
  const uint32_t bytes = alone ? part_in_memory(core_, position, asked) : asked;
  const uint32_t rounded = (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
  const uint64_t address = take(position, rounded, 1);
  keep_gap(position, address, bytes, rounded);
  return {address, rounded, 0};
}

void BufferTable::keep_gap(Position position, uint64_t address, uint32_t asked, uint32_t given) {
  const Space space = core_.soc().space_of(position);
  if (asked == given || int(space) >= kSpaces || core_.is_foreign(position)) return;
  gaps_[int(space)].push_back({address + asked, address + given});
}

bool BufferTable::in_gap(Space space, uint64_t first, uint64_t end) const {
  return int(space) < kSpaces && std::ranges::any_of(gaps_[int(space)], [&](const Interval& gap) {
           return first < gap.end && gap.first < end;
         });
}

uint32_t BufferTable::init_once(uint32_t before) {
  if (before == pipe_number_) {
    core_.note(Code::kNoEffect,
               "InitBuffer: this queue or TBuf has buffers already, which stay taken, and nobody "
               "can use them any more",
               "one InitBuffer for each, or TPipe::Reset between two");
  }
  return pipe_number_;
}

LocalBuffer BufferTable::variable(const void* variable, Position position, uint32_t bytes) {
  const auto [found, is_new] = variables_.try_emplace(variable);
  if (is_new) {
    const Space space = core_.soc().space_of(position);
    // Copies into FB ask for more than the memory itself.
    const uint32_t unit = space == Space::kFb ? 128 : std::max(kBlockBytes, alignment_of(space));
    const uint32_t rounded = (bytes + unit - 1) / unit * unit;
    found->second = {take(position, rounded, 1, "a variable"), bytes, 0};
  }
  return found->second;
}

BufferTable::Queue& BufferTable::queue(QueueId id, const char* api) {
  if (id.index == 0 || id.index > queues_.size()) {
    core_.report(Code::kQueueUninitialised, fmt::format("{}: the queue has no buffers", api),
                 "TPipe::InitBuffer for the queue before it is used");
    core_.stop();
  }
  return queues_[id.index - 1];
}

void BufferTable::tell(QueueStep step, QueueId id, const LocalBuffer& buffer, QueueEnds ends,
                       Pipes pipes) {
  const Queue& queue = queues_[id.index - 1];
  const bool backwards = step == QueueStep::kAlloc || step == QueueStep::kFree;
  const auto [from, to] = backwards ? std::pair(pipes.emptied_by, pipes.filled_by)
                                    : std::pair(pipes.filled_by, pipes.emptied_by);
  const QueueEvent event{step,
                         id.index,
                         queue.position,
                         queue.depth,
                         buffer.allocation,
                         buffer.address,
                         ends,
                         pipes.filled_by,
                         pipes.emptied_by,
                         from == to ? kHardEvents : event_between(from, to)};
  for (Tool* tool : core_.tools()) tool->on_queue(core_, event);
}

// The buffers take turns: what waits for one of them says nothing of the others.
std::vector<BufferTable::Buffer>::iterator BufferTable::next_idle(Queue& queue) {
  const auto is_idle = [](const Buffer& buffer) { return buffer.allocation == 0; };
  const auto next = queue.buffers.begin() + queue.next;
  const auto idle = std::find_if(next, queue.buffers.end(), is_idle);
  if (idle != queue.buffers.end()) return idle;
  const auto before = std::find_if(queue.buffers.begin(), next, is_idle);
  return before == next ? queue.buffers.end() : before;
}

LocalBuffer BufferTable::alloc(QueueId id) {
  Queue& queue = this->queue(id, "AllocTensor");
  if (queue.is_foreign) return {0, queue.bytes, 0};
  const auto idle = next_idle(queue);
  if (idle == queue.buffers.end()) {
    core_.report(Code::kQueueNoBuffer,
                 fmt::format("AllocTensor: all {} buffers of this {} queue are in use",
                             queue.buffers.size(), name_of(queue.position)),
                 "FreeTensor before the next AllocTensor, or more buffers in InitBuffer");
    core_.stop();
  }
  idle->allocation = ++last_allocation_;
  queue.next = uint32_t(idle + 1 - queue.buffers.begin()) % uint32_t(queue.buffers.size());
  const LocalBuffer buffer{idle->address, queue.bytes, idle->allocation};
  tell(QueueStep::kAlloc, id, buffer, queue.ends, queue.pipes);
  core_.schedule().wait_for_queue(queue.pipes.filled_by, idle->freed);
  return buffer;
}

void BufferTable::enque(QueueId id, const Operand& tensor, const QueueEnds* ends) {
  Queue& queue = this->queue(id, "EnQue");
  if (queue.is_foreign) return;
  const QueueEnds named = ends == nullptr ? queue.ends : *ends;
  const Pipes pipes = ends == nullptr ? queue.pipes : pipes_of(named);
  const LocalBuffer buffer{tensor.address, tensor.bytes, tensor.allocation};
  tell(QueueStep::kEnQue, id, buffer, named, pipes);
  if (queue.waiting.size() >= queue.depth) {
    core_.report(Code::kQueueTooDeep,
                 fmt::format("EnQue: {} tensors already wait in this {} queue of depth {}",
                             queue.waiting.size(), name_of(queue.position), queue.depth),
                 fmt::format("at most {} EnQue without a DeQue", queue.depth));
  }
  queue.waiting.push_back({buffer, core_.schedule().mark(pipes.filled_by)});
}

LocalBuffer BufferTable::deque(QueueId id, const QueueEnds* ends) {
  Queue& queue = this->queue(id, "DeQue");
  if (queue.is_foreign) return {0, queue.bytes, 0};
  if (queue.waiting.empty()) {
    core_.report(Code::kQueueEmpty,
                 fmt::format("DeQue: no tensor waits in this {} queue", name_of(queue.position)),
                 "an EnQue before each DeQue");
    core_.stop();
  }
  const QueueEnds named = ends == nullptr ? queue.ends : *ends;
  const Pipes pipes = ends == nullptr ? queue.pipes : pipes_of(named);
  LocalBuffer buffer = queue.waiting.front().buffer;
  core_.schedule().wait_for_queue(pipes.emptied_by, queue.waiting.front().filled);
  queue.waiting.pop_front();
  tell(QueueStep::kDeQue, id, buffer, named, pipes);
  // A tensor leaves the queue with the size of its buffer, whatever SetSize said before.
  const auto owner = std::ranges::find(queue.buffers, buffer.allocation, &Buffer::allocation);
  if (owner != queue.buffers.end()) buffer = {owner->address, queue.bytes, buffer.allocation};
  return buffer;
}

void BufferTable::free(QueueId id, const Operand& tensor) {
  Queue& queue = this->queue(id, "FreeTensor");
  if (queue.is_foreign) return;
  const LocalBuffer buffer{tensor.address, tensor.bytes, tensor.allocation};
  tell(QueueStep::kFree, id, buffer, queue.ends, queue.pipes);
  const auto owner = std::ranges::find(queue.buffers, tensor.allocation, &Buffer::allocation);
  if (tensor.allocation == 0 || owner == queue.buffers.end()) return;
  owner->allocation = 0;
  owner->used = true;
  owner->freed = core_.schedule().mark(queue.pipes.emptied_by);
}

uint32_t BufferTable::events_held(Pipe from, Pipe to) const {
  uint32_t held = 0;
  for (const Queue& queue : queues_) {
    if (queue.pipes.filled_by == from && queue.pipes.emptied_by == to) {
      held += uint32_t(queue.waiting.size());
    }
    if (queue.pipes.emptied_by == from && queue.pipes.filled_by == to) {
      held += uint32_t(std::ranges::count_if(queue.buffers, [](const Buffer& buffer) {
        return buffer.allocation == 0 && buffer.used;
      }));
    }
  }
  return held;
}

const BufferTable::Queue* BufferTable::find(QueueId id) const {
  return id.index == 0 || id.index > queues_.size() ? nullptr : &queues_[id.index - 1];
}

uint32_t BufferTable::waiting(QueueId id) const {
  const Queue* queue = find(id);
  return queue == nullptr ? 0 : uint32_t(queue->waiting.size());
}

uint32_t BufferTable::idle(QueueId id) const {
  const Queue* queue = find(id);
  return queue == nullptr ? 0
                          : uint32_t(std::ranges::count(queue->buffers, 0u, &Buffer::allocation));
}

uint32_t BufferTable::depth(QueueId id) const {
  const Queue* queue = find(id);
  return queue == nullptr ? 0 : queue->depth;
}

}  // namespace vinci
