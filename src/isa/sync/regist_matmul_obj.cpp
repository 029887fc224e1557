// regist_matmul_obj: in a kernel for AICs and AIVs, an AIC does what the Matmul objects of the AIVs
// of its block want done, until they have ended.
//
// Sources and decisions: docs/spec/matmul.md.
#include "core/core.h"
#include "isa/sync/sync.h"

namespace vinci::isa {
namespace {

void act(const Record&, Core& core) {
  if (core.kind() != CoreKind::kAic) return;
  core.buffers().meet_framework();
  core.serve_posts();
}

}  // namespace

extern constinit const Instruction regist_matmul_obj = sync::sync_instruction<Record, act>(
    "regist_matmul_obj", "REGIST_MATMUL_OBJ", sync::kSplitChips);

}  // namespace vinci::isa
