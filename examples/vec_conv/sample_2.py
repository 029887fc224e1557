# The second sample of the page on vec_conv, with its line breaks restored; what stands before and
# behind the two lines of dashes is ours: the imports, and a run on the numbers that the page prints.
import numpy as np
from printed import printed, report
from tbe import tik

# ------------------------------------------------------------------------------------------------
"""此示例为了展示ldst_high_half和deqscale的使用效果"""
tik_instance = tik.Tik()
dtype_size = { "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "float16": 2, "int32": 4, "uint32": 4, "float32": 4, "int64": 8, }
src_shape = (2, 128)
dst_shape = (3, 128)
src_dtype = "int16"
dst_dtype = "int8"
elements = 2 * 128
dst_elements = 3 * 128
# 单次迭代操作的数,当前示例一次迭代处理128个数,mask逐bits模式可写成 [2**64-1, 2**64-1]
mask = 128
# 迭代间目的操作数前一次repeat头与后一次repeat头之间的距离,单位32B, dst为int8一个block 32个数,src为int16一个block 16个数
dst_rep_stride = 4
src_rep_stride = 8
# 迭代次数,当前示例进行了8次迭代,可根据需要调整对应的迭代次数
repeat_times = 2
# 当前示例以none为例
round_mode = "none"
# 表示存储在dst 高半部还是低半部,此示例表示高半部
ldst_high_half = True
# 数据类型从int16转换为int8,需要deqscale的第46位需要为“0b1”
deqscale = 2 ** 46 - 1
src_gm = tik_instance.Tensor(src_dtype, src_shape, name="src_gm", scope=tik.scope_gm)
src1_gm = tik_instance.Tensor(dst_dtype, dst_shape, name="src1_gm", scope=tik.scope_gm)
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
tik_instance.data_move(dst_ub, src1_gm, 0, nburst, dst_burst, dst_stride, src_stride)
# vec_conv精度转换
tik_instance.vec_conv(mask, round_mode, dst_ub, src_ub, repeat_times, dst_rep_stride, src_rep_stride, deqscale=deqscale, ldst_high_half=ldst_high_half)
# 将数据从ub搬到gm
tik_instance.data_move(dst_gm, dst_ub, 0, nburst, dst_burst, dst_stride, src_stride)
tik_instance.BuildCCE(kernel_name="vec_conv", inputs=[src_gm, src1_gm], outputs=[dst_gm])
# ------------------------------------------------------------------------------------------------

source, expected = printed(2)
result, = tik_instance.tikdb.start_debug(
    {"src_gm": np.array(source, np.int16).reshape(src_shape),
     "src1_gm": np.zeros(dst_shape, np.int8)}, interactive=False)
report(2, result, np.array(expected, np.int8).reshape(dst_shape))
