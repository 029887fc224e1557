// Copies into GM that combine with what is there: SetAtomicAdd, SetAtomicMax, SetAtomicMin,
// SetAtomicType, SetStoreAtomicConfig, and DisableDmaAtomic, which ends it.
#pragma once

#include "ascendc/number.h"
#include "vinci/record/move.h"

namespace vinci::isa {
extern const Instruction disable_dma_atomic, set_atomic_add, set_atomic_max, set_atomic_min,
    set_atomic_type, set_store_atomic_config;
}  // namespace vinci::isa

namespace AscendC {

// Until DisableDmaAtomic, DataCopy, DataCopyPad and Fixpipe into GM write GM + data, the larger,
// the smaller of the two, in T.
template <class T>
void SetAtomicAdd() {
  vinci::issue(vinci::SetAtomicRecord{{&vinci::isa::set_atomic_add}, vinci::dtype_of<T>});
}
template <class T>
void SetAtomicMax() {
  vinci::issue(vinci::SetAtomicRecord{{&vinci::isa::set_atomic_max}, vinci::dtype_of<T>});
}
template <class T>
void SetAtomicMin() {
  vinci::issue(vinci::SetAtomicRecord{{&vinci::isa::set_atomic_min}, vinci::dtype_of<T>});
}
// Only the type.
template <class T>
void SetAtomicType() {
  vinci::issue(vinci::SetAtomicRecord{{&vinci::isa::set_atomic_type}, vinci::dtype_of<T>});
}

enum class AtomicDtype {
  ATOMIC_NONE = 0,
  ATOMIC_F32,
  ATOMIC_F16,
  ATOMIC_S16,
  ATOMIC_S32,
  ATOMIC_S8,
  ATOMIC_BF16
};
enum class AtomicOp { ATOMIC_SUM = 0 };

inline void DisableDmaAtomic() { vinci::issue(vinci::Record{&vinci::isa::disable_dma_atomic}); }

// As SetAtomicAdd does, or DisableDmaAtomic, with the type as a number.
template <AtomicDtype type, AtomicOp op>
void SetStoreAtomicConfig() {
  static_assert(op == AtomicOp::ATOMIC_SUM, "copies add, or do not combine");
  using Type = vinci::DType;
  constexpr Type kTypes[] = {Type::kNone,  Type::kFloat, Type::kHalf,    Type::kInt16,
                             Type::kInt32, Type::kInt8,  Type::kBfloat16};
  if constexpr (type == AtomicDtype::ATOMIC_NONE) {
    DisableDmaAtomic();
  } else {
    vinci::issue(
        vinci::SetAtomicRecord{{&vinci::isa::set_store_atomic_config}, kTypes[int(type)]});
  }
}
// The numbers that are set: of the type, 0 if copies do not combine, and of the sum.
inline void GetStoreAtomicConfig(uint16_t& atomicType, uint16_t& atomicOp) {
  atomicType = vinci::store_atomic_type();
  atomicOp = uint16_t(AtomicOp::ATOMIC_SUM);
}

// The older name.
inline void SetAtomicNone() { DisableDmaAtomic(); }

}  // namespace AscendC
