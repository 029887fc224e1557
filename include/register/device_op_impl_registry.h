#error "vinci does not have <register/device_op_impl_registry.h>: definitions of operator projects (OpDef, TilingData, aclnn) are not there yet"
