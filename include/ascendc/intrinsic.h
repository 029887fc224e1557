// The functions in small letters that kernels call beside Ascend C. Pointers into UB are those that
// GetPhyAddr gives, or offsets.
#pragma once

#include "ascendc/atomic.h"
#include "ascendc/data_copy_pad.h"
#include "ascendc/mask.h"
#include "ascendc/reduce.h"
#include "ascendc/sync.h"
#include "vinci/combined_type.h"
#include "vinci/record/atomic_op.h"

namespace vinci::isa {
extern const Instruction set_atomic_op;
}  // namespace vinci::isa

namespace AscendC {
namespace in_api {

template <class T>
vinci::Operand ub_at(const T* pointer) {
  vinci::Operand operand = vinci::ub_tensor(reinterpret_cast<uintptr_t>(pointer));
  operand.dtype = vinci::dtype_of<T>;
  return operand;
}
// uint8_t stands for what a pointer without a type points to.
inline vinci::Operand ub_at(const void* pointer) {
  return ub_at(static_cast<const uint8_t*>(pointer));
}
// A pointer without a type, for a copy into GM.
inline vinci::Operand combined(vinci::Operand operand) {
  operand.dtype = vinci::combined_type();
  return operand;
}
inline vinci::Operand gm_at(const void* pointer, vinci::DType type) {
  return {reinterpret_cast<uintptr_t>(pointer), vinci::kUnknownExtent, 0, TPosition::GM, type};
}

template <class T>
void copy_aligned(const vinci::Operand& dst, const vinci::Operand& src, uint16_t bursts,
                  uint32_t bytes, uint8_t left, uint8_t right, uint32_t src_gap, uint32_t dst_gap) {
  vinci::DataCopyPadRecord record{
      {&vinci::isa::data_copy_pad}, dst, src, bursts, bytes, src_gap, dst_gap, left, right};
  record.dst.dtype = record.src.dtype = vinci::dtype_of<T>;
  vinci::issue(record);
}

}  // namespace in_api
}  // namespace AscendC

inline void pipe_barrier(pipe_t pipe) {
  vinci::issue(vinci::PipeBarrierRecord{{&vinci::isa::pipe_barrier}, uint32_t(pipe)});
}
inline void set_flag(pipe_t from, pipe_t to, int32_t id) {
  vinci::issue(
      vinci::FlagRecord{{&vinci::isa::set_flag}, AscendC::in_api::event_between(from, to), id});
}
inline void wait_flag(pipe_t from, pipe_t to, int32_t id) {
  vinci::issue(
      vinci::FlagRecord{{&vinci::isa::wait_flag}, AscendC::in_api::event_between(from, to), id});
}

inline void set_mask_norm() { AscendC::SetMaskNorm(); }
inline void set_mask_count() { AscendC::SetMaskCount(); }
// Lanes 64..127, and 0..63 or the number of elements.
inline void set_vector_mask(uint64_t high, uint64_t low) {
  AscendC::SetVectorMask<uint8_t>(high, low);
}

// How copies into GM combine with what is there, and in which type.
inline void set_atomic_add() {
  vinci::issue(vinci::SetAtomicOpRecord{{&vinci::isa::set_atomic_op}, 1});
}
inline void set_atomic_max() {
  vinci::issue(vinci::SetAtomicOpRecord{{&vinci::isa::set_atomic_op}, 2});
}
inline void set_atomic_min() {
  vinci::issue(vinci::SetAtomicOpRecord{{&vinci::isa::set_atomic_op}, 3});
}
inline void set_atomic_f32() { AscendC::SetAtomicType<float>(); }
inline void set_atomic_f16() { AscendC::SetAtomicType<half>(); }
inline void set_atomic_bf16() { AscendC::SetAtomicType<bfloat16_t>(); }
inline void set_atomic_s32() { AscendC::SetAtomicType<int32_t>(); }
inline void set_atomic_s16() { AscendC::SetAtomicType<int16_t>(); }
inline void set_atomic_s8() { AscendC::SetAtomicType<int8_t>(); }
inline void set_atomic_none() { AscendC::DisableDmaAtomic(); }

