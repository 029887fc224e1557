#error "vinci does not have <register/register.h>: definitions of operator projects (OpDef, TilingData, aclnn) are not there yet"
