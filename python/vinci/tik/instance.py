"""Tik: what a script makes first and calls everything on."""

from . import chip, error
from .addresses import TensorAddrList
from .build import Build
from .debug import Debugger
from .error import fail, warn
from .instructions import Instructions
from .program import Program
from .scalar import InputScalar, Scalar, ScalarArray
from .scope import BLOCK_BYTES
from .scopes import Scopes
from .tensor import Tensor


class Tik(Scopes, Instructions, Build):
    """Records the statements of one kernel."""

    def __init__(self, profiling=None, disable_debug=True, err_msg_level=0, block_size=32):
        if not isinstance(disable_debug, bool):
            fail(f"disable_debug should be bool, input type: {type(disable_debug)}", TypeError)
        if isinstance(err_msg_level, bool) or err_msg_level not in (0, 1):
            fail(f"err_msg_level should be 0 or 1, input value is {err_msg_level}")
        if block_size != BLOCK_BYTES:
            fail(f"block_size should be {BLOCK_BYTES} on {chip.current().name}, input value is "
                 f"{block_size}")
        error.set_level(err_msg_level)
        self.disable_debug = disable_debug
        self.program = Program()
        self.tikdb = Debugger(self)
        self.d_profiling = chip.Dprofile()

    def Tensor(self, dtype, shape, scope, name, enable_buffer_reuse=False, no_reuse_list=None,
               reuse_list=None, is_workspace=False, is_atomic_add=False, max_mem_size=None,
               init_value=None, is_global_tensor=False, start_addr=None):
        return Tensor(self.program, dtype, shape, scope, name, enable_buffer_reuse, no_reuse_list,
                      reuse_list, is_workspace, is_atomic_add, max_mem_size, init_value,
                      is_global_tensor, start_addr)

    def Scalar(self, dtype="int64", name="reg_buf", init_value=None):
        return Scalar(self.program, dtype, name, init_value)

    def ScalarArray(self, dtype="int64", length=1, name="reg_buf", init_value=None):
        return ScalarArray(self.program, dtype, length, name, init_value)

    def InputScalar(self, dtype="int64", name="input_scalar"):
        return InputScalar(self.program, dtype, name)

    def TensorAddrList(self, size, scope, name):
        return TensorAddrList(self.program, size, scope, name)

    def StartProfiling(self, feed_dict, simulatorlog_path=None, generate_html=False,
                       outputs_shape=None, desc_tensor=None):
        """Runs the kernel and gives the results. What says how a trace is written is told and left:
        there is none."""
        for name, given, why in (
                ("simulatorlog_path", simulatorlog_path is not None, "vinci writes no trace"),
                ("generate_html", bool(generate_html), "vinci writes no trace"),
                ("outputs_shape", outputs_shape is not None, "outputs have their Tensors' shapes")):
            if given:
                warn(f"StartProfiling: {name} has no effect: {why}")
        return self.tikdb.start_debug(feed_dict, interactive=False, desc_tensor=desc_tensor)

    def get_available_buffer_size(self, buffer_scope=None):
        """Bytes that are left in a memory, or in all as a dict."""
        memories = self.program.memories
        if buffer_scope is None:
            return {scope: memories[scope].available for scope in chip.current().bytes}
        if not isinstance(buffer_scope, str) or not chip.current().bytes.get(buffer_scope):
            fail(f"buffer_scope should be a memory of {chip.current().name}, input value is "
                 f"{buffer_scope}")
        return memories[buffer_scope].available
