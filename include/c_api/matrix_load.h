// Fractals into L0A and L0B: plain, transposed, compressed, or gathered from a feature map.
#pragma once

#include "ascendc/load_data.h"
#include "c_api/call.h"

// Registers of the chip: the feature map of 3D loads and their repeats.
union asc_l13d_fmatrix_config {
  uint64_t config = 0;
  struct {
    uint16_t l1_height;
    uint16_t l1_width;
    uint8_t padding_left_size;
    uint8_t padding_right_size;
    uint8_t padding_top_size;
    uint8_t padding_bottom_size;
  };
};
union asc_load3d_v2_config {
  uint64_t config = 0x10000;
  struct {
    uint64_t rpt_stride : 16;
    uint64_t rpt_time : 8;
    uint64_t rpt_mode : 1;
    uint64_t reserved2 : 39;
  };
};

namespace vinci::asc {

using AscendC::TPosition;

template <TPosition to, TPosition from>
struct Load {
  template <class T>
  static void call(T* dst, T* src, uint16_t start_index, uint16_t repeat, uint16_t src_stride,
                   uint16_t dst_gap) {
    AscendC::in_api::load_2d(AscendC::in_api::at(to, dst), AscendC::in_api::at(from, src),
                             {start_index, repeat, src_stride, 0, dst_gap, false, 0});
  }
  // The feature map, the padding and the repeats are in registers.
  template <class T>
  static void call(T* dst, T* src, uint16_t k_extension, uint16_t m_extension, uint16_t k_start_pt,
                   uint16_t m_start_pt, uint8_t stride_w, uint8_t stride_h, uint8_t filter_w,
                   uint8_t filter_h, uint8_t dilation_filter_w, uint8_t dilation_filter_h,
                   bool filter_size_w, bool filter_size_h, bool transpose, bool f_matrix_ctrl,
                   uint16_t channel_size) {
    const auto load = [](auto... arguments) {
      if constexpr (to == TPosition::A2) {
        img2colv2_cbuf_to_ca(arguments...);
      } else {
        img2colv2_cbuf_to_cb(arguments...);
      }
    };
    load(dst, src, k_extension, m_extension, k_start_pt, m_start_pt, stride_w, stride_h, filter_w,
         filter_h, dilation_filter_w, dilation_filter_h, filter_size_w, filter_size_h, transpose,
         f_matrix_ctrl, channel_size);
  }
};
template <TPosition to>
struct LoadFromGm {
  template <class T>
  static void call(T* dst, T* src, uint16_t base_idx, uint16_t repeat, uint16_t src_stride,
                   uint16_t dst_gap) {
    AscendC::in_api::load_2d(AscendC::in_api::at(to, dst), AscendC::in_api::gm_at(src, dtype_of<T>),
                             {base_idx, repeat, src_stride, 0, dst_gap, false, 0});
  }
};
template <TPosition to, TPosition from>
struct LoadTransposed {
  template <class T>
  static void call(T* dst, T* src, uint16_t index_id, uint16_t repeat, uint16_t src_stride,
                   uint16_t dst_gap, bool enable_addr_decrement, uint16_t dst_frac_gap) {
    AscendC::in_api::load_squares("asc_copy_l12l0_trans", AscendC::in_api::at(to, dst),
                                  AscendC::in_api::at(from, src), enable_addr_decrement,
                                  {index_id, uint8_t(repeat), src_stride, dst_gap, dst_frac_gap});
  }
};
struct LoadCompressed {
  static void call(int8_t* dst, int8_t* src, int8_t* index, uint16_t start_index, uint16_t repeat) {
    load_cbuf_to_cb_sp(dst, src, index, start_index, repeat);
  }
};

}  // namespace vinci::asc

VINCI_ASC(copy_gm2l0a, LoadFromGm<vinci::asc::TPosition::A2>)
VINCI_ASC(copy_gm2l0b, LoadFromGm<vinci::asc::TPosition::B2>)
VINCI_ASC(copy_l12l0a, Load<vinci::asc::TPosition::A2, vinci::asc::TPosition::A1>)
VINCI_ASC(copy_l12l0b, Load<vinci::asc::TPosition::B2, vinci::asc::TPosition::B1>)
VINCI_ASC(copy_l12l0a_trans, LoadTransposed<vinci::asc::TPosition::A2, vinci::asc::TPosition::A1>)
VINCI_ASC(copy_l12l0b_trans, LoadTransposed<vinci::asc::TPosition::B2, vinci::asc::TPosition::B1>)
VINCI_ASC(copy_l12l0b_sparse, LoadCompressed)

inline void asc_set_l13d_fmatrix(asc_l13d_fmatrix_config& config) { set_fmatrix(config.config); }
inline void asc_set_l13d_fmatrix_b(asc_l13d_fmatrix_config& config) {
  set_fmatrix_b(config.config);
}
template <class T>
void asc_set_l13d_padding(T config) {
  AscendC::SetLoadDataPaddingValue(config);
}
inline void asc_set_l13d_rpt(asc_load3d_v2_config& config) { set_l3d_rpt(config.config); }
// The bytes of L1 that 3D loads read as a ring; 0: all of it, and no ring.
inline void asc_set_l13d_size(uint64_t value) { AscendC::SetLoadDataBoundary(uint32_t(value)); }
