#include "swi_glu_quant_base.h"
using namespace SwiGluQuantOp;
template <typename D_T_X, uint8_t QUANT_MODE, bool HAS_OFFSET, uint32_t BUF_NUM>
__global__ __aicore__ void swi_glu_quant(GM_ADDR x, GM_ADDR scales, GM_ADDR offsets, GM_ADDR y, GM_ADDR scale_out,
                                         GM_ADDR workspace, GM_ADDR tiling)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
    REGISTER_TILING_DEFAULT(SwiGluQuantTilingData);
    GET_TILING_DATA_WITH_STRUCT(SwiGluQuantTilingData, tilingData, tiling);
    TPipe pipe;
    Kernel<D_T_X, QUANT_MODE, HAS_OFFSET, BUF_NUM> op(pipe, tilingData);
    op.Init(x, scales, offsets, y, scale_out);
    op.Process();
}
