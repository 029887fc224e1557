// The same where AICs are alone.
#define ASCENDC_CUBE_ONLY
#include "matmul_column.cpp"
