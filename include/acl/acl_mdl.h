/* Models of whole graphs are not run here; programs include this beside acl_op.h. */
#ifndef VINCI_ACL_ACL_MDL_H
#define VINCI_ACL_ACL_MDL_H

#include "acl/acl_base.h"

#endif
