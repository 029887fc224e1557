// Out of L0C to GM and L1, converted and re-ordered on the way.
#pragma once

#include "ascendc/fixpipe.h"
#include "c_api/call.h"
#include "c_api/matrix_copy.h"

namespace vinci::asc {

struct ToGm {
  template <class T>
  static Operand dst(T* pointer) {
    return AscendC::in_api::gm_at(pointer, dtype_of<T>);
  }
};
// A pointer without a type is to int4.
struct ToL1 {
  template <class T>
  static Operand dst(T* pointer) {
    return AscendC::in_api::at(TPosition::A1, pointer);
  }
  static Operand dst(void* pointer) { return dst(static_cast<int4b_t*>(pointer)); }
};

// Scales and numbers of matrices come from the registers below.
template <class Way>
struct Fixpipe {
  template <class T, class U>
  static void call(T* dst, U* src, uint16_t n_size, uint16_t m_size, uint32_t dst_stride,
                   uint16_t src_stride, uint8_t unit_flag_mode, uint64_t quant_pre,
                   uint8_t relu_pre, bool channel_split, bool nz2nd_en) {
    AscendC::in_api::copy_matrix_out(Way::dst(dst), src, unit_flag_mode,
                                     {n_size, m_size, dst_stride, src_stride,
                                      QuantMode_t(quant_pre), relu_pre, channel_split, nz2nd_en});
  }
};

}  // namespace vinci::asc

VINCI_ASC(copy_l0c2gm, Fixpipe<vinci::asc::ToGm>)
VINCI_ASC(copy_l0c2l1, Fixpipe<vinci::asc::ToL1>)

// Where in FB a scale for each column lies: a pointer, one divided by 128, or a number of bytes.
inline void asc_set_l0c2gm_config(uint64_t relu_pre, uint64_t quant_pre, bool enable_unit_flag) {
  const auto in_fb = [](uint64_t address) {
    return AscendC::in_api::in_memory(AscendC::TPosition::C2PIPE2GM, address, 128,
                                      vinci::DType::kUint64);
  };
  vinci::issue(vinci::SetFixPipeConfigRecord{{&vinci::isa::set_fix_pipe_config},
                                             relu_pre == 0 ? vinci::Operand{} : in_fb(relu_pre),
                                             in_fb(quant_pre),
                                             enable_unit_flag});
}
inline uint64_t asc_get_l0c2gm_prequant() { return vinci::fixpipe_scales(); }
// No chip here has scales for ReLU.
inline uint64_t asc_get_l0c2gm_relu() { return 0; }
inline uint64_t asc_get_l0c2gm_unitflag() { return vinci::fixpipe_unit_flag(); }

// The scale word of the scalar modes.
inline void asc_set_l0c_copy_prequant(uint64_t config) { AscendC::SetFixpipePreQuantFlag(config); }
inline void asc_set_l0c_copy_params(uint16_t nd_num, uint16_t src_nd_stride,
                                    uint16_t dst_nd_stride) {
  AscendC::SetFixpipeNz2ndFlag(nd_num, src_nd_stride, dst_nd_stride);
}
// Of leaky ReLU, which relu_pre cannot ask for.
inline void asc_set_l0c2gm_lrelu_alpha(half) {}
inline void asc_set_l0c2gm_lrelu_alpha(float) {}
