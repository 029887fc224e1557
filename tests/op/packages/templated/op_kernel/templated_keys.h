#pragma once
#include "ascendc/host_api/tiling/template_argument.h"
ASCENDC_TPL_ARGS_DECL(
    Templated, ASCENDC_TPL_DATATYPE_DECL(TYPE, C_DT_FLOAT16, C_DT_INT32, C_DT_FLOAT),
    ASCENDC_TPL_UINT_DECL(TIMES, ASCENDC_TPL_8_BW, ASCENDC_TPL_UI_MIX, 1, 2, 4, 9, 7),
    ASCENDC_TPL_BOOL_DECL(SHIFTED, 0, 1), );
ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_KERNEL_TYPE_SEL(ASCENDC_TPL_AIV_ONLY),
                                     ASCENDC_TPL_DATATYPE_SEL(TYPE, C_DT_FLOAT16, C_DT_INT32),
                                     ASCENDC_TPL_UINT_SEL(TIMES, ASCENDC_TPL_UI_LIST, 2, 7),
                                     ASCENDC_TPL_BOOL_SEL(SHIFTED, 0, 1),
                                     ASCENDC_TPL_TILING_STRUCT_SEL(TemplatedTilingData)), );
