#error "vinci does not have <exe_graph/runtime/tiling_context.h>: tiling functions of operator projects are not there yet"
