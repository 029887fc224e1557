#error "vinci does not have <aclnn/aclnn_base.h>: aclnn functions are not there"
