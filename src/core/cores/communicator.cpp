// An Hccl object's methods. The state of its tasks is the launch's (communicators.h): each core
// counts what it has asked for, and one of them does the work.
#include "vinci/communicator.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "ascendc/hccl_types.h"
#include "core/cores/communicators.h"
#include "core/core.h"
#include "core/cores/posted_work.h"
#include "soc/communication.h"
#include "vinci/mc2_tiling.h"

namespace vinci {

namespace {

using Kind = CollectiveCall::Kind;
using Member = Communicators::Member;
using Task = Communicators::Task;

constexpr int32_t kSuccess = 0, kFailed = -1;
constexpr int8_t kNoTask = -1;

void misused(std::string text, std::string legal) {
  Core::current().report(Code::kCombination, std::move(text), std::move(legal));
}

void refuse_on_chip(const char* method, const char* legal) {
  Core& core = Core::current();
  core.report(Code::kSocInstruction,
              fmt::format("{}: {} does not have it", method, core.soc().name), legal);
  core.stop();
}

void only_on_a3(const char* method) {
  if (!is_atlas_a3(Core::current().soc())) refuse_on_chip(method, "on Atlas A3");
}

Communicators& communicators(const char* method) {
  PostedWork* posted = Core::current().seat().posted;
  if (posted == nullptr) lacks(method, "communicators here", "a launch");
  return posted->communicators();
}

bool is_sender(const Core& core, uint8_t sender, int64_t block) {
  const CoreKind kind = core.kind();
  const bool is_kind = sender == 0 || kind == CoreKind::kWhole ||
                       kind == (sender == 1 ? CoreKind::kAiv : CoreKind::kAic);
  return is_kind && core.kernel_index() == block;
}

// Whether the tasks that others wait for, before `task`, have ended; if another core does them, it
// is waited for.
bool may_begin(Communicators& all, Member& member, size_t task, Core& core) {
  for (size_t i = 0; i < task; ++i) {
    const CollectiveCall& sync = member.tasks[i].call;
    if (sync.kind != Kind::kGroupSync) continue;
    Member& source = all.member(core.seat().core, uint32_t(sync.type));
    const Task& before = source.tasks[sync.count];
    if (before.done >= before.call.repeat) continue;
    if (source.sends) return false;
    const int32_t* word = all.rounds(uint32_t(sync.type), sync.count);
    const int32_t rounds = before.call.repeat;
    core.wait_for_others([=] { return __atomic_load_n(word, __ATOMIC_RELAXED) >= rounds; },
                         Code::kDeadlock,
                         fmt::format("Hccl: task {} of group {}, which InterHcclGroupSync waits "
                                     "for, is not committed",
                                     sync.count, sync.type),
                         "a Commit for each round of it");
    const int32_t* const words[] = {word};
    core.hear_words(words);
  }
  return true;
}

// All rounds that have been committed and may begin, of all groups: one may wait for another.
void serve(Communicators& all, Core& core) {
  for (bool any = true; std::exchange(any, false);) {
    for (uint32_t group = 0; group < Communicators::kGroups; ++group) {
      Member& member = all.member(core.seat().core, group);
      for (size_t i = 0; i < member.tasks.size() && member.sends; ++i) {
        Task& task = member.tasks[i];
        if (task.done >= task.committed || !may_begin(all, member, i, core)) continue;
        if (task.copies) copy_round(task.call, task.done, core);
        core.store_for_others(all.rounds(group, i), int32_t(++task.done));
        any = true;
      }
    }
  }
}

}  // namespace

// What a method works on.
struct Communicator::Use {
  Core& core;
  Communicators& all;
  Member* member;  // nullptr: the object cannot be used, which has been told
  uint32_t group;

