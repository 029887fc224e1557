#error "vinci does not have <opdev/op_executor.h>: aclnn functions are not there"
