// The C interface of Ascend C for the 2201 generation, as far as vector kernels need it: pointers
// into UB and GM where kernel_operator.h has tensors. vinci's compiler driver makes room in UB for
// `__ubuf__ float name[64];`.
//
// What computes comes in three forms: on `count` elements; on repeats, with the lanes of MASK and
// strides in datablocks; and, with _sync in its name, the first with a barrier for all pipes behind
// it.
#pragma once

#include "kernel_operator.h"

#if defined(__NPU_ARCH__) && __NPU_ARCH__ != 2201
#error "c_api/asc_simd.h: of the chips that vinci has, those of dav-2201 have the C interface"
#endif

namespace vinci::asc {

using AscendC::RoundMode;
using Strides = AscendC::UnaryRepeatParams;

template <class T>
AscendC::LocalTensor<T> at(__ubuf__ T* pointer) {
  return AscendC::LocalTensor<T>(AscendC::in_api::ub_at(pointer));
}
// The lanes of MASK.
inline Lanes masked(int32_t repeat) { return lanes_continuous(0, repeat, false); }

// What the functions of a kind do: on so many elements, and on repeats.
template <const Instruction& instruction>
struct OfTwo {
  template <class T, class U>
  static void call(T* dst, U* src0, U* src1, uint32_t count) {
    issue(AscendC::in_api::binary_record(instruction, at(dst), at(src0), at(src1),
                                         lanes_count(count), {}));
  }
  template <class T, class U>
  static void call(T* dst, U* src0, U* src1, int32_t repeat, uint16_t dst_block_stride,
                   uint16_t src0_block_stride, uint16_t src1_block_stride,
                   uint16_t dst_repeat_stride, uint16_t src0_repeat_stride,
                   uint16_t src1_repeat_stride) {
    issue(AscendC::in_api::binary_record(
        instruction, at(dst), at(src0), at(src1), masked(repeat),
        {dst_block_stride, src0_block_stride, src1_block_stride, dst_repeat_stride,
         src0_repeat_stride, src1_repeat_stride}));
  }
};

template <const Instruction& instruction>
struct OfOne {
  template <class T>
  static void make(T* dst, T* src, const Lanes& lanes, const Strides& strides) {
    issue(AscendC::in_api::unary_record(instruction, at(dst), at(src), lanes, strides));
  }
};
template <RoundMode mode>
struct Conversion {
  template <class T, class U>
  static void make(T* dst, U* src, const Lanes& lanes, const Strides& strides) {
    AscendC::in_api::issue_cast(at(dst), at(src), mode, lanes, strides);
  }
};
template <const Instruction& instruction>
struct WithScalar {
  template <class T, class U>
  static void make(T* dst, U* src, const Lanes& lanes, const Strides& strides,
                   AscendC::in_api::as_is<U> value) {
    issue(AscendC::in_api::scalar_record(instruction, at(dst), at(src), value, lanes, strides));
  }
};
template <bool round>
struct ShiftRight {
  template <class T>
  static void make(T* dst, T* src, const Lanes& lanes, const Strides& strides,
                   AscendC::in_api::as_is<T> value) {
    ShiftRecord record{
        AscendC::in_api::scalar_record(isa::shift_right, at(dst), at(src), value, lanes, strides)};
    record.round = round;
    issue(record);
  }
};

// Those of one source, with `make` of its kind.
template <class Kind>
struct From {
  template <class T, class U>
  static void call(T* dst, U* src, uint32_t count) {
    Kind::make(dst, src, lanes_count(count), Strides());
  }
  template <class T, class U>
  static void call(T* dst, U* src, int32_t repeat, uint16_t dst_block_stride,
                   uint16_t src_block_stride, uint16_t dst_repeat_stride,
                   uint16_t src_repeat_stride) {
    Kind::make(dst, src, masked(repeat),
               Strides(dst_block_stride, src_block_stride, dst_repeat_stride, src_repeat_stride));
  }
  template <class T, class U, class S>
  static void call(T* dst, U* src, S value, uint32_t count) {
    Kind::make(dst, src, lanes_count(count), Strides(), value);
  }
  template <class T, class U, class S>
  static void call(T* dst, U* src, S value, int32_t repeat, uint16_t dst_block_stride,
                   uint16_t src_block_stride, uint16_t dst_repeat_stride,
                   uint16_t src_repeat_stride) {
    Kind::make(dst, src, masked(repeat),
               Strides(dst_block_stride, src_block_stride, dst_repeat_stride, src_repeat_stride),
               value);
  }
};

struct Duplicate {
  template <class T>
  static void call(T* dst, AscendC::in_api::as_is<T> src, uint32_t count) {
    AscendC::in_api::issue_from_scalar(isa::duplicate, at(dst), src, lanes_count(count), {1, 8});
  }
  template <class T>
  static void call(T* dst, AscendC::in_api::as_is<T> src, int32_t repeat, uint16_t dst_block_stride,
                   uint16_t dst_repeat_stride) {
    AscendC::in_api::issue_from_scalar(isa::duplicate, at(dst), src, masked(repeat),
                                       {dst_block_stride, dst_repeat_stride});
  }
};

struct Brcb {
  template <class T>
  static void call(T* dst, T* src, uint16_t dst_block_stride, uint16_t dst_repeat_stride,
                   uint8_t repeat) {
    AscendC::Brcb(at(dst), at(src), repeat, {dst_block_stride, dst_repeat_stride});
  }
};

// Of repeats alone; the elements that a count says are one repeat in Counter mode.
template <const Instruction& instruction,
          AscendC::ReduceOrder order = AscendC::ReduceOrder::ORDER_VALUE_INDEX>
struct Reduction {
  template <class T>
  static void call(T* dst, T* src, int32_t repeat, uint16_t dst_repeat_stride,
                   uint16_t src_block_stride, uint16_t src_repeat_stride) {
    AscendC::in_api::issue_reduce(instruction, at(dst), at(src), masked(repeat), dst_repeat_stride,
                                  src_block_stride, src_repeat_stride, order);
  }
  template <class T>
  static void call(T* dst, T* src, uint32_t count) {
    AscendC::SetMaskCount();
    AscendC::SetVectorMask<T, AscendC::MaskMode::COUNTER>(0, count);
    call(dst, src, 1, 1, 1, 8);
    AscendC::SetMaskNorm();
    AscendC::ResetMask();
  }
};

struct IntoUb {
  static Operand dst(void* pointer) { return AscendC::in_api::ub_at(pointer); }
  static Operand src(void* pointer) { return AscendC::in_api::gm_at(pointer, DType::kUint8); }
};
struct OutOfUb {
  static Operand dst(void* pointer) {
    return AscendC::in_api::combined(AscendC::in_api::gm_at(pointer, DType::kUint8));
  }
  static Operand src(void* pointer) {
    return AscendC::in_api::combined(AscendC::in_api::ub_at(pointer));
  }
};
struct InsideUb {
  static Operand dst(void* pointer) { return AscendC::in_api::ub_at(pointer); }
  static Operand src(void* pointer) { return AscendC::in_api::ub_at(pointer); }
};

// Bursts of datablocks, or so many bytes, which are whole datablocks.
template <class Way>
struct Copy {
  static void call(void* dst, void* src, uint16_t n_burst, uint16_t len_burst, uint16_t src_gap,
                   uint16_t dst_gap) {
    AscendC::in_api::copy_bursts(Way::dst(dst), Way::src(src),
                                 {n_burst, len_burst, src_gap, dst_gap});
  }
  static void call(void* dst, void* src, uint32_t size) {
    const Operand to = Way::dst(dst);
    AscendC::in_api::copy_count(to, Way::src(src), uint32_t(size / bytes_of(to.dtype, 1)));
  }
};
// Bursts of bytes: the gap in UB counts datablocks, in GM bytes.
template <class Way>
struct CopyAligned {
  template <class T>
  static void call(T* dst, T* src, uint16_t n_burst, uint32_t len_burst, uint8_t left_padding_num,
                   uint8_t right_padding_num, uint32_t src_gap, uint32_t dst_gap) {
    AscendC::in_api::copy_aligned<T>(Way::dst(dst), Way::src(src), n_burst, len_burst,
                                     left_padding_num, right_padding_num, src_gap, dst_gap);
  }
  template <class T>
  static void call(T* dst, T* src, uint32_t size) {
    call(dst, src, 1, size, 0, 0, 0, 0);
  }
};

}  // namespace vinci::asc

