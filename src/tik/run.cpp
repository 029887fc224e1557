// Launches: what stands before the blocks, the blocks, what comes after.
#include "tik/run.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "tool/tools.h"
#include "vinci/checks.h"
#include "vinci/device.h"
#include "vinci/door.h"

namespace vinci::tik {
namespace {

using Role = BufferInfo::Role;

constexpr uint64_t kReach = 32;  // GM may be touched up to the next multiple

// The memories of a core and its registers, kept from one launch to the next.
class Chip {
 public:
  void save(Core& core, const std::array<uint64_t, kSpaces>& used) {
    saved_ = true;
    registers_ = core.registers();
    cells_ = core.cells();
    for (int space = 1; space < kSpaces; ++space) {
      const uint8_t* from = core.local().data(Space(space));
      const uint64_t bytes =
          std::min<uint64_t>(used[size_t(space)], core.local().bytes(Space(space)));
      if (from != nullptr) memory_[size_t(space)].assign(from, from + bytes);
    }
  }
  void restore(Core& core) const {
    if (!saved_) {
      // Conversions to float16 saturate at the start, on every chip: docs/spec/vec_conv.md.
      core.registers().overflow.floats_saturate = true;
      return;
    }
    core.registers() = registers_;
    core.local().cells() = cells_;
    for (int space = 1; space < kSpaces; ++space) {
      const auto& memory = memory_[size_t(space)];
      if (!memory.empty())
        std::memcpy(core.local().data(Space(space)), memory.data(), memory.size());
    }
  }

 private:
  bool saved_ = false;
  Registers registers_;
  Cells cells_{};
  std::array<std::vector<uint8_t>, kSpaces> memory_;
};

// Of the tools those for memory and for blocks side by side: TIK orders its own pipes, but where a
// script has it not do so, and has no queues, and registers stay set from one launch of a script to
// the next.
Checks checks_of(const Program& program) {
  std::optional<Checks> checks = find_checks(program.check);
  if (!checks.has_value()) {
    throw std::invalid_argument(
        fmt::format("VINCI_CHECK is {}; legal: {}", program.check, legal_checks()));
  }
  checks->tools &= find_checks("init,race")->tools | Checks::kNumbers | Checks::kDrift;
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
    const bool watched = hooks.print != nullptr || hooks.statement != nullptr;
    device_.set_threads(watched ? 1 : threads);
    measure();
  }

  Result run();

 private:
  void measure();
  Scalars scalars() const;
  const Feed& feed(const std::string& name) const;
  int64_t elements_of(const BufferInfo& info, const Scalars& scalars) const;
  void allocate(const BufferInfo& info, std::vector<GmArray>& arrays, const Scalars& scalars);
  GmArray array(const BufferInfo& info, uint64_t bytes);
  bool run_blocks(const Machine& start, const Chip& chip);
  // One launch of `machine` from where it stands; false if a fault ended it.
  bool run_alone(Machine& machine, Chip& chip, Machine::Pause& pause);

  const Program& program_;
  const std::map<std::string, Feed>& feeds_;
  const Hooks& hooks_;
  Device device_;
  GmArrays gm_;
  std::array<uint64_t, kSpaces> used_{};
};

// How much of each memory the program's tensors take. Throws std::invalid_argument for one that
// does not lie in its memory.
void Session::measure() {
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
      uint64_t& used = used_[size_t(space)];
      used = info.is_placed_late() ? size : std::max(used, info.address + info.bytes);
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

bool Session::run_alone(Machine& machine, Chip& chip, Machine::Pause& pause) {
  return device_.launch(1, [&] {
    Core& core = Core::current();
    chip.restore(core);
    pause = machine.run(core, hooks_);
    if (pause != Machine::Pause::kEnd && machine.touched()) chip.save(core, used_);
  });
}

// All blocks, each until its end. What a hook throws ends the others and comes out here.
bool Session::run_blocks(const Machine& start, const Chip& chip) {
  std::mutex mutex;
  std::exception_ptr thrown;
  const bool finished = device_.launch(start.blocks(), [&] {
    Core& core = Core::current();
    chip.restore(core);
    Machine machine = start.as_block(block_index());
    try {
      while (machine.run(core, hooks_) == Machine::Pause::kBarrier) machine.meet_others();
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

Result Session::run() {
  const Scalars start = scalars();
  gm_.resize(program_.buffers.size());
  for (size_t i = 0; i < program_.buffers.size(); ++i) allocate(program_.buffers[i], gm_[i], start);

  Result result;
  Machine machine(program_, gm_, start);
  Chip chip;
  auto pause = Machine::Pause::kBlocks;
  bool running = true;
  const auto begin = std::chrono::steady_clock::now();
  while (running && pause != Machine::Pause::kEnd) {
    running = run_alone(machine, chip, pause);
    if (!running || pause != Machine::Pause::kBlocks) continue;
    running = run_blocks(machine, chip);
    machine.leave_blocks();
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  result.seconds = took.count();
  result.finished = running;
  result.faults = device_.faults();
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
