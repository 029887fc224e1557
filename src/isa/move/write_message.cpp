// write_message: what a message of a cube group's queue says, but its head, goes to GM.
//
// Sources and decisions: docs/spec/cube_group.md.
#include <cstring>

#include "core/instruction.h"
#include "core/setter.h"
#include "vinci/record/cube_group.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{kArch2201, setter::kNoElements, true, kAscendC}};
constexpr uint32_t kHead = WriteMessageRecord::kHeadBytes;

Pipe pipe(const WriteMessageRecord& record, const Soc&) {
  return record.by_mte3 ? Pipe::kMte3 : Pipe::kS;
}

void footprint(const WriteMessageRecord& record, Footprint& footprint) {
  footprint.add_bytes(record.message, "msg", Access::kWrite, kHead, record.bytes - kHead);
}

// The source is there as long as this may be held: post_message waits for it.
void run(const WriteMessageRecord& record, const State&, Memory& memory) {
  std::memcpy(memory.data(record.message) + kHead,
              static_cast<const uint8_t*>(record.source) + kHead, record.bytes - kHead);
}

constexpr Functions<WriteMessageRecord> kFunctions{
    .signature = setter::no_elements<WriteMessageRecord>,
    .pipe = pipe,
    .footprint = footprint,
    .run = run};

}  // namespace

extern constinit const Instruction write_message =
    make_instruction<kFunctions>("write_message", "PostMessage", "PostMessage", kSupport);

}  // namespace vinci::isa
