"""What an operator is to those who compile it: its name, its type and its parameters."""

from vinci.tik.absent import make_getattr


class OpInfo:
    """A description of an operator, for add_op_info of its context."""

    def __init__(self, op_name, op_type):
        self.op_name = op_name
        self.op_type = op_type
        self.kernel_name = ""
        self.precision_mode = ""
        self.pattern = None
        self.inputs, self.outputs, self.attrs = [], [], []
        self.build_res = None
        self.extra_params = {}


__getattr__ = make_getattr(__name__)
