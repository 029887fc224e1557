// A launch: all blocks, each from the first statement to the last.
#include "tik/run.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "tool/tools.h"
#include "vinci/checks.h"
#include "vinci/device.h"
#include "vinci/door.h"

namespace vinci::tik {
namespace {

using Role = BufferInfo::Role;

const Caller kBehind{"the end of the kernel", "", 0};

constexpr uint64_t kReach = 32;  // GM may be touched up to the next multiple

// Of the tools those for memory, for blocks side by side and for what a script leaves set: TIK
// orders its own pipes, but where a script has it not do so, and has no queues.
Checks checks_of(const Program& program) {
  std::optional<Checks> checks = find_checks(program.check);
  if (!checks.has_value()) {
    throw std::invalid_argument(
        fmt::format("VINCI_CHECK is {}; legal: {}", program.check, legal_checks()));
  }
  checks->tools &= find_checks("init,race,state")->tools | Checks::kNumbers | Checks::kDrift;
  checks->pipes_in_order = true;
  if (program.orders_itself) checks->tools |= kOrdersPipesInPart;
  if (program.strict) checks->level = CheckLevel::kStrict;
  if (checks->level == CheckLevel::kOff) checks->level = CheckLevel::kBasic;
  return *checks;
}

class Session {
 public:
  Session(const Program& program, const std::map<std::string, Feed>& feeds, const Hooks& hooks,
          int threads)
      : program_(program), feeds_(feeds), hooks_(hooks), device_(program.soc, checks_of(program)) {
    // Conversions to float16 saturate at the start, on every chip: docs/spec/vec_conv.md.
    device_.saturate_floats();
    const bool watched = hooks.print != nullptr || hooks.statement != nullptr;
    device_.set_threads(watched ? 1 : threads);
    check_places();
  }

  Result run();

 private:
  void check_places();
  Scalars scalars() const;
  const Feed& feed(const std::string& name) const;
  int64_t elements_of(const BufferInfo& info, const Scalars& scalars) const;
  void allocate(const BufferInfo& info, std::vector<GmArray>& arrays, const Scalars& scalars);
  GmArray array(const BufferInfo& info, uint64_t bytes);
  bool run_blocks(const Scalars& start);
  // How many blocks a launch has.
  int64_t count_blocks(const Scalars& start);
  int64_t count_by_running(const Scalars& start);
  std::vector<std::span<uint8_t>> written_before_blocks() const;
  std::vector<uint64_t> callers_at(const std::vector<uint64_t>& frames) const;
  bool add(Fault fault);
  void follow();

