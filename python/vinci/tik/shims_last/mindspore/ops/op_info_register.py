"""Registration of operators: the decorator returns the function as it is."""

from vinci.tik import chip

# mindspore trains on this one, and its operators ask get_product_version which one it is.
chip.assume("Ascend910A")


def op_info_register(*_op_info):
    """Decorator: passed through."""
    return lambda function: function


class TBERegOp:
    """Keeps what it is told: TBERegOp("Add").input(0, "x")....get_op_info()."""

    def __init__(self, op_name=None):
        self._info = {"op_name": op_name}

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)

        def keep(*values, **named):
            self._info.setdefault(name, []).append((values, named))
            return self

        return keep

    def get_op_info(self):
        """All that was said."""
        return self._info


AiCPURegOp = CustomRegOp = TBERegOp
custom_info_register = op_info_register


class _DataType(type):
    """DataType.F16_Default is ("float16", "DefaultFormat"), and so on for all types and formats."""

    TYPES = {"None": "", "BOOL": "bool", "I8": "int8", "U8": "uint8", "I16": "int16",
             "U16": "uint16", "I32": "int32", "U32": "uint32", "I64": "int64", "U64": "uint64",
             "F16": "float16", "F32": "float32", "F64": "float64", "BF16": "bfloat16"}
    FORMATS = {"Default": "DefaultFormat", "5HD": "NC1HWC0", "FracZ": "FRACTAL_Z",
               "FracNZ": "FRACTAL_NZ", "None": ""}

    def __getattr__(cls, name):
        kind, _, layout = name.partition("_")
        if kind not in cls.TYPES:
            raise AttributeError(name)
        return cls.TYPES[kind], cls.FORMATS.get(layout, layout)


class DataType(metaclass=_DataType):
    """Pairs of a type's and a format's name."""
