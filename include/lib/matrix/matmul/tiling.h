#error "vinci does not have <lib/matrix/matmul/tiling.h>: Matmul and its tiling are not there yet"