inline void asc_init() { AscendC::InitSocState(); }

// Waiting.
inline void asc_sync_pipe(pipe_t pipe) { pipe_barrier(pipe); }
inline void asc_sync() { pipe_barrier(PIPE_ALL); }
inline void asc_sync_vec() { pipe_barrier(PIPE_V); }
inline void asc_sync_mte2(int) { pipe_barrier(PIPE_MTE2); }
inline void asc_sync_mte3(int) { pipe_barrier(PIPE_MTE3); }
inline void asc_sync_notify(pipe_t pipe, pipe_t tpipe, event_t id) { set_flag(pipe, tpipe, id); }
inline void asc_sync_wait(pipe_t pipe, pipe_t tpipe, event_t id) { wait_flag(pipe, tpipe, id); }
inline void asc_sync_data_barrier(mem_dsb_t what) { dsb(what); }
// Between cores: those of a launch, the vector cores of a block, both kinds in a block.
#define VINCI_ASC_BETWEEN(name, mode)                                             \
  inline void asc_sync_##name##_arrive(pipe_t pipe, int64_t flag_id) {            \
    ffts_cross_core_sync(pipe, 1 | uint64_t(mode) << 4 | uint64_t(flag_id) << 8); \
  }                                                                               \
  inline void asc_sync_##name##_wait(pipe_t, int64_t flag_id) { wait_flag_dev(flag_id); }
