"""Descriptions of an operator's formats, which its op_select_format returns as JSON."""

import json

from vinci.tik.absent import make_getattr


def gen_param(classify, name, datatype, format, unknownshape_format=None, **more):
    """One parameter's types and formats."""
    return {"classify": classify, "name": name, "dtype": datatype, "format": format,
            "unknownshape_format": unknownshape_format, **more}


def get_dynamic_param_in_json(param_desc):
    """The descriptions as one JSON text: {"input0": {...}, ...}."""
    kept = {}
    for one in param_desc:
        kept[one["classify"]] = {key: value for key, value in one.items()
                                 if key != "classify" and value is not None}
    return json.dumps(kept, indent=4)


__getattr__ = make_getattr(__name__)
