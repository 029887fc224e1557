#error "vinci does not have <tiling/hccl/hccl_tiling.h>: communication between devices is not there"
