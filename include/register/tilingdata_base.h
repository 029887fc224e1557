#error "vinci does not have <register/tilingdata_base.h>: definitions of operator projects (OpDef, TilingData, aclnn) are not there yet"
