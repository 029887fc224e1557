#error "vinci does not have <register/op_impl_registry.h>: definitions of operator projects (OpDef, TilingData, aclnn) are not there yet"
