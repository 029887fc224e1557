// Copies into GM that combine with what is there: SetAtomicAdd, SetAtomicMax, SetAtomicMin,
// SetAtomicType, and DisableDmaAtomic, which ends it.
#pragma once

#include "ascendc/number.h"
#include "vinci/record/move.h"

namespace vinci::isa {
extern const Instruction disable_dma_atomic, set_atomic_add, set_atomic_max, set_atomic_min,
    set_atomic_type;
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

inline void DisableDmaAtomic() { vinci::issue(vinci::Record{&vinci::isa::disable_dma_atomic}); }
// The older name.
inline void SetAtomicNone() { DisableDmaAtomic(); }

}  // namespace AscendC
