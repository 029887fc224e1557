// Judging a call before it runs.
#include "tik/judge.h"

#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

namespace vinci::tik {
namespace {

// A core to ask. Nothing runs on it, so one serves all questions about a chip.
struct Bench {
  explicit Bench(const Soc& soc)
      : core(soc, gm, CheckLevel::kBasic, [this](const Fault& fault) {
          if (fault.code == Code::kOverlap) overlaps.push_back(text_of(fault));
          return true;
        }) {
    core.begin_block({});
  }
  // Without the call's name.
  static std::string text_of(const Fault& fault) {
    const size_t behind = fault.message.find(": ");
    return behind == fault.message.npos ? fault.message : fault.message.substr(behind + 2);
  }
  std::vector<std::string> overlaps;
  GlobalMemory gm;
  Core core;
};

Bench& bench_of(const std::string& name) {
  static auto* const kBenches = new std::map<const Soc*, std::unique_ptr<Bench>>;
  const Soc* soc = find_soc(name);
  if (soc == nullptr) throw std::invalid_argument("vinci has no chip " + name);
  std::unique_ptr<Bench>& bench = (*kBenches)[soc];
  if (bench == nullptr) bench = std::make_unique<Bench>(*soc);
  bench->overlaps.clear();
  return *bench;
}

// Where no memory is: GM is not looked into before it runs. Aligned as any rule may ask.
constexpr uintptr_t kNowhere = uintptr_t{1} << 44, kApart = uintptr_t{1} << 42;

GmArrays gm_of(const Program& program) {
  GmArrays arrays(program.buffers.size());
  uintptr_t at = kNowhere;
  for (size_t i = 0; i < arrays.size(); ++i, at += kApart) {
    const BufferInfo& info = program.buffers[i];
    if (info.position != Position::GM) continue;
    const auto elements = uint64_t(to_int64(program.expressions.evaluate(info.elements, {})));
    const uint64_t bytes = bytes_of(info.dtype, elements);
    arrays[i] = {{reinterpret_cast<uint8_t*>(at), bytes, bytes}};
  }
  return arrays;
}

}  // namespace

Judgement judge(const std::string& json) {
  const Program program(json);
  if (program.calls.size() != 1 || program.commands.size() != 2 || !program.scalars.empty()) {
    throw BadStatements("a file that is not one call without scalars");  // the end is a command too
  }
  const GmArrays gm = gm_of(program);
  Bench& bench = bench_of(program.soc);
  std::vector<Reach> reaches = Machine(program, gm, {}).reaches(bench.core);
  return {std::move(reaches), bench.overlaps};
}

}  // namespace vinci::tik
