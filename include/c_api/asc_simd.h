#error "vinci does not have <c_api/asc_simd.h>: the C interface (asc_add, ...) is not there yet; kernel_operator.h has the same functions"
