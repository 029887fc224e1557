// Into L1 from GM, and out of it to GM, BT, FB and L0C; values into L1, L0A and L0B.
#pragma once

#include "ascendc/aipp.h"
#include "ascendc/fill.h"
#include "c_api/call.h"
#include "c_api/vector_copy.h"

// Bits of a register in the chip: how a value is filled in.
union asc_fill_value_config {
  uint64_t config = 0;
  struct {
    uint64_t repeat : 15;
    uint64_t reserved1 : 1;
    uint64_t blk_num : 15;
    uint64_t reserved2 : 1;
    uint64_t dst_gap : 15;
    uint64_t reserved3 : 17;
  };
};

namespace vinci::isa {
extern const Instruction copy_l1_to_l0c;
}  // namespace vinci::isa

namespace vinci::asc {

using AscendC::TPosition;

struct IntoL1 {
  static Operand dst(void* pointer) { return AscendC::in_api::at(TPosition::A1, pointer); }
  static Operand src(void* pointer) { return AscendC::in_api::gm_at(pointer, DType::kUint8); }
};
struct OutOfL1 {
  static Operand dst(void* pointer) {
    return AscendC::in_api::combined(AscendC::in_api::gm_at(pointer, DType::kUint8));
  }
  static Operand src(void* pointer) {
    return AscendC::in_api::combined(AscendC::in_api::at(TPosition::A1, pointer));
  }
};

// Fractals of 512 bytes, where both pointers have such a type, or bursts or bytes.
template <class T, class... Types>
inline constexpr bool kIsOneOf = (std::is_same_v<T, Types> || ...);

struct CopyToL1 : Copy<IntoL1> {
  using Copy<IntoL1>::call;
  template <class T, class = std::enable_if_t<
                         kIsOneOf<T, bfloat16_t, half, float, int32_t, int8_t, uint32_t, uint8_t>>>
  static void call(T* dst, T* src, uint16_t base_idx, uint16_t repeat, uint16_t src_stride,
                   uint16_t dst_gap) {
    AscendC::in_api::load_2d(AscendC::in_api::at(TPosition::A1, dst),
                             AscendC::in_api::gm_at(src, dtype_of<T>),
                             {base_idx, repeat, src_stride, 0, dst_gap, false, 0});
  }
};

// A few bytes of GM to each datablock, and padding behind them.
template <pad_t mode>
struct PaddedCopy {
  static void call(void* dst, void* src, uint16_t n_burst, uint16_t len_burst, uint16_t src_gap,
                   uint16_t dst_gap) {
    copy_gm_to_cbuf(dst, src, 0, n_burst, len_burst, src_gap, dst_gap, mode);
  }
};
// The first bytes of each datablock of GM; `size` counts all bytes of GM, in one burst.
template <pad_t mode>
struct PackedCopy : PaddedCopy<mode> {
  using PaddedCopy<mode>::call;
  static void call(void* dst, void* src, uint32_t size) {
    constexpr uint32_t kBlock = 32, kMost = 65535 * kBlock;
    if (size % kBlock != 0 || size > kMost) {
      bad_argument("asc_copy_gm2l1_pad6 to _pad8", "size", size, "a multiple of 32 up to 2097120");
      return;
    }
    call(dst, src, 1, uint16_t(size / kBlock), 0, 0);
  }
};

struct RowsToFractals {
  template <class T>
  static void call(T* dst, T* src, uint16_t nd_num, uint16_t n_value, uint16_t d_value,
                   uint16_t src_nd_matrix_stride, uint16_t src_d_value, uint16_t dst_nz_c0_stride,
                   uint16_t dst_nz_n_stride, uint16_t dst_nz_matrix_stride) {
    issue(AscendC::in_api::nd2nz(isa::data_copy_nd2nz, AscendC::in_api::at(TPosition::A1, dst),
                                 AscendC::in_api::gm_at(src, dtype_of<T>),
                                 {nd_num, n_value, d_value, src_nd_matrix_stride, src_d_value,
                                  dst_nz_c0_stride, dst_nz_n_stride, dst_nz_matrix_stride}));
  }
};

// Bias to BT, whose address counts 16 bytes where it is made of a pointer: words unchanged, or half
// to float. As by DataCopy a burst counts 64 bytes.
struct CopyToBias {
  static void call(uint64_t dst, void* src, uint32_t size) {
    const Operand to = AscendC::in_api::in_memory(TPosition::C2, dst, 16, DType::kFloat);
    AscendC::in_api::copy_count(to, AscendC::in_api::at(TPosition::A1, static_cast<float*>(src)),
                                size / uint32_t(sizeof(float)), isa::data_copy_bt);
  }
  static void call(uint64_t dst, void* src, uint16_t conv_control, uint16_t n_burst,
                   uint16_t len_burst, uint16_t source_gap, uint16_t dst_gap) {
    copy_cbuf_to_bt(dst, src, conv_control, n_burst, len_burst, source_gap, dst_gap);
  }
};
// Scales to FB; as by DataCopy a burst counts 128 bytes.
struct CopyToFixpipe {
  static void call(void* dst, void* src, uint32_t size) {
    AscendC::DataCopy(scales(TPosition::C2PIPE2GM, dst), scales(TPosition::A1, src),
                      size / uint32_t(sizeof(uint64_t)));
  }
  static void call(void* dst, void* src, uint16_t n_burst, uint16_t len_burst,
                   uint16_t src_gap_size, uint16_t dst_gap_size) {
    copy_cbuf_to_fbuf(dst, src, n_burst, len_burst, src_gap_size, dst_gap_size);
  }

