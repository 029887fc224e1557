// Mmad's parameters as values of a case: m, n, k, isBias, cmatrixSource, cmatrixInitVal,
// kDirectionAlign.
#pragma once

#include "cases.h"

struct MmadNumbers {
  explicit MmadNumbers(Case& values)
      : m(values.next()),
        n(values.next()),
        k(values.next()),
        is_bias(values.next()),
        from_table(values.next()),
        init_zero(values.next()),
        k_align(values.next()) {}

  // By one of the documents' constructors (0, 1), or field by field.
  MmadParams params(int64_t constructor, uint8_t unit_flag) const {
    // fmOffset, sparse and winograd mean nothing.
    if (constructor == 0) return MmadParams(m, n, k, is_bias, 7, true, true, true);
    if (constructor == 1) return MmadParams(m, n, k, unit_flag, from_table, init_zero);
    MmadParams fields;
    fields.m = m;
    fields.n = n;
    fields.k = k;
    fields.isBias = is_bias;
    fields.cmatrixSource = from_table;
    fields.kDirectionAlign = k_align;
    fields.unitFlag = unit_flag;
    if (!init_zero) fields.cmatrixInitVal = false;  // true is the default
    return fields;
  }

  uint16_t m, n, k;
  bool is_bias, from_table, init_zero, k_align;
};
