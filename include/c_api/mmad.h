// Products of matrices. The sizes of A come before B's second: m, k, n.
#pragma once

#include "ascendc/cache.h"
#include "ascendc/mmad.h"
#include "c_api/call.h"

namespace vinci::asc {

struct Product {
  template <class T, class U, class S>
  static void call(T* c_matrix, U* a_matrix, S* b_matrix, uint16_t left_height, uint16_t n_dim,
                   uint16_t right_width, uint8_t unit_flag, bool k_direction_align,
                   bool c_matrix_source, bool c_matrix_init_val) {
    mad(c_matrix, a_matrix, b_matrix, left_height, n_dim, right_width, unit_flag, k_direction_align,
        c_matrix_source, c_matrix_init_val);
  }
  // Offsets of weights no document explains; feat_offset is reserved.
  template <class T, class U, class S>
  static void call(T* c_matrix, U* a_matrix, S* b_matrix, uint16_t left_height, uint16_t n_dim,
                   uint16_t right_width, uint8_t, uint8_t smask_offset, uint8_t unit_flag,
                   bool k_direction_align, bool is_weight_offset, bool c_matrix_source,
                   bool c_matrix_init_val) {
    if (smask_offset != 0 || is_weight_offset) {
      bad_argument("asc_mmad", smask_offset != 0 ? "smask_offset" : "is_weight_offset",
                   smask_offset != 0 ? smask_offset : 1, "0");
      return;
    }
    call(c_matrix, a_matrix, b_matrix, left_height, n_dim, right_width, unit_flag,
         k_direction_align, c_matrix_source, c_matrix_init_val);
  }
};
struct SparseProduct {
  template <class T, class U>
  static void call(T* c, U* a, U* b, uint16_t m, uint16_t k, uint16_t n, uint8_t unit_flag,
                   bool c_matrix_source, bool c_matrix_init_val) {
    mad_sp(c, a, b, m, k, n, unit_flag, c_matrix_source, c_matrix_init_val);
  }
};

}  // namespace vinci::asc

VINCI_ASC(mmad, Product)
VINCI_ASC(mmad_s4, Product)
VINCI_ASC(mmad_sparse, SparseProduct)

inline void asc_enable_hf32() { AscendC::SetHF32Mode(true); }
inline void asc_set_fp32_mode() { AscendC::SetHF32Mode(false); }
// 0: ties to even, 1: as SetHF32TransMode(true).
inline void asc_enable_hf32_trans(uint32_t mode) {
  if (mode > 1) {
    vinci::bad_argument("asc_enable_hf32_trans", "mode", mode, "0, 1");
    return;
  }
  AscendC::SetHF32TransMode(mode == 1);
}
inline void asc_set_mmad_direction_m() { AscendC::SetMMRowMajor(); }
inline void asc_set_mmad_direction_n() { AscendC::SetMMColumnMajor(); }
