// hccl_copy: what a communicator's server does of a task, which with one rank is a copy within GM.
//
// Sources and decisions: docs/spec/hccl_copy.md.
#include <cstring>

#include "core/instruction.h"
#include "core/setter.h"
#include "vinci/record/communication.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{kArch2201, setter::kNoElements, true, kAscendC}};

void footprint(const HcclCopyRecord& record, Footprint& footprint) {
  footprint.add_bytes(record.src, "sendBuf", Access::kRead, 0, record.bytes);
  footprint.add_bytes(record.dst, "recvBuf", Access::kWrite, 0, record.bytes);
}

void run(const HcclCopyRecord& record, const State&, Memory& memory) {
  std::memmove(memory.data(record.dst), memory.data(record.src), record.bytes);
}

constexpr Functions<HcclCopyRecord> kFunctions{.signature = setter::no_elements<HcclCopyRecord>,
                                               .pipe = Pipe::kS,
                                               .footprint = footprint,
                                               .run = run,
                                               .moves = true};

}  // namespace

extern constinit const Instruction hccl_copy =
    make_instruction<kFunctions>("hccl_copy", "Hccl", "Hccl", kSupport);

}  // namespace vinci::isa