VINCI_ASC_BETWEEN(inter, 0)
VINCI_ASC_BETWEEN(subblock, 1)
VINCI_ASC_BETWEEN(block, 2)
#undef VINCI_ASC_BETWEEN

// Who and where the core is.
inline int64_t asc_get_block_idx() { return get_block_idx(); }
inline int64_t asc_get_block_num() { return get_block_num(); }
inline int64_t asc_get_sub_block_id() { return get_subblockid(); }
inline int64_t asc_get_sub_block_num() { return get_subblockdim(); }
inline int64_t asc_get_system_cycle() { return AscendC::GetSystemCycle(); }
inline int64_t asc_get_program_counter() { return AscendC::GetProgramCounter(); }
inline void asc_get_arch_ver(uint32_t& core_version) { AscendC::GetArchVersion(core_version); }
inline void asc_set_ffts_base_addr(uint64_t config) { set_ffts_base_addr(config); }

// Numbers.
inline int64_t asc_ffs(uint64_t value) { return AscendC::ScalarGetSFFValue<1>(value); }
inline int64_t asc_ffz(uint64_t value) { return AscendC::ScalarGetSFFValue<0>(value); }
inline int64_t asc_popc(uint64_t value) { return AscendC::ScalarGetCountOfValue<1>(value); }
inline int64_t asc_zero_bits_cnt(uint64_t value) {
  return AscendC::ScalarGetCountOfValue<0>(value);
}
inline int64_t asc_clz(uint64_t value_in) { return AscendC::ScalarCountLeadingZero(value_in); }
inline int64_t asc_sflbits(int64_t value) { return AscendC::CountBitsCntSameAsSignBit(value); }
inline uint64_t asc_set_nthbit(uint64_t bits, int64_t idx) { return bits | uint64_t(1) << idx; }
inline uint64_t asc_clear_nthbit(uint64_t bits, int64_t idx) {
  return bits & ~(uint64_t(1) << idx);
}

// The register MASK.
inline void asc_set_mask_count() { set_mask_count(); }
inline void asc_set_mask_norm() { set_mask_norm(); }
inline void asc_set_vector_mask(uint64_t mask1, uint64_t mask0) { set_vector_mask(mask1, mask0); }

// Copies into GM that combine with what is there.
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

// asc_<name>, and asc_<name>_sync.
#define VINCI_ASC(name, ...)                       \
  template <class... Arguments>                    \
  void asc_##name(Arguments... arguments) {        \
    vinci::asc::__VA_ARGS__::call(arguments...);   \
  }                                                \
  template <class... Arguments>                    \
  void asc_##name##_sync(Arguments... arguments) { \
    vinci::asc::__VA_ARGS__::call(arguments...);   \
    asc_sync();                                    \
  }
