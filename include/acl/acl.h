/* The host runtime. */
#ifndef VINCI_ACL_ACL_H
#define VINCI_ACL_ACL_H

#include "acl/acl_base.h"
#include "acl/acl_mdl.h"
#include "acl/acl_op.h"
#include "acl/acl_rt.h"

#endif
