// Mmad: the matrix multiplication of the cube unit.
#pragma once

#include "ascendc/tensor.h"
#include "vinci/record/cube.h"

namespace vinci::isa {
extern const Instruction mmad;
extern const Instruction mmad_with_sparse;
extern const Instruction set_hf32_mode;
extern const Instruction set_hf32_trans_mode;
}  // namespace vinci::isa

namespace AscendC {

// C[m x n] (+)= A[m x k] * B[k x n]; m, n, k in 0..4095, any 0 does nothing.
struct MmadParams {
  MmadParams() = default;
  MmadParams(uint16_t m_size, uint16_t n_size, uint16_t k_size, bool bias, int32_t fm_offset,
             bool sparse, bool winograd_a, bool winograd_b)
      : m(m_size),
        n(n_size),
        k(k_size),
        isBias(bias),
        fmOffset(fm_offset),
        enSsparse(sparse),
        enWinogradA(winograd_a),
        enWinogradB(winograd_b) {}
  MmadParams(uint16_t m_size, uint16_t n_size, uint16_t k_size, uint8_t unit_flag,
             bool cmatrix_source, bool cmatrix_init_val)
      : m(m_size),
        n(n_size),
        k(k_size),
        unitFlag(unit_flag),
        cmatrixSource(cmatrix_source),
        cmatrixInitVal(cmatrix_init_val) {}

  uint16_t m = 0;
  uint16_t n = 0;
  uint16_t k = 0;
  bool isBias = false;
  int32_t fmOffset = 0;
  bool enSsparse = false;
  bool enWinogradA = false;
  bool enWinogradB = false;
  uint8_t unitFlag = 0;
  bool kDirectionAlign = false;
  bool cmatrixSource = false;  // the initial C comes from the bias table
  bool cmatrixInitVal = true;  // the initial C is 0
  bool disableGemv = false;
};

enum class HF32Mode { ENABLE, DISABLE };
enum class HF32TransMode { NEAREST_ZERO, NEAREST_EVEN };

namespace in_api {

inline void mmad(const vinci::Instruction& instruction, const vinci::Operand& c,
                 const vinci::Operand& a, const vinci::Operand& b, const vinci::Operand& bias,
                 const MmadParams& params) {
  vinci::issue(vinci::MmadRecord{{&instruction},
                                 c,
                                 a,
                                 b,
                                 bias,
                                 params.m,
                                 params.n,
                                 params.k,
                                 params.isBias,
                                 params.cmatrixInitVal,
                                 params.cmatrixSource,
                                 params.kDirectionAlign,
                                 params.unitFlag,
                                 params.disableGemv});
}

}  // namespace in_api

template <class T, class U, class S>
void Mmad(const LocalTensor<T>& c, const LocalTensor<U>& a, const LocalTensor<S>& b,
          const MmadParams& params) {
  // With cmatrixSource the initial C is the bias table from its first byte.
  const bool from_table = params.cmatrixSource && (params.isBias || !params.cmatrixInitVal);
  const vinci::Operand table{0, vinci::kUnknownExtent, 0, TPosition::C2, vinci::dtype_of<T>};
  in_api::mmad(vinci::isa::mmad, c.operand(), a.operand(), b.operand(),
               from_table ? table : vinci::Operand(), params);
}

// The initial C comes from `bias`: one value for each column from C2, or the matrix that CO1 holds.
// cmatrixInitVal must be false.
template <class T, class U, class S, class V>
void Mmad(const LocalTensor<T>& c, const LocalTensor<U>& a, const LocalTensor<S>& b,
          const LocalTensor<V>& bias, const MmadParams& params) {
  in_api::mmad(vinci::isa::mmad, c.operand(), a.operand(), b.operand(), bias.operand(), params);
}

// C[m x n] (+)= A[m x k] * B[k x n], where two of every four neighbours in a column of B are 0: B2
// holds the other two, as LoadDataWithSparse left them.
template <class T, class U>
void MmadWithSparse(const LocalTensor<T>& c, const LocalTensor<U>& a, const LocalTensor<U>& b,
                    const MmadParams& params) {
  in_api::mmad(vinci::isa::mmad_with_sparse, c.operand(), a.operand(), b.operand(), {}, params);
}

// Whether Mmad rounds float operands to HF32 before it multiplies; off at the start of a block.
inline void SetHF32Mode(bool hf32Mode) {
  vinci::issue(vinci::SetHf32Record{{&vinci::isa::set_hf32_mode}, hf32Mode});
}
inline void SetHF32Mode(HF32Mode mode) { SetHF32Mode(mode == HF32Mode::ENABLE); }

// Ties of this rounding: true (NEAREST_ZERO) away from 0, false (NEAREST_EVEN, the start) to even.
inline void SetHF32TransMode(bool hf32TransMode) {
  vinci::issue(vinci::SetHf32Record{{&vinci::isa::set_hf32_trans_mode}, hf32TransMode});
}
inline void SetHF32TransMode(HF32TransMode mode) {
  SetHF32TransMode(mode == HF32TransMode::NEAREST_ZERO);
}

}  // namespace AscendC