VINCI_ASC(copy_gm2ub, Copy<vinci::asc::IntoUb>)
VINCI_ASC(copy_ub2gm, Copy<vinci::asc::OutOfUb>)
VINCI_ASC(copy_ub2ub, Copy<vinci::asc::InsideUb>)
VINCI_ASC(copy_gm2ub_align, CopyAligned<vinci::asc::IntoUb>)
VINCI_ASC(copy_ub2gm_align, CopyAligned<vinci::asc::OutOfUb>)

VINCI_ASC(add, OfTwo<vinci::isa::add>)
VINCI_ASC(add_relu, OfTwo<vinci::isa::add_relu>)
VINCI_ASC(and, OfTwo<vinci::isa::bitwise_and>)
VINCI_ASC(div, OfTwo<vinci::isa::div>)
VINCI_ASC(fma, OfTwo<vinci::isa::mul_add_dst>)
VINCI_ASC(max, OfTwo<vinci::isa::max>)
VINCI_ASC(min, OfTwo<vinci::isa::min>)
VINCI_ASC(mul, OfTwo<vinci::isa::mul>)
VINCI_ASC(mul_add, OfTwo<vinci::isa::fused_mul_add>)
VINCI_ASC(mul_add_relu, OfTwo<vinci::isa::fused_mul_add_relu>)
VINCI_ASC(mul_cast_half2int8, OfTwo<vinci::isa::mul_cast>)
VINCI_ASC(mul_cast_half2uint8, OfTwo<vinci::isa::mul_cast>)
VINCI_ASC(or, OfTwo<vinci::isa::bitwise_or>)
VINCI_ASC(sub, OfTwo<vinci::isa::sub>)
VINCI_ASC(sub_relu, OfTwo<vinci::isa::sub_relu>)

VINCI_ASC(abs, From<vinci::asc::OfOne<vinci::isa::abs>>)
VINCI_ASC(exp, From<vinci::asc::OfOne<vinci::isa::exp>>)
VINCI_ASC(log, From<vinci::asc::OfOne<vinci::isa::ln>>)
VINCI_ASC(not, From<vinci::asc::OfOne<vinci::isa::bitwise_not>>)
VINCI_ASC(rcp, From<vinci::asc::OfOne<vinci::isa::reciprocal>>)
VINCI_ASC(relu, From<vinci::asc::OfOne<vinci::isa::relu>>)
VINCI_ASC(rsqrt, From<vinci::asc::OfOne<vinci::isa::rsqrt>>)
VINCI_ASC(sqrt, From<vinci::asc::OfOne<vinci::isa::sqrt>>)

VINCI_ASC(add_scalar, From<vinci::asc::WithScalar<vinci::isa::adds>>)
VINCI_ASC(axpy, From<vinci::asc::WithScalar<vinci::isa::axpy>>)
VINCI_ASC(leakyrelu, From<vinci::asc::WithScalar<vinci::isa::leaky_relu>>)
VINCI_ASC(max_scalar, From<vinci::asc::WithScalar<vinci::isa::maxs>>)
VINCI_ASC(min_scalar, From<vinci::asc::WithScalar<vinci::isa::mins>>)
VINCI_ASC(mul_scalar, From<vinci::asc::WithScalar<vinci::isa::muls>>)
VINCI_ASC(shiftleft, From<vinci::asc::WithScalar<vinci::isa::shift_left>>)
VINCI_ASC(shiftright, From<vinci::asc::ShiftRight<false>>)
VINCI_ASC(shiftright_round, From<vinci::asc::ShiftRight<true>>)
VINCI_ASC(duplicate, Duplicate)
VINCI_ASC(brcb, Brcb)

VINCI_ASC(datablock_reduce_max, Reduction<vinci::isa::block_reduce_max>)
VINCI_ASC(datablock_reduce_min, Reduction<vinci::isa::block_reduce_min>)
VINCI_ASC(datablock_reduce_sum, Reduction<vinci::isa::block_reduce_sum>)
VINCI_ASC(pair_reduce_sum, Reduction<vinci::isa::pair_reduce_sum>)
VINCI_ASC(repeat_reduce_sum, Reduction<vinci::isa::whole_reduce_sum>)

