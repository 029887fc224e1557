// Judging a call before it runs.
#include "tik/judge.h"

#include <map>
#include <memory>
#include <stdexcept>

namespace vinci::tik {
namespace {

// A core to ask. Nothing runs on it, so one serves all questions about a chip.
struct Bench {
  explicit Bench(const Soc& soc)
      : core(soc, gm, CheckLevel::kBasic, [](const Fault&) { return true; }) {
    core.begin_block({});
  }
  GlobalMemory gm;
  Core core;
};

Core& core_of(const std::string& name) {
  static auto* const kBenches = new std::map<const Soc*, std::unique_ptr<Bench>>;
  const Soc* soc = find_soc(name);
  if (soc == nullptr) throw std::invalid_argument("vinci has no chip " + name);
  std::unique_ptr<Bench>& bench = (*kBenches)[soc];
  if (bench == nullptr) bench = std::make_unique<Bench>(*soc);
  return bench->core;
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

std::vector<Overreach> overreaches_of(const std::string& json) {
  const Program program(json);
  if (program.calls.size() != 1 || program.commands.size() != 2 || !program.scalars.empty()) {
    throw BadStatements("a file that is not one call without scalars");  // the end is a command too
  }
  const GmArrays gm = gm_of(program);
  return Machine(program, gm, {}).overreaches(core_of(program.soc));
}

}  // namespace vinci::tik
