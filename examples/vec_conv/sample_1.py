# The first sample of the page on vec_conv, with its line breaks restored; what stands before and
# behind the two lines of dashes is ours: the imports, and a run on the numbers that the page prints.
import numpy as np
from printed import printed, report
from tbe import tik

# ------------------------------------------------------------------------------------------------
tik_instance = tik.Tik()
dtype_size = { "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "float16": 2, "int32": 4, "uint32": 4, "float32": 4, "int64": 8, }
src_shape = (2, 128)
dst_shape = (3, 64)
src_dtype = "float16"
dst_dtype = "int32"
# 数据量大小
elements = 2 * 128
dst_elements = 3 * 64
# 单次迭代操作的数,当前示例一次迭代处理64个数,mask逐bits模式可写成 [0, 2**64-1]
mask = 64
# rep_stride 表示相邻迭代间操作数之间的地址步长,当前示例dst_rep_stride为16,表示第二次迭代起始位置距离第一次迭代的起始位置16个block
dst_rep_stride = 16
src_rep_stride = 8
# 迭代次数,当前示例进行了2次迭代,可根据需要调整对应的迭代次数
repeat_times = 2
# 当前示例以round为例, 四舍六入五成双取整
round_mode = "round"
# 表示存储在dst 高半部还是低半部,此示例表示高半部
ldst_high_half = False
deqscale = None
src_gm = tik_instance.Tensor(src_dtype, src_shape, name="src_gm", scope=tik.scope_gm)
dst_gm = tik_instance.Tensor(dst_dtype, dst_shape, name="dst_gm", scope=tik.scope_gm)
src_ub = tik_instance.Tensor(src_dtype, src_shape, name="src_ub", scope=tik.scope_ubuf)
dst_ub = tik_instance.Tensor(dst_dtype, dst_shape, name="dst_ub", scope=tik.scope_ubuf)
# 搬移的片段数
nburst = 1
# 每次搬运的片段长度,单位32B
src_burst = elements * dtype_size[src_dtype] // 32 // nburst
dst_burst = dst_elements * dtype_size[dst_dtype] // 32 // nburst
# 前burst尾与后burst头的距离,单位32B
dst_stride, src_stride = 0, 0
# 拷贝用户输入数据到src ubuf
tik_instance.data_move(src_ub, src_gm, 0, nburst, src_burst, dst_stride, src_stride)
# 为了方便观察,对目的操作数置零
tik_instance.vec_dup(64, dst_ub, 0, 3, 8)
# vec_conv精度转换
tik_instance.vec_conv(mask, round_mode, dst_ub, src_ub, repeat_times, dst_rep_stride, src_rep_stride, deqscale=deqscale, ldst_high_half=ldst_high_half)
# 将数据从ub搬到gm
tik_instance.data_move(dst_gm, dst_ub, 0, nburst, dst_burst, dst_stride, src_stride)
tik_instance.BuildCCE(kernel_name="vec_conv", inputs=[src_gm], outputs=[dst_gm])
# ------------------------------------------------------------------------------------------------

source, expected = printed(1)
result, = tik_instance.tikdb.start_debug(
    {"src_gm": np.array(source, np.float16).reshape(src_shape)}, interactive=False)
report(1, result, np.array(expected, np.int32).reshape(dst_shape))
