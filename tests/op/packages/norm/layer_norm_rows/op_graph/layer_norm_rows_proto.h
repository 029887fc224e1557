#include "graph/operator_reg.h"
#error "for graphs only"