  const Program& program_;
  const std::map<std::string, Feed>& feeds_;
  const Hooks& hooks_;
  Device device_;
  GmArrays gm_;
  FaultList faults_;
  bool counting_ = false;  // what is found then is found again
};

// Throws std::invalid_argument for a tensor that does not lie in its memory.
void Session::check_places() {
  device_.run_inside([&] {
    const Soc& soc = Core::current().soc();
    for (const BufferInfo& info : program_.buffers) {
      const Space space = soc.space_of(info.position);
      if (space == Space::kGm) continue;
      const uint64_t size = soc.size_of(space);
      if (size == 0 || info.address > size || info.bytes > size - info.address) {
        throw std::invalid_argument(fmt::format("Tensor {} does not lie in {}, which has {} on {}",
                                                info.name, name_of(space), size, soc.name));
      }
    }
  });
}

const Feed& Session::feed(const std::string& name) const {
  const auto found = feeds_.find(name);
  if (found == feeds_.end())
    throw std::invalid_argument(fmt::format("nothing is fed in as {}", name));
  return found->second;
}

Scalars Session::scalars() const {
  Scalars scalars;
  for (const ScalarInfo& info : program_.scalars) {
    scalars.known.push_back(info.input);
    scalars.values.push_back(info.input ? convert(feed(info.name).number, info.dtype)
                                        : Value{info.dtype, 0});
  }
  return scalars;
}

GmArray Session::array(const BufferInfo& info, uint64_t bytes) {
  const uint64_t reach = (bytes + kReach - 1) / kReach * kReach;
  auto* data = static_cast<uint8_t*>(device_.allocate(std::max(reach, kReach), info.name));
  return {data, bytes, reach};
}

// Before the kernel runs only what is fed in has a value.
int64_t Session::elements_of(const BufferInfo& info, const Scalars& scalars) const {
  try {
    const int64_t elements = to_int64(program_.expressions.evaluate(info.elements, scalars));
    if (elements > INT64_MAX / 64) throw std::bad_alloc();
    if (elements >= 0) return elements;
    throw std::invalid_argument(fmt::format("Tensor {} has {} elements", info.name, elements));
  } catch (const Undefined& undefined) {
    throw std::invalid_argument(
        fmt::format("the shape of Tensor {} needs Scalar {}, which has no value before the kernel "
                    "runs; an InputScalar has one",
                    info.name, program_.scalars[size_t(undefined.scalar)].name));
  } catch (const DividedByZero&) {
    throw std::invalid_argument(fmt::format("the shape of Tensor {} divides by zero", info.name));
  }
}

void Session::allocate(const BufferInfo& info, std::vector<GmArray>& arrays,
                       const Scalars& scalars) {
  if (info.position != Position::GM) return;
  const auto fed = feeds_.find(info.name);
  if (info.role == Role::kInput || fed != feeds_.end()) {
    for (const Feed::Bytes& bytes : feed(info.name).arrays) {
      arrays.push_back(array(info, bytes.bytes));
      if (bytes.bytes != 0) std::memcpy(arrays.back().data, bytes.data, bytes.bytes);
    }
    return;
  }
  const int64_t elements = elements_of(info, scalars);
  if (info.init.size() > uint64_t(elements)) {
    throw std::invalid_argument(
        fmt::format("Tensor {} has {} elements, and {} numbers are there for it", info.name,
                    elements, info.init.size()));
  }
  arrays.push_back(array(info, bytes_of(info.dtype, uint64_t(elements))));
  std::memset(arrays.back().data, 0, arrays.back().reach);
  const uint64_t width = bits_of(info.dtype) / 8;
  for (size_t i = 0; i < info.init.size(); ++i) {
    std::memcpy(arrays.back().data + i * width, &info.init[i].bits, width);
  }
}

// Of outputs and workspaces that no framework clears it is known who has written them. As in the
// toolkit's debugger they are zeros, on which scripts count: so what depends on them is a warning.
void Session::follow() {
  for (size_t i = 0; i < program_.buffers.size(); ++i) {
    const BufferInfo& info = program_.buffers[i];
    const bool is_output = info.role == Role::kOutput;
    if (info.cleared || (!is_output && info.role != Role::kWorkspace)) continue;
    if (feeds_.contains(info.name)) continue;
    for (const GmArray& array : gm_[i]) device_.follow_zeros(array.data, array.bytes, is_output);
  }
}

// What hooks throw ends the other blocks and comes out here.
bool Session::run_blocks(const Scalars& start) {
  std::mutex mutex;
  std::exception_ptr thrown;
  const int64_t blocks = count_blocks(start);
  follow();  // not what counting wrote
  const bool finished = device_.launch(blocks, [&] {
    Core& core = Core::current();
    Machine machine(program_, gm_, start);
    try {
      while (machine.run(core, hooks_) == Machine::Pause::kBarrier) machine.meet_others();
      core.set_caller(&kBehind);  // what is told when the block ends is of its statements
    } catch (const StopKernel&) {
      throw;
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (thrown == nullptr) thrown = std::current_exception();
      throw StopKernel();
    }
  });
  if (thrown != nullptr) std::rethrow_exception(thrown);
  return finished;
}

// The most that any loop over blocks has. What a Scalar says of it that the kernel sets is known
// only when the kernel is there.
int64_t Session::count_blocks(const Scalars& start) {
  int64_t most = 1;
  bool known = true;
  for (const Command& command : program_.commands) {
    if (command.what != Command::Do::kBlocks) continue;
    try {
      most = std::max(most, to_int64(program_.expressions.evaluate(command.c, start)));
    } catch (const Undefined&) {
      known = false;
    } catch (const DividedByZero&) {  // told when the loop is reached
    } catch (const OutOfRange&) {
    }
  }
  if (!known) most = std::max(most, count_by_running(start));
  return most > kMostBlocks ? 1 : most;
}

// Runs one block as far as its loop over blocks, and leaves no trace of that.
int64_t Session::count_by_running(const Scalars& start) {
  const std::vector<std::span<uint8_t>> written = written_before_blocks();
  std::vector<std::vector<uint8_t>> kept;
  for (const auto& bytes : written) kept.emplace_back(bytes.begin(), bytes.end());
  int64_t blocks = 1;
  counting_ = true;
  device_.launch(1, [&] {
    Machine machine(program_, gm_, start, Machine::Mode::kCountsBlocks);
    Machine::Pause pause;
    do pause = machine.run(Core::current(), {});
    while (pause == Machine::Pause::kBarrier);
    if (pause == Machine::Pause::kBlocks) blocks = machine.blocks();
  });
  counting_ = false;
  for (size_t i = 0; i < written.size(); ++i) std::ranges::copy(kept[i], written[i].begin());
  return blocks;
}

// Arrays in GM that statements outside of loops over blocks may write.
std::vector<std::span<uint8_t>> Session::written_before_blocks() const {
  std::set<int> buffers;
  const auto add = [&](const OperandCode& operand) { buffers.insert(operand.buffer); };
  bool inside = false;
  for (const Command& command : program_.commands) {
    using Do = Command::Do;
    if (command.what == Do::kBlocks || command.what == Do::kBlockEnd) {
      inside = command.what == Do::kBlocks;
    }
    if (inside) continue;
    if (command.what == Do::kStore || command.what == Do::kCopy) {
      add(program_.operands[size_t(command.a)]);
    }
    if (command.what != Do::kCall) continue;
    for (const FieldCode& field : program_.calls[size_t(command.a)].fields) {
      const bool is_target = field.field->name.starts_with("dst");
      if (is_target && field.field->kind == Field::Kind::kOperand) add(field.operand);
    }
  }
  std::vector<std::span<uint8_t>> arrays;
  for (const int buffer : buffers) {
    for (const GmArray& array : gm_[size_t(buffer)]) arrays.emplace_back(array.data, array.reach);
  }
  return arrays;
}

// The number of a statement's callers, by the address of its words; none otherwise.
std::vector<uint64_t> Session::callers_at(const std::vector<uint64_t>& frames) const {
  if (frames.empty()) return {};
  const std::vector<Command>& commands = program_.commands;
  const uint64_t first = reinterpret_cast<uint64_t>(&commands.at(0).caller);
  const uint64_t at = (frames[0] - first) / sizeof(Command);  // below `first` it wraps
  if (at >= commands.size() || commands[at].callers < 0) return {};
  return {uint64_t(commands[at].callers)};
}

// Calls of one line are one place if the same lines have called the function around it.
bool Session::add(Fault fault) {
  fault.frames = callers_at(fault.frames);
  fault.other.frames = callers_at(fault.other.frames);
  if (!fault.other.frames.empty()) {
    for (const SourceLine& from : program_.callers[fault.other.frames[0]]) {
      fault.also.push_back({"which is called from", {}, from.file, from.line});
    }
  }
  return faults_.add(fault);
}

Result Session::run() {
  const Scalars start = scalars();
  gm_.resize(program_.buffers.size());
  for (size_t i = 0; i < program_.buffers.size(); ++i) allocate(program_.buffers[i], gm_[i], start);
  device_.on_fault([this](const Fault& fault) { return counting_ || add(fault); });

  Result result;
  const auto begin = std::chrono::steady_clock::now();
  result.finished = run_blocks(start);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  result.seconds = took.count();
  result.faults = faults_.faults();
  for (size_t i = 0; i < program_.buffers.size(); ++i) {
    const BufferInfo& info = program_.buffers[i];
    if (info.role != Role::kOutput && info.role != Role::kInput) continue;
    for (const GmArray& array : gm_[i]) {
      result.outputs[info.name].emplace_back(array.data, array.bytes);
    }
  }
  return result;
}

}  // namespace

Result run(const Program& program, const std::map<std::string, Feed>& feeds, const Hooks& hooks,
           int threads) {
  const auto session = std::make_shared<Session>(program, feeds, hooks, threads);
  Result result = session->run();
  result.memory = session;
  return result;
}

}  // namespace vinci::tik
