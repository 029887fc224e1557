// cube_group: a core makes a handle of a group of AICs and of the queues that they serve.
//
// Sources and decisions: docs/spec/cube_group.md.
#include <algorithm>

#include "isa/sync/cube_message.h"
#include "soc/communication.h"

namespace vinci::isa {
namespace {

constexpr std::string_view kApi = "CreateCubeResGroup";

void expect(Core& core, bool holds, Code code, std::string_view parameter, uint64_t value,
            std::string legal) {
  if (holds) return;
  sync::refuse(core, code, fmt::format("{}: {} is {}", kApi, parameter, value), std::move(legal));
}

void check_launch(Core& core) {
  if (is_atlas_a3(core.soc())) {
    sync::refuse(core, Code::kSocInstruction, fmt::format("{}: not on Atlas A3", kApi), "Atlas A2");
  }
  const Grid& grid = core.seat().grid;
  if (grid.aic != 0 && grid.aiv != 0) return;
  sync::refuse(core, Code::kCombination,
               fmt::format("{}: the launch does not have both AICs and AIVs", kApi),
               "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2), or --cores mix12");
}

void check_aics(const CubeGroup& group, Core& core) {
  constexpr std::string_view kEven = "an even number: twice that of the AICs";
  expect(core, group.block_start % 2 == 0, Code::kMultiple, "blockStart", group.block_start,
         std::string(kEven));
  expect(core, group.block_size % 2 == 0, Code::kMultiple, "blockSize", group.block_size,
         std::string(kEven));
  expect(core, group.block_size > 0, Code::kRange, "blockSize", 0, "at least 2");
  const int64_t launched = core.block_count() * 2, end = group.block_start + group.block_size;
  expect(core, end <= launched, Code::kRange, "blockStart + blockSize", uint64_t(end),
         fmt::format("at most {}, for the {} AICs of the launch", launched, launched / 2));
  const int64_t most = core.soc().aiv_cores - 1;
  expect(core, end <= most, Code::kRange, "blockStart + blockSize", uint64_t(end),
         fmt::format("at most {}: {} has {} AIVs", most, core.soc().name, core.soc().aiv_cores));
}

void check_queues(const CubeGroup& group, Core& core) {
  const int64_t most = std::min<int64_t>(core.vector_cores(), CubeServer::kMostQueues);
  expect(core, group.queues >= 1 && group.queues <= most, Code::kRange, "msgQueueSize",
         group.queues, fmt::format("1..{}: a queue for each AIV of the launch", most));
  expect(core, (group.aics() - 1) * group.queues_per_aic() < group.queues, Code::kRange,
         "msgQueueSize", group.queues,
         fmt::format("a queue for each of {} AICs, which get {} each while there are some",
                     group.aics(), group.queues_per_aic()));
}

void check_room(const CubeGroup& group, Core& core) {
  constexpr uint64_t kLine = 64;
  expect(core, group.message_bytes % kLine == 0, Code::kMultiple, "the size of a message",
         group.message_bytes, "a multiple of 64 bytes");
  if (group.workspace % kLine != 0) {
    sync::refuse(core, Code::kMisaligned,
                 fmt::format("{}: the workspace is at {:#x}", kApi, group.workspace),
                 "a multiple of 64 bytes");
  }
  const Operand all{group.workspace, kUnknownExtent, 0, Position::GM, DType::kNone};
  if (!sync::has_room(core, "the workspace", all, group.bytes())) core.stop();
}

void act(const CubeHandleRecord& record, Core& core) {
  CubeHandle& handle = *record.handle;
  const CubeGroup& group = handle.group;
  check_launch(core);
  check_aics(group, core);
  check_queues(group, core);
  check_room(group, core);
  expect(core, record.argument >= 0 && record.argument <= 7, Code::kRange, "evtIDIn",
         uint64_t(record.argument), "0..7");
  const int64_t aic = core.kernel_index() - group.block_start / 2;
  const bool serves = core.kind() == CoreKind::kAic && aic >= 0 && aic < group.aics();
  handle.aic = serves ? int16_t(aic) : CubeHandle::kNone;
}

}  // namespace

extern constinit const Instruction cube_group = sync::sync_instruction<CubeHandleRecord, act>(
    "cube_group", "CreateCubeResGroup", sync::kCubeGroupChips);

}  // namespace vinci::isa