#define VINCI_ASC_ORDER(name, suffix, ORDER) \
  VINCI_ASC(repeat_reduce_##name##_##suffix, \
            Reduction<vinci::isa::whole_reduce_##name, AscendC::ReduceOrder::ORDER>)
// And what the last one found in all its repeats.
#define VINCI_ASC_EXTREME(name)                                             \
  VINCI_ASC_ORDER(name, value_index, ORDER_VALUE_INDEX)                     \
  VINCI_ASC_ORDER(name, index_value, ORDER_INDEX_VALUE)                     \
  VINCI_ASC_ORDER(name, only_value, ORDER_ONLY_VALUE)                       \
  VINCI_ASC_ORDER(name, only_index, ORDER_ONLY_INDEX)                       \
  template <class T>                                                        \
  void asc_get_reduce_##name##_cnt(T& val, uint32_t& index) {               \
    val = AscendC::in_api::reduced_value<T>(vinci::reduced_extreme(index)); \
  }
VINCI_ASC_EXTREME(max)
VINCI_ASC_EXTREME(min)
#undef VINCI_ASC_EXTREME
#undef VINCI_ASC_ORDER

#define VINCI_ASC_CONVERSION(name, MODE) \
  VINCI_ASC(name, From<vinci::asc::Conversion<AscendC::RoundMode::MODE>>)
// To the nearest even number, away from zero in the middle, down, up, towards zero.
#define VINCI_ASC_CONVERSIONS(name)            \
  VINCI_ASC_CONVERSION(name##_rn, CAST_RINT)   \
  VINCI_ASC_CONVERSION(name##_rna, CAST_ROUND) \
  VINCI_ASC_CONVERSION(name##_rd, CAST_FLOOR)  \
  VINCI_ASC_CONVERSION(name##_ru, CAST_CEIL)   \
  VINCI_ASC_CONVERSION(name##_rz, CAST_TRUNC)
VINCI_ASC_CONVERSIONS(bfloat162int32)
VINCI_ASC_CONVERSIONS(float2bfloat16)
VINCI_ASC_CONVERSIONS(float2float)
VINCI_ASC_CONVERSIONS(float2half)
VINCI_ASC_CONVERSIONS(float2int16)
VINCI_ASC_CONVERSIONS(float2int32)
VINCI_ASC_CONVERSIONS(float2int64)
VINCI_ASC_CONVERSIONS(half2int16)
VINCI_ASC_CONVERSIONS(half2int32)
VINCI_ASC_CONVERSIONS(half2int4)
VINCI_ASC_CONVERSIONS(half2int8)
VINCI_ASC_CONVERSIONS(half2uint8)
VINCI_ASC_CONVERSIONS(int162half)
VINCI_ASC_CONVERSIONS(int322float)
VINCI_ASC_CONVERSIONS(int642float)
VINCI_ASC_CONVERSION(bfloat162float, CAST_NONE)
VINCI_ASC_CONVERSION(float2half, CAST_NONE)
VINCI_ASC_CONVERSION(half2float, CAST_NONE)
VINCI_ASC_CONVERSION(half2int4, CAST_NONE)
VINCI_ASC_CONVERSION(half2int8, CAST_NONE)
VINCI_ASC_CONVERSION(half2uint8, CAST_NONE)
VINCI_ASC_CONVERSION(int162float, CAST_NONE)
VINCI_ASC_CONVERSION(int162half, CAST_NONE)
VINCI_ASC_CONVERSION(int322float, CAST_NONE)
VINCI_ASC_CONVERSION(int322int16, CAST_NONE)
VINCI_ASC_CONVERSION(int322int64, CAST_NONE)
VINCI_ASC_CONVERSION(int42half, CAST_NONE)
VINCI_ASC_CONVERSION(int642int32, CAST_NONE)
VINCI_ASC_CONVERSION(int82half, CAST_NONE)
VINCI_ASC_CONVERSION(uint82half, CAST_NONE)
VINCI_ASC_CONVERSION(float2half_ro, CAST_ODD)
#undef VINCI_ASC_CONVERSIONS
#undef VINCI_ASC_CONVERSION
#undef VINCI_ASC
