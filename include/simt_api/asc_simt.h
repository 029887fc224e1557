#error "vinci does not have <simt_api/asc_simt.h>: no chip of vinci list runs SIMT kernels"
