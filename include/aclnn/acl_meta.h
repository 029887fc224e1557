#error "vinci does not have <aclnn/acl_meta.h>: aclnn functions are not there"
