// Copies into GM that combine with what is there.
#pragma once

#include "ascendc/atomic.h"

#define VINCI_ASC_ATOMIC(name, type)                                         \
  inline void asc_set_atomic_add_##name() { AscendC::SetAtomicAdd<type>(); } \
  inline void asc_set_atomic_max_##name() { AscendC::SetAtomicMax<type>(); } \
  inline void asc_set_atomic_min_##name() { AscendC::SetAtomicMin<type>(); }
VINCI_ASC_ATOMIC(int8, int8_t)
VINCI_ASC_ATOMIC(int16, int16_t)
VINCI_ASC_ATOMIC(int, int32_t)
VINCI_ASC_ATOMIC(bfloat, bfloat16_t)
VINCI_ASC_ATOMIC(float16, half)
VINCI_ASC_ATOMIC(float, float)
#undef VINCI_ASC_ATOMIC
inline void asc_set_atomic_none() { AscendC::DisableDmaAtomic(); }

union asc_store_atomic_config {
  uint64_t config = 0;
  struct {
    uint64_t atomic_type : 3;
    uint64_t atomic_op : 2;
    uint64_t reserved1 : 59;
  };
};

// Numbers of types: 0 (nothing combines), float, half, int16, int32, int8, bfloat16; `op` 0: sums.
inline void asc_set_store_atomic_config_v1(uint16_t type, uint16_t op) {
  using Type = vinci::DType;
  constexpr Type kTypes[] = {Type::kNone,  Type::kFloat, Type::kHalf,    Type::kInt16,
                             Type::kInt32, Type::kInt8,  Type::kBfloat16};
  if (type > 6) {
    vinci::bad_argument("asc_set_store_atomic_config_v1", "type", type, "0..6");
  } else if (op != 0) {
    vinci::bad_argument("asc_set_store_atomic_config_v1", "op", op, "0 (sums)");
  } else if (type == 0) {
    AscendC::DisableDmaAtomic();
  } else {
    vinci::issue(vinci::SetAtomicRecord{{&vinci::isa::set_store_atomic_config}, kTypes[type]});
  }
}
inline void asc_get_store_atomic_config(asc_store_atomic_config& config) {
  config.config = 0;
  config.atomic_type = vinci::store_atomic_type();
}
