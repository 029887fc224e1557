// Types, formats and results of the ge:: namespace: name, number, size. Said once, for the enums,
// for their texts and for the constants that kernels compare with.
#pragma once

// name, number, bytes of an element; 1000 and more: 1000 + bits; -1: it has no size.
#define VINCI_GE_TYPES(X)  \
  X(FLOAT, 0, 4)           \
  X(FLOAT16, 1, 2)         \
  X(INT8, 2, 1)            \
  X(INT32, 3, 4)           \
  X(UINT8, 4, 1)           \
  X(INT16, 6, 2)           \
  X(UINT16, 7, 2)          \
  X(UINT32, 8, 4)          \
  X(INT64, 9, 8)           \
  X(UINT64, 10, 8)         \
  X(DOUBLE, 11, 8)         \
  X(BOOL, 12, 1)           \
  X(STRING, 13, -1)        \
  X(DUAL_SUB_INT8, 14, 1)  \
  X(DUAL_SUB_UINT8, 15, 1) \
  X(COMPLEX64, 16, 8)      \
  X(COMPLEX128, 17, 16)    \
  X(QINT8, 18, 1)          \
  X(QINT16, 19, 2)         \
  X(QINT32, 20, 4)         \
  X(QUINT8, 21, 1)         \
  X(QUINT16, 22, 2)        \
  X(RESOURCE, 23, -1)      \
  X(STRING_REF, 24, -1)    \
  X(DUAL, 25, -1)          \
  X(VARIANT, 26, -1)       \
  X(BF16, 27, 2)           \
  X(UNDEFINED, 28, -1)     \
  X(INT4, 29, 1004)        \
  X(UINT1, 30, 1001)       \
  X(INT2, 31, 1002)        \
  X(UINT2, 32, 1002)       \
  X(COMPLEX32, 33, 4)      \
  X(HIFLOAT8, 34, 1)       \
  X(FLOAT8_E5M2, 35, 1)    \
  X(FLOAT8_E4M3FN, 36, 1)  \
  X(FLOAT8_E8M0, 37, 1)    \
  X(FLOAT6_E3M2, 38, 1006) \
  X(FLOAT6_E2M3, 39, 1006) \
  X(FLOAT4_E2M1, 40, 1004) \
  X(FLOAT4_E1M2, 41, 1004) \
  X(HIFLOAT4, 42, 1004)

// name, number
#define VINCI_GE_FORMATS(X)              \
  X(NCHW, 0)                             \
  X(NHWC, 1)                             \
  X(ND, 2)                               \
  X(NC1HWC0, 3)                          \
  X(FRACTAL_Z, 4)                        \
  X(NC1C0HWPAD, 5)                       \
  X(NHWC1C0, 6)                          \
  X(FSR_NCHW, 7)                         \
  X(FRACTAL_DECONV, 8)                   \
  X(C1HWNC0, 9)                          \
  X(FRACTAL_DECONV_TRANSPOSE, 10)        \
  X(FRACTAL_DECONV_SP_STRIDE_TRANS, 11)  \
  X(NC1HWC0_C04, 12)                     \
  X(FRACTAL_Z_C04, 13)                   \
  X(CHWN, 14)                            \
  X(FRACTAL_DECONV_SP_STRIDE8_TRANS, 15) \
  X(HWCN, 16)                            \
  X(NC1KHKWHWC0, 17)                     \
  X(BN_WEIGHT, 18)                       \
  X(FILTER_HWCK, 19)                     \
  X(HASHTABLE_LOOKUP_LOOKUPS, 20)        \
  X(HASHTABLE_LOOKUP_KEYS, 21)           \
  X(HASHTABLE_LOOKUP_VALUE, 22)          \
  X(HASHTABLE_LOOKUP_OUTPUT, 23)         \
  X(HASHTABLE_LOOKUP_HITS, 24)           \
  X(C1HWNCoC0, 25)                       \
  X(MD, 26)                              \
  X(NDHWC, 27)                           \
  X(FRACTAL_ZZ, 28)                      \
  X(FRACTAL_NZ, 29)                      \
  X(NCDHW, 30)                           \
  X(DHWCN, 31)                           \
  X(NDC1HWC0, 32)                        \
  X(FRACTAL_Z_3D, 33)                    \
  X(CN, 34)                              \
  X(NC, 35)                              \
  X(DHWNC, 36)                           \
  X(FRACTAL_Z_3D_TRANSPOSE, 37)          \
  X(FRACTAL_ZN_LSTM, 38)                 \
  X(FRACTAL_Z_G, 39)                     \
  X(RESERVED, 40)                        \
  X(ALL, 41)                             \
  X(NULL, 42)                            \
  X(ND_RNN_BIAS, 43)                     \
  X(FRACTAL_ZN_RNN, 44)                  \
  X(NYUV, 45)                            \
  X(NYUV_A, 46)                          \
  X(NCL, 47)                             \
  X(FRACTAL_Z_WINO, 48)                  \
  X(C1HWC0, 49)                          \
  X(FRACTAL_NZ_C0_16, 50)                \
  X(FRACTAL_NZ_C0_32, 51)                \
  X(FRACTAL_NZ_C0_2, 52)                 \
  X(FRACTAL_NZ_C0_4, 53)                 \
  X(FRACTAL_NZ_C0_8, 54)                 \
  X(END, 55)                             \
  X(MAX, 255)
