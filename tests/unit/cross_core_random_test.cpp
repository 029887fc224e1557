// Random programs of cores that wait for each other. What each ends with is computed step by step
// without any core; where one set is left out, they must end in a deadlock.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <random>

#include "core/core.h"
#include "kernel_operator.h"
#include "vinci/device.h"

namespace vinci {
namespace {

using namespace AscendC;

constexpr int kNumbersOfThreads[] = {1, 2, 8};

// Who takes part, and how they learn that the others have come so far.
enum class Way {
  kAllMeet,      // SyncAll<false>
  kVectorsMeet,  // SyncAll<true>
  kWorkspace,    // SyncAll with a workspace
  kAicFlags,     // mode 0
  kAivFlags,
  kBlockFlags,  // mode 1: the AIVs of each block
  kFromAic,     // mode 2
  kToAic,
  kEvents,  // IBSet and IBWait, from each AIV to the next
};
constexpr int kWays = 9;

// In a step each core that takes part adds the number of its partner to twice its own.
struct Step {
  Way way;
  uint16_t flag;
};

struct Program {
  Grid grid;
  std::vector<Step> steps;
  int64_t lazy_core = -1;  // leaves out its set in step lazy_step
  size_t lazy_step = 0;

  bool has_aic() const { return grid.aic > 0; }
  int64_t first_of_block(int64_t core) const { return core - grid.place_in_block(core); }
  bool takes_part(int64_t core, Way way) const {
    const bool is_aic = grid.kind_of(core) == CoreKind::kAic;
    switch (way) {
      case Way::kAllMeet:
      case Way::kFromAic:
      case Way::kToAic: return true;
      case Way::kAicFlags: return is_aic;
      default: return !is_aic;
    }
  }
  // Whose number it adds; -1: nobody's.
  int64_t partner(int64_t core, Way way) const {
    const bool is_aic = grid.kind_of(core) == CoreKind::kAic;
    const int64_t first = first_of_block(core), end = first + grid.cores_per_block();
    if (way == Way::kFromAic) return is_aic ? -1 : first;
    if (way == Way::kToAic) return is_aic ? end - 1 : -1;
    int64_t next = core;
    do {
      ++next;
      if (way == Way::kBlockFlags && next == end) next = first;
      if (next == grid.cores()) next = 0;
    } while (!takes_part(next, way));
    return next;
  }
};

constexpr int64_t kModulus = 1'000'003;

std::vector<int64_t> expected(const Program& program) {
  std::vector<int64_t> numbers(size_t(program.grid.cores()));
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = int64_t(i) + 1;
  for (const Step& step : program.steps) {
    const std::vector<int64_t> before = numbers;
    for (size_t i = 0; i < numbers.size(); ++i) {
      if (!program.takes_part(int64_t(i), step.way)) continue;
      const int64_t partner = program.partner(int64_t(i), step.way);
      if (partner < 0) continue;
      numbers[i] = (before[i] * 2 + before[size_t(partner)]) % kModulus;
    }
  }
  return numbers;
}

struct Memory {
  GlobalTensor<int32_t> gm;
  LocalTensor<int32_t> ub{TPosition::VECCALC, 0, 512};
};

// All that take part have come here before one goes on. `sets`: whether this core tells the others.
void meet(const Step& step, Memory& memory, bool sets, bool is_aic) {
  const auto me = int32_t(GetBlockIdx()), cores = int32_t(GetBlockNum() * GetTaskRatio());
  switch (step.way) {
    case Way::kAllMeet:
      if (sets) SyncAll<false>();
      return;
    case Way::kVectorsMeet:
      if (sets) SyncAll();
      return;
    case Way::kWorkspace:
      if (sets) SyncAll(memory.gm, memory.ub);
      return;
    case Way::kAicFlags:
    case Way::kAivFlags:
      if (sets) CrossCoreSetFlag<0, PIPE_MTE3>(step.flag);
      return CrossCoreWaitFlag(step.flag);
    case Way::kBlockFlags:
      if (sets) CrossCoreSetFlag<1, PIPE_V>(step.flag);
      return CrossCoreWaitFlag<1, PIPE_V>(step.flag);
    case Way::kFromAic:  // and back, so that the next step finds all as far
    case Way::kToAic:
      if (is_aic == (step.way == Way::kFromAic)) {
        if (sets) ffts_cross_core_sync(PIPE_MTE3, uint64_t(1 | 2 << 4 | step.flag << 8));
        return CrossCoreWaitFlag(uint16_t(step.flag + 1));
      }
      wait_flag_dev(step.flag);
      if (sets) CrossCoreSetFlag<2, PIPE_MTE2>(uint16_t(step.flag + 1));
      return;
    case Way::kEvents:  // round twice: then all have come
      for (int round = 0; round < 2; ++round) {
        if (me > 0 || round > 0) IBWait(memory.gm, memory.ub, (me + cores - 1) % cores, round);
        if (sets && (me < cores - 1 || round < 1)) {
          IBSet(memory.gm, memory.ub, me, (me + 1 == cores ? 1 : round));
        }
      }
      return;
  }
}

struct Outcome {
  bool finished;
  std::vector<int64_t> numbers;
  std::vector<std::string> faults;
};

Outcome run(const Program& program, int threads) {
  Device device("Ascend910B1");
  device.set_threads(threads);
  const size_t words = 8 * 200;
  auto* data = static_cast<int32_t*>(device.allocate(words * 4, "workspaces"));
  std::fill(data, data + words, 0);
  std::vector<std::atomic<int64_t>> numbers(size_t(program.grid.cores()));
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = int64_t(i) + 1;
  Outcome outcome;
  outcome.finished = device.launch(program.grid, [&] {
    const int64_t core = Core::current().seat().core;
    const bool is_aic = Core::current().kind() == CoreKind::kAic;
    Memory memory;
    // Some bytes for each way that needs them; those of events hold two of each core.
    for (size_t i = 0; i < program.steps.size(); ++i) {
      const Step& step = program.steps[i];
      if (!program.takes_part(core, step.way)) continue;
      const size_t first = step.way == Way::kEvents ? 8 * 50 : 0;
      memory.gm.SetGlobalBuffer(data + first, words - first);
      meet(step, memory, core != program.lazy_core || i != program.lazy_step, is_aic);
      const int64_t partner = program.partner(core, step.way);
      const int64_t own = numbers[size_t(core)];
      const int64_t next = partner < 0 ? own : (own * 2 + numbers[size_t(partner)]) % kModulus;
      meet(step, memory, true, is_aic);
      numbers[size_t(core)] = next;
    }
  });
  outcome.numbers.assign(numbers.begin(), numbers.end());
  for (const Fault& fault : device.faults()) {
    outcome.faults.push_back(to_string(fault.code) + " " + fault.core + " " +
                             std::to_string(fault.block) + " " + std::to_string(fault.count));
  }
  return outcome;
}

// Each way has flags of its own: on one core a flag must not change its mode while others may still
// be behind.
uint16_t draw_flag(Way way, std::mt19937_64& random) {
  switch (way) {
    case Way::kAicFlags: return uint16_t(random() % 3);
    case Way::kAivFlags: return uint16_t(3 + random() % 3);
    case Way::kBlockFlags: return uint16_t(6 + random() % 3);
    case Way::kFromAic: return 9;                 // and 10
    default: return uint16_t(11 + random() % 3);  // and the one behind it
  }
}

Program draw(std::mt19937_64& random) {
  const auto below = [&](uint64_t end) { return int64_t(random() % end); };
  Program program;
  do {
    program.grid = {1 + below(24), int(below(2)), int(below(3))};
  } while (program.grid.cores() < 2 || program.grid.is_whole());
  std::vector<Way> ways;
  for (int i = 0; i < kWays; ++i) {
    const Way way = Way(i);
    const bool pairs = way == Way::kFromAic || way == Way::kToAic;
    const bool is_possible =
        pairs ? program.grid.aic * program.grid.aiv > 0
        // AIVs alone would wait for an AIC.
        : way == Way::kAllMeet || way == Way::kAicFlags ? program.grid.aic > 0
        // What IBSet's page asks for is 32 bytes for each of GetBlockNum() cores.
        : way == Way::kEvents ? program.grid.aiv == 1 && program.grid.blocks > 1
                              : program.grid.aiv > 0;
    if (is_possible) ways.push_back(way);
  }
  program.steps.resize(size_t(1 + below(8)));
  for (Step& step : program.steps) {
    step.way = ways[size_t(below(ways.size()))];
    step.flag = draw_flag(step.way, random);
  }
  return program;
}

int programs() {
  const char* more = std::getenv("VINCI_MORE");
  return std::max(1, int(40 * (more == nullptr ? 1.0 : std::atof(more))));
}

TEST(CrossCoreRandom, ProgramsEndWithTheNumbersThatTheyMust) {
  std::mt19937_64 random(15);
  for (int i = 0; i < programs() && !HasFailure(); ++i) {
    const Program program = draw(random);
    for (const int threads : kNumbersOfThreads) {
      const Outcome outcome = run(program, threads);
      EXPECT_TRUE(outcome.finished) << i;
      EXPECT_EQ(outcome.faults, std::vector<std::string>{}) << i;
      EXPECT_EQ(outcome.numbers, expected(program)) << i;
    }
  }
}

TEST(CrossCoreRandom, ASetThatIsMissingIsADeadlock) {
  std::mt19937_64 random(16);
  for (int i = 0; i < programs() && !HasFailure(); ++i) {
    Program program = draw(random);
    program.lazy_step = random() % program.steps.size();
    const Way way = program.steps[program.lazy_step].way;
    std::vector<int64_t> able;
    for (int64_t core = 0; core < program.grid.cores(); ++core) {
      if (program.takes_part(core, way)) able.push_back(core);
    }
    program.lazy_core = able[random() % able.size()];
    const bool alone = able.size() == 1 && (way == Way::kVectorsMeet || way == Way::kWorkspace);
    const Outcome one = run(program, 1);
    EXPECT_EQ(one.finished, alone) << i << " way " << int(way);
    EXPECT_EQ(one.faults.empty(), alone) << i;
    for (const std::string& fault : one.faults) {
      EXPECT_TRUE(fault.starts_with("V4005") || fault.starts_with("V4006")) << fault;
    }
    // The numbers are not compared: the lazy core reads them too early.
    for (const int threads : {2, 8}) {
      const Outcome several = run(program, threads);
      EXPECT_EQ(several.finished, one.finished) << i;
      EXPECT_EQ(several.faults, one.faults) << i;
    }
  }
}

}  // namespace
}  // namespace vinci