// The number itself.
constexpr uint64_t get_imm(uint64_t number) { return number; }

// Sums of repeats, with the lanes of MASK; strides as WholeReduceSum's. `toRegister`: the sum of
// all of them is what get_acc_val() gives, and dst is nothing.
template <class T>
void vcadd(__ubuf__ T* dst, __ubuf__ T* src, uint8_t repeat, uint16_t dstRepeatStride,
           uint16_t srcBlockStride, uint16_t srcRepeatStride, bool toRegister = false) {
  using namespace AscendC;
  if (toRegister) {
    return in_api::issue_reduce(
        vinci::isa::sum_in_register, LocalTensor<T>(), LocalTensor<T>(in_api::ub_at(src)),
        in_api::reduced(int32_t(0), repeat, false), 1, srcBlockStride, srcRepeatStride);
  }
  WholeReduceSum<T, false>(LocalTensor<T>(in_api::ub_at(dst)), LocalTensor<T>(in_api::ub_at(src)),
                           int32_t(0), repeat, dstRepeatStride, srcBlockStride, srcRepeatStride);
}

template <class T>
void vcadd(std::nullptr_t, __ubuf__ T* src, uint8_t repeat, uint16_t dstRepeatStride,
           uint16_t srcBlockStride, uint16_t srcRepeatStride, bool toRegister) {
  vcadd(static_cast<__ubuf__ T*>(nullptr), src, repeat, dstRepeatStride, srcBlockStride,
        srcRepeatStride, toRegister);
}
inline int64_t get_acc_val() { return AscendC::GetAccVal(); }

// Bursts of datablocks; the gaps are datablocks too.
inline void copy_gm_to_ubuf(__ubuf__ void* dst, __gm__ void* src, uint8_t, uint16_t bursts,
                            uint16_t blocks, uint16_t srcGap, uint16_t dstGap) {
  AscendC::in_api::copy_bursts(AscendC::in_api::ub_at(dst),
                               AscendC::in_api::gm_at(src, vinci::DType::kUint8),
                               {bursts, blocks, srcGap, dstGap});
}
inline void copy_ubuf_to_gm(__gm__ void* dst, __ubuf__ void* src, uint8_t, uint16_t bursts,
                            uint16_t blocks, uint16_t srcGap, uint16_t dstGap) {
  using namespace AscendC::in_api;
  copy_bursts(combined(gm_at(dst, vinci::DType::kUint8)), combined(ub_at(src)),
              {bursts, blocks, srcGap, dstGap});
}

// Bursts of bytes, as DataCopyPad's: the gap in UB counts datablocks, in GM bytes.
#define VINCI_ALIGNED_COPIES(bits)                                                             \
  inline void copy_gm_to_ubuf_align_b##bits(__ubuf__ void* dst, __gm__ void* src, uint8_t,     \
                                            uint16_t bursts, uint32_t bytes, uint8_t left,     \
                                            uint8_t right, uint32_t gmGap, uint32_t ubGap) {   \
    AscendC::in_api::copy_aligned<uint##bits##_t>(                                             \
        AscendC::in_api::ub_at(dst), AscendC::in_api::gm_at(src, vinci::DType::kNone), bursts, \
        bytes, left, right, gmGap, ubGap);                                                     \
  }                                                                                            \
  inline void copy_ubuf_to_gm_align_b##bits(__gm__ void* dst, __ubuf__ void* src, uint8_t,     \
                                            uint16_t bursts, uint32_t bytes, uint8_t, uint8_t, \
                                            uint32_t ubGap, uint32_t gmGap) {                  \
    AscendC::in_api::copy_aligned<uint##bits##_t>(                                             \
        AscendC::in_api::gm_at(dst, vinci::DType::kNone), AscendC::in_api::ub_at(src), bursts, \
        bytes, 0, 0, ubGap, gmGap);                                                            \
  }
VINCI_ALIGNED_COPIES(8)
VINCI_ALIGNED_COPIES(16)
VINCI_ALIGNED_COPIES(32)
#undef VINCI_ALIGNED_COPIES
