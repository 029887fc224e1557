"""The chip and its memories, under the toolkit's names."""

from vinci.tik.absent import make_getattr
from vinci.tik.api_support import api_check_support, intrinsic_check_support
from vinci.tik.chip import (SOC_KEYS, Dprofile, current, get_soc_spec, set_current_compile_soc_info,
                            te_set_version, te_update_version)
from vinci.tik.scope import (scope_ca, scope_cb, scope_cbuf, scope_cbuf_out, scope_cc, scope_gm,
                             scope_reg, scope_ubuf)

SOC_VERSION = "SOC_VERSION"
SHORT_SOC_VERSION = "SHORT_SOC_VERSION"
FULL_SOC_VERSION = "FULL_SOC_VERSION"
AICORE_TYPE = "AICORE_TYPE"
CORE_NUM = "CORE_NUM"
UB_SIZE = "UB_SIZE"
L2_SIZE = "L2_SIZE"
L1_SIZE = "L1_SIZE"
CUBE_SIZE = "CUBE_SIZE"
L0A_SIZE = "L0A_SIZE"
L0B_SIZE = "L0B_SIZE"
L0C_SIZE = "L0C_SIZE"
SMASK_SIZE = "SMASK_SIZE"
UNZIP = "UNZIP"
VREG_SIZE = "VREG_SIZE"
CUBE_CORE_CNT = "CUBE_CORE_CNT"
VECTOR_CORE_CNT = "VECTOR_CORE_CNT"
CUBE_VECTOR_SPLIT = "CUBE_VECTOR_SPLIT"

ASCEND_310 = "Ascend310"
ASCEND_910 = "Ascend910"
ASCEND_310P = "Ascend310P"
ASCEND_310B = "Ascend310B"
ASCEND_610 = "Ascend610"
ASCEND_910B = "Ascend910B"
ASCEND_910_93 = "Ascend910_93"
BS9SX1A = "BS9SX1A"
HI3796CV300ES = "Hi3796CV300ES"
HI3796CV300CS = "Hi3796CV300CS"
SD3403 = "SD3403"

AI_CORE = "AiCore"
VECTOR_CORE = "VectorCore"

BLOCK_IN = BLOCK_OUT = BLOCK_REDUCE = 16
BLOCK_REDUCE_INT8 = 32
C0_SIZE = 16
# Of each type M, K and N that the matrix unit multiplies at once: K fills 32 bytes.
CUBE_MKN = {dtype: {"mac": [BLOCK_IN, k, BLOCK_OUT]}
            for dtype, k in {"int4": 64, "int8": 32, "uint8": 32, "float16": 16, "bfloat16": 16,
                             "float32": 8}.items()}
VECTOR_INST_BLOCK_WIDTH = 256
VECTOR_INST_BLOCK_NUM = 8

_BITS = {"bool": 8, "bfloat16": 16, "int4": 4, "uint1": 1}


def get_soc_name():
    """The chip's short name."""
    return get_soc_spec(SOC_VERSION)


def get_soc_core_type():
    """AiCore, VectorCore or CubeCore."""
    return get_soc_spec(AICORE_TYPE)


def is_vector_core():
    """Whether the kernel is for the Vector Core beside an AI Core."""
    return current().is_vector_core


def is_mini_version():
    """Whether the chip in force is the 310; the next ones as their names say."""
    return Dprofile().get_product_name() == "mini"


def is_cloud_version():
    """The 910."""
    return Dprofile().get_product_name() == "cloud"


def is_v200_version_new():
    """The 310P and its generation, with its Vector Core."""
    return current().family in (ASCEND_310P, ASCEND_610)


def is_lhisi_version():
    """The small chips, Hi3796CV300CS and SD3403."""
    return current().family in (HI3796CV300CS, SD3403)


def is_hisi_version():
    """Hi3796CV300ES."""
    return current().family == HI3796CV300ES


is_v200_version = is_v200_version_new


def te_set_l2_mode(_mode):
    """Whether kernels use the L2 cache: they compute the same with and without."""


def get_bit_len(dtype):
    """Bits of an element of this type: the number at the end of its name."""
    bits = _BITS.get(dtype)
    if bits is None:
        digits = dtype[len(dtype.rstrip("0123456789")):]
        if not digits:
            raise RuntimeError(f"get_bit_len: there is no type {dtype!r}")
        bits = int(digits)
    return bits


def get_block_size(dtype):
    """Elements that the matrix unit reduces at once: 32 of 8 bits, else 16."""
    return BLOCK_REDUCE_INT8 if get_bit_len(dtype) == 8 else BLOCK_REDUCE


class CceProductParams:
    """get_soc_spec under the names of the toolkit's first releases."""

    _KEYS = {"Unified_Buffer": UB_SIZE, "L1_Buffer": L1_SIZE, "L0A_Buffer": L0A_SIZE,
             "L0B_Buffer": L0B_SIZE, "L0C_Buffer": L0C_SIZE, "Device_core_num": CORE_NUM}

    def getParams(self, key):
        """A figure of the chip in force."""
        if key not in self._KEYS:
            raise RuntimeError(f"getParams: there is no {key!r}; there are {', '.join(self._KEYS)}")
        return get_soc_spec(self._KEYS[key])


__getattr__ = make_getattr(__name__)
