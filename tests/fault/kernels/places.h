#pragma once

inline void set_in_header(int64_t n) {
  AscendC::LocalTensor<half> tensor(AscendC::TPosition::VECCALC, 0, 128);
  tensor.SetValue(n, 1);  // HERE set_in_header
}