  explicit operator bool() const { return member != nullptr; }
  Member& of_group(uint32_t number) const { return all.member(core.seat().core, number); }
  // nullptr: `task` is none of the group's, which has been told.
  Task* task(const char* method, int8_t task) const {
    const auto& tasks = member->tasks;
    const bool is_one = task >= 0 && size_t(task) < tasks.size() &&
                        tasks[size_t(task)].call.kind != Kind::kGroupSync;
    if (is_one) return &member->tasks[size_t(task)];
    core.report(Code::kRange, fmt::format("{}: handleId is {}", method, task),
                "what AllReduce or another of its kind has returned, and not INVALID_HANDLE_ID");
    return nullptr;
  }
  // Waits until the server has done `rounds` rounds.
  void await(const char* method, int8_t task, uint32_t rounds) const {
    const int32_t* word = all.rounds(group, size_t(task));
    core.wait_for_others(
        [=] { return uint32_t(__atomic_load_n(word, __ATOMIC_RELAXED)) >= rounds; },
        Code::kDeadlock,
        fmt::format("{}: nobody commits round {} of task {}", method, rounds, task),
        "a Commit for each Wait, on the core that gives the server its tasks");
    const int32_t* const words[] = {word};
    core.hear_words(words);
  }
};

Communicator::Use Communicator::use(const char* method) {
  Core& core = Core::current();
  Communicators& all = communicators(method);
  Member& member = all.member(core.seat().core, group_);
  const bool is_there = serial_ != 0, is_live = is_there && member.live == serial_;
  if (!is_there) {
    misused(fmt::format("{}: the object has no communicator", method), "InitV2 before it");
  } else if (!is_live) {
    misused(fmt::format("{}: the object has ended with Finalize", method),
            "a new object, and InitV2");
  }
  return {core, all, is_live ? &member : nullptr, group_};
}

void Communicator::init(const void* context, const void* tiling, bool wants_tiling) {
  const char* method = wants_tiling ? "Hccl::InitV2" : "Hccl::Init";
  if (!require_split_chip(method)) return;
  if (!is_aicpu_) refuse_on_chip("Hccl with a server that is not the AI CPU", "on newer chips");
  Core& core = Core::current();
  Communicators& all = communicators(method);
  group_ = uint8_t(all.group_of(context));
  if (group_ == Communicators::kGroups) {
    group_ = 0;
    return misused(fmt::format("{}: context is that of no communicator", method),
                   "what GetHcclContext<0>() or <1>() returns");
  }
  const auto address = uint64_t(reinterpret_cast<uintptr_t>(tiling));
  if (wants_tiling && (tiling == nullptr || core.gm_buffer(address) != Interval{})) {
    return misused(
        fmt::format("{}: initTiling {}", method, tiling == nullptr ? "is nullptr" : "lies in GM"),
        "the address of what GET_TILING_DATA_WITH_STRUCT has read");
  }
  Member& member = all.member(core.seat().core, group_);
  if (member.live != 0 && member.live != serial_) {
    misused(fmt::format("{}: another object has this context", method),
            "an object for each context; or Finalize of the other before it");
  }
  serial_ = member.live = ++member.objects;
  member.first_task = member.tasks.size();
  member.sends = is_sender(core, sender_, block_);
  tiling_ = tiling;
  by_offset_ = wants_tiling;
  any_tiling_ = tiling == nullptr;
  tilings_ = without_local_copy_ = 0;
  queues_ = 1;
}

int32_t Communicator::set_tiling(const void* tiling) {
  const char* method = "Hccl::SetCcTiling";
  if (!use(method)) return kFailed;
  if (by_offset_) {
    misused(fmt::format("{}: the object was initialised by InitV2", method),
            "SetCcTilingV2, which belongs to it");
    return kFailed;
  }
  if (tiling == nullptr) {
    misused(fmt::format("{}: ccOpTilingData is nullptr", method), "the address of an Mc2CcTiling");
    return kFailed;
  }
  return take_tiling(tiling);
}

int32_t Communicator::take_tiling(const void* tiling) {
  Mc2Tiling read;
  std::memcpy(&read, tiling, sizeof(read));
  if (read.mark != Mc2Tiling::kMark || read.operation >= AscendC::HCCL_CMD_ALL) {
    any_tiling_ = true;
    return kSuccess;
  }
  const uint32_t bit = uint32_t(1) << read.operation;
  tilings_ |= bit;
  without_local_copy_ &= ~bit;
  if (read.skips_local_copy != 0) without_local_copy_ |= bit;
  if (read.operation == AscendC::HCCL_CMD_BATCH_WRITE && read.queues != 0) queues_ = read.queues;
  return kSuccess;
}

int32_t Communicator::set_tiling_at(uint64_t offset) {
  if (!use("Hccl::SetCcTilingV2")) return kFailed;
  if (!by_offset_) {
    misused("Hccl::SetCcTilingV2: the object was initialised by Init",
            "InitV2; or SetCcTiling, which belongs to Init");
    return kFailed;
  }
  return take_tiling(static_cast<const uint8_t*>(tiling_) + offset);
}

bool Communicator::may_prepare(const Use& used, const CollectiveCall& call) const {
  const CollectiveMethod& method = method_of(call);
  const auto is_wrong = [&](std::string text, std::string legal) {
    used.core.report(Code::kRange, fmt::format("{}: {}", method.name, text), std::move(legal));
    return false;
  };
  if (used.member->tasks.size() == Communicators::kMostTasks) {
    return is_wrong(fmt::format("the communicator has {} tasks", Communicators::kMostTasks),
                    "63 in all");
  }
  if (call.kind == Kind::kGroupSync) {
    const bool is_group = call.type >= 0 && call.type < int32_t(Communicators::kGroups);
    return (is_group && call.count < used.of_group(uint32_t(call.type)).tasks.size()) ||
           is_wrong(fmt::format("there is no task {} of group {}", int64_t(call.count), call.type),
                    "the number of a GetHcclContext, and what a call of its object has returned");
  }
  if (!any_tiling_ && (tilings_ >> method.operation & 1) == 0) {
    misused(fmt::format("{}: no tiling of such tasks is set", method.name),
            by_offset_ ? "SetCcTilingV2 before it" : "SetCcTiling before it");
    return false;
  }
  if (call.kind == Kind::kBatchWrite && !is_atlas_a3(used.core.soc())) {
    lacks(method.name, "another device to write to", "one device");
  }
  if (call.kind == Kind::kBatchWrite && call.queue >= queues_) {
    return is_wrong(fmt::format("queueID is {}", call.queue), fmt::format("0..{}", queues_ - 1));
  }
  return is_legal(call, used.core);
}

// Only on Atlas A2 may the rank's own part be left out, and only of these.
bool Communicator::copies(const CollectiveCall& call) const {
  const bool may_skip = call.kind == Kind::kAllGather || call.kind == Kind::kAlltoAll;
  return !may_skip || (without_local_copy_ >> method_of(call).operation & 1) == 0 ||
         is_atlas_a3(Core::current().soc());
}

int8_t Communicator::prepare(const CollectiveCall& call) {
  const CollectiveMethod& method = method_of(call);
  if (method.only_a3) only_on_a3(method.name);
  const Use used = use(method.name);
  if (!used || !may_prepare(used, call)) return kNoTask;
  if (call.repeat == 0) {
    used.core.report(Code::kNoEffect, fmt::format("{}: repeat is 0: there is no task", method.name),
                     "1..255");
    return kNoTask;
  }
  Member& member = *used.member;
  if (member.tasks.size() == member.first_task) member.since = used.core.call_place();
  member.tasks.push_back({call, copies(call)});
  if (call.kind == Kind::kGroupSync) member.tasks.back().committed = member.tasks.back().done = 1;
  const auto handle = int8_t(member.tasks.size() - 1);
  for (int i = 0; i < call.repeat && call.commit; ++i) commit(handle);
  return handle;
}

void Communicator::commit(int8_t handle) {
  const char* method = "Hccl::Commit";
  const Use used = use(method);
  Task* task = used ? used.task(method, handle) : nullptr;
  if (task == nullptr) return;
  if (task->committed == task->call.repeat) {
    return misused(
        fmt::format("{}: task {} has been committed {} times", method, handle, task->committed),
        "as often as repeat says");
  }
  ++task->committed;
  serve(used.all, used.core);
}

int32_t Communicator::wait(int8_t handle) {
  const char* method = "Hccl::Wait";
  const Use used = use(method);
  Task* task = used ? used.task(method, handle) : nullptr;
  if (task == nullptr) return kFailed;
  if (task->waited == task->call.repeat) {
    misused(fmt::format("{}: task {} has been waited for {} times", method, handle, task->waited),
            "as often as repeat says");
    return kFailed;
  }
  const auto later = used.member->tasks.begin() + handle + 1;
  const auto waited = [](const Task& other) { return other.waited != 0; };
  if (std::any_of(later, used.member->tasks.end(), waited)) {
    misused(fmt::format("{}: a task after task {} has been waited for", method, handle),
            "Wait in the order of the calls that made the tasks");
  }
  used.await(method, handle, ++task->waited);
  return kSuccess;
}

int32_t Communicator::query(int8_t handle) {
  const char* method = "Hccl::Query";
  const Use used = use(method);
  const Task* task = used ? used.task(method, handle) : nullptr;
  if (task == nullptr) return kFailed;
  if (used.member->sends) return int32_t(task->done);
  // It may be asked again and again: others go on in between.
  const auto asked = std::make_shared<bool>(false);
  used.core.wait_for_others([asked] { return std::exchange(*asked, true); }, Code::kDeadlock,
                            fmt::format("{}: task {} does not end", method, handle), "");
  const int32_t* word = used.all.rounds(group_, size_t(handle));
  const int32_t* const words[] = {word};
  const int32_t rounds = __atomic_load_n(word, __ATOMIC_RELAXED);
  if (rounds != 0) used.core.hear_words(words);
  return rounds;
}

int32_t Communicator::iterate(int8_t handle, bool sync, uint16_t* slices, uint16_t count) {
  const char* method = "Hccl::Iterate";
  only_on_a3(method);
  const Use used = use(method);
  Task* task = used ? used.task(method, handle) : nullptr;
  if (task == nullptr) return kFailed;
  if (task->call.kind != Kind::kAlltoAll && task->call.kind != Kind::kAlltoAllV) {
    misused(fmt::format("{}: task {} is none of AlltoAll or AlltoAllV", method, handle),
            "tasks of the algorithm \"AlltoAll=level0:fullmesh;level1:pairwise\"");
    return kFailed;
  }
  if (count != 1) {
    bad_argument(method, "seqSliceLen", count, "1: with one rank a step has one part");
    return kFailed;
  }
  if (task->iterated == task->call.repeat) return 0;
  ++task->iterated;
  slices[0] = 0;
  if (sync) used.await(method, handle, ++task->waited);
  return 1;
}

void Communicator::queue_barrier(uint16_t queue, bool all) {
  const char* method = "Hccl::QueueBarrier";
  only_on_a3(method);
  if (!use(method)) return;
  if (!all) return misused(fmt::format("{}: not all queues", method), "ScopeType::ALL");
  if (queue >= queues_) bad_argument(method, "queueID", queue, "less than GetQueueNum()");
}

uint16_t Communicator::queues() {
  only_on_a3("Hccl::GetQueueNum");
  return use("Hccl::GetQueueNum") ? queues_ : 0;
}

void Communicator::finalize(bool sync) {
  const char* method = "Hccl::Finalize";
  const Use used = use(method);
  if (!used) return;
  Member& member = *used.member;
  member.live = 0;
  for (size_t i = member.first_task; i < member.tasks.size(); ++i) {
    const Task& task = member.tasks[i];
    if (!sync && task.call.kind != Kind::kBatchWrite && task.call.kind != Kind::kGroupSync) {
      misused(fmt::format("{}: without sync, and task {} is no BatchWrite", method, i),
              "Finalize<true>");
      break;
    }
    if (!member.sends || task.committed == task.call.repeat) continue;
    misused(fmt::format("{}: task {} has been committed {} times of {}: the server waits for ever",
                        method, i, task.committed, task.call.repeat),
            "as many Commit as repeat says");
  }
}

uint32_t Communicator::rank() {
  use("Hccl::GetRankId");
  return 0;
}

uint32_t Communicator::ranks() {
  use("Hccl::GetRankDim");
  return 1;
}

void* Communicator::window(uint32_t rank, bool out) {
  const Use used = use(out ? "Hccl::GetWindowsOutAddr" : "Hccl::GetWindowsInAddr");
  return used && rank == 0 ? used.all.window(group_, out) : nullptr;
}

void Communicator::refuse(const char* method) {
  refuse_on_chip(fmt::format("Hccl::{}", method).c_str(), "on newer chips");
}

void* hccl_context(uint32_t group) {
  Communicators& all = communicators("GetHcclContext");
  const Member& member = all.member(Core::current().seat().core, group);
  return member.context != nullptr ? member.context : all.context(group);
}

void set_hccl_context(uint32_t group, void* context) {
  communicators("SetHcclContext").member(Core::current().seat().core, group).context = context;
}

void tell_unfinished(Core& core) {
  PostedWork* posted = core.seat().posted;
  if (posted == nullptr || !posted->communicators().used()) return;
  for (uint32_t group = 0; group < Communicators::kGroups; ++group) {
    const Member& member = posted->communicators().member(core.seat().core, group);
    if (member.live == 0 || !member.sends || member.tasks.size() == member.first_task) continue;
    core.note(Code::kDeadlock, "Hccl: no Finalize after the last task: the server waits for ever",
              "Finalize", &member.since);
  }
}

}  // namespace vinci
