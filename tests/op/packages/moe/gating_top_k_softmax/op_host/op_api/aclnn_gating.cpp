// What repositories write by hand for aclnn needs the toolkit, and is left out.
#include "opdev/op_log.h"
#error compiled