 private:
  static AscendC::LocalTensor<uint64_t> scales(TPosition position, void* pointer) {
    return at(position, static_cast<uint64_t*>(pointer));
  }
};

// Bursts of datablocks into L0C.
struct CopyToL0C {
  template <class T>
  static void call(T* dst, T* src, uint16_t n_burst, uint16_t len_burst, uint16_t src_gap,
                   uint16_t dst_gap) {
    issue(DataCopyRecord{{&isa::copy_l1_to_l0c},
                         AscendC::in_api::at(TPosition::CO1, dst),
                         AscendC::in_api::at(TPosition::A1, src),
                         false,
                         0,
                         {n_burst, len_burst, src_gap, dst_gap}});
  }
  template <class... Bursts>
  static void call(half*, float*, Bursts...) {
    lacks("asc_copy_l12l0c", "the way from float to half", "one type on both sides");
  }
  template <class... Bursts>
  static void call(bfloat16_t*, float*, Bursts...) {
    lacks("asc_copy_l12l0c", "the way from float to bfloat16_t", "one type on both sides");
  }
};

// The bits of a value, again and again, whatever dst's type.
template <TPosition position>
struct Filling {
  template <class T>
  static void call(T* dst, half value, const asc_fill_value_config& config) {
    fill(dst, value, config);
  }
  template <class T>
  static void call(T* dst, uint32_t value, const asc_fill_value_config& config) {
    fill(dst, value, config);
  }
  static void call(bfloat16_t* dst, bfloat16_t value, const asc_fill_value_config& config) {
    fill(dst, value, config);
  }

 private:
  template <class V>
  static void fill(void* dst, V value, const asc_fill_value_config& config) {
    AscendC::Fill(
        at(position, static_cast<V*>(dst)),
        AscendC::InitConstValueParams<V>(uint16_t(config.repeat), uint16_t(config.blk_num),
                                         uint16_t(config.dst_gap), value));
  }
};

struct Image {
  template <class T>
  static void call(T* dst, uint16_t hor_size, uint16_t ver_size, uint16_t hor_start_pos,
                   uint16_t ver_start_pos, uint16_t src_hor_size, uint8_t top_pad_size,
                   uint8_t bot_pad_size, uint16_t left_pad_size, uint16_t right_pad_size) {
    AscendC::LoadImageToLocal(
        at(TPosition::A1, dst),
        AscendC::LoadImageToLocalParams(hor_size, ver_size, hor_start_pos, ver_start_pos,
                                        src_hor_size, top_pad_size, bot_pad_size,
                                        uint8_t(left_pad_size), uint8_t(right_pad_size)));
  }
};

}  // namespace vinci::asc

VINCI_ASC(copy_gm2l1, CopyToL1)
VINCI_ASC(copy_gm2l1_pad1, PaddedCopy<PAD_MODE1>)
VINCI_ASC(copy_gm2l1_pad2, PaddedCopy<PAD_MODE2>)
VINCI_ASC(copy_gm2l1_pad3, PaddedCopy<PAD_MODE3>)
VINCI_ASC(copy_gm2l1_pad4, PaddedCopy<PAD_MODE4>)
VINCI_ASC(copy_gm2l1_pad5, PaddedCopy<PAD_MODE5>)
VINCI_ASC(copy_gm2l1_pad6, PackedCopy<PAD_MODE6>)
VINCI_ASC(copy_gm2l1_pad7, PackedCopy<PAD_MODE7>)
VINCI_ASC(copy_gm2l1_pad8, PackedCopy<PAD_MODE8>)
VINCI_ASC(copy_gm2l1_nd2nz, RowsToFractals)
VINCI_ASC(copy_l12gm, Copy<vinci::asc::OutOfL1>)
VINCI_ASC(copy_l12bt, CopyToBias)
VINCI_ASC(copy_l12fb, CopyToFixpipe)
VINCI_ASC(copy_l12l0c, CopyToL0C)
VINCI_ASC(fill_l1, Filling<vinci::asc::TPosition::A1>)
VINCI_ASC(fill_l0a, Filling<vinci::asc::TPosition::A2>)
VINCI_ASC(fill_l0b, Filling<vinci::asc::TPosition::B2>)
VINCI_ASC(load_image_to_cbuf, Image)
