// Which kind of core this is, where it stands in the launch, and which kinds a kernel is for.
#pragma once

#include <cstdint>

#include "vinci/door.h"

namespace vinci {

// What the source is compiled for. Where nobody says it, a core is whole: matrix and vector half in
// one, which does the work of both.
#if defined(__DAV_CUBE__)
constexpr CoreKind kCompiledFor = CoreKind::kAic;
#elif defined(__DAV_VEC__)
constexpr CoreKind kCompiledFor = CoreKind::kAiv;
#else
constexpr CoreKind kCompiledFor = CoreKind::kWhole;
#endif

// block_idx, block_num and sub_block_idx: numbers of the core that asks.
struct LaunchNumber {
  int64_t (*of_core)();
  operator int64_t() const { return of_core(); }
};

// `split` is "0" on a chip without AICs and AIVs apart.
constexpr bool is_kind(CoreKind kind, const char* split) {
  return kCompiledFor == kind || (kCompiledFor == CoreKind::kWhole && split[0] != '0');
}

}  // namespace vinci

constexpr vinci::LaunchNumber block_idx{vinci::group_index};
constexpr vinci::LaunchNumber block_num{vinci::block_count};
constexpr vinci::LaunchNumber sub_block_idx{[]() -> int64_t { return vinci::sub_block_index(); }};
inline int64_t get_block_idx() { return block_idx; }
inline int64_t get_block_num() { return block_num; }
inline int64_t get_subblockid() { return vinci::sub_block_index(); }
inline int64_t get_subblockdim() { return vinci::sub_block_count(); }

// A whole core is not of one kind.
constexpr int32_t g_coreType = int32_t(vinci::kCompiledFor);

namespace AscendC {

using ::g_coreType;
constexpr int32_t MIX = 0;
constexpr int32_t AIC = 1;
constexpr int32_t AIV = 2;
constexpr int32_t MIX_TYPE = MIX;
constexpr int32_t AIC_TYPE = AIC;
constexpr int32_t AIV_TYPE = AIV;

// Conditions, parentheses included: `if ASCEND_IS_AIC {`. They say what g_coreType says: the cores
// of chips that have no AICs and AIVs apart are neither. But a split chip has no whole cores: one
// that is asked for all the same is an AIC and an AIV.
#define ASCEND_IS_AIC (::vinci::is_kind(::vinci::CoreKind::kAic, VINCI_IS_SPLIT))
#define ASCEND_IS_AIV (::vinci::is_kind(::vinci::CoreKind::kAiv, VINCI_IS_SPLIT))
#define ASCEND_IS_NOT_AIC (!ASCEND_IS_AIC)
#define ASCEND_IS_NOT_AIV (!ASCEND_IS_AIV)
// What the command line says of the chip, as a text. The whole name stands nowhere in this header:
// g++ would not take it compiled beforehand, once for all chips, where the name is a macro.
#define VINCI_IS_SPLIT VINCI_TEXT_OF(VINCI_NAME_OF(VINCI_SPLIT, _CHIP))
#define VINCI_NAME_OF(begin, end) begin##end
#define VINCI_TEXT_OF(macro) VINCI_TEXT_AS_IT_IS(macro)
#define VINCI_TEXT_AS_IT_IS(text) #text

// The number of this core among those of its kind in its block, and how many these are.
inline int64_t GetSubBlockIdx() {
  return vinci::require_split_chip("GetSubBlockIdx") ? vinci::sub_block_index() : 0;
}
inline int64_t GetSubBlockNum() {
  return vinci::require_split_chip("GetSubBlockNum") ? vinci::sub_block_count() : 1;
}
// Cores of this kind to a block.
inline int64_t GetTaskRatio() { return vinci::sub_block_count(); }
inline int64_t GetTaskRation() { return GetTaskRatio(); }  // the older spelling

enum class EngineType : int32_t { AIC = 1, AIV = 2 };

// Calls `function` on cores of this kind only. Whole cores are both here.
template <EngineType engine, auto function, class... Args>
void Async(Args... args) {
  constexpr auto kKind = engine == EngineType::AIC ? vinci::CoreKind::kAic : vinci::CoreKind::kAiv;
  if constexpr (vinci::is_kind(kKind, "1")) function(args...);
}

// The kinds of cores that a kernel runs on.
enum KernelMetaType : uint8_t {
  KERNEL_TYPE_AIV_ONLY,
  KERNEL_TYPE_AIC_ONLY,
  KERNEL_TYPE_MIX_AIV_1_0,
  KERNEL_TYPE_MIX_AIC_1_0,
  KERNEL_TYPE_MIX_AIC_1_1,
  KERNEL_TYPE_MIX_AIC_1_2,
  KERNEL_TYPE_AICORE,
  KERNEL_TYPE_VECTORCORE,
  KERNEL_TYPE_MIX_AICORE,
  KERNEL_TYPE_MIX_VECTOR_CORE,
  KERNEL_TYPE_MAX,
};

}  // namespace AscendC

namespace vinci {

// Statements inside a kernel that say it. Whoever launches finds them in the text.
constexpr void kernel_task_type(AscendC::KernelMetaType) {}
constexpr void kernel_task_type(uint64_t, AscendC::KernelMetaType) {}

}  // namespace vinci

#define KERNEL_TASK_TYPE_DEFAULT(type) ::vinci::kernel_task_type(::AscendC::type)
#define KERNEL_TASK_TYPE(key, type) ::vinci::kernel_task_type(key, ::AscendC::type)
