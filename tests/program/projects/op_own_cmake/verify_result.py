import json
import pathlib

import numpy as np

number = np.arange(512, dtype=np.int32)
assert (np.fromfile("y.bin", np.int32) == number * number - 1000 + 77).all()
vendor = pathlib.Path("installed/vendors/older")
tbe = vendor / "op_impl/ai_core/tbe"
info = json.loads((tbe / "config/ascend910b/aic-ascend910b-ops-info.json").read_text())["ShiftCustom"]
assert info["input0"] | {"shape": 0, "unknownshape_format": 0} == {
    "name": "x", "dtype": "int32,float16", "format": "ND,ND", "paramType": "required", "shape": 0,
    "unknownshape_format": 0}
assert info["output0"]["name"] == "y" and info["opFile"]["value"] == "shift_custom"
assert info["attr"] == {"list": "by"}
assert info["attr_by"] == {"type": "int", "value": "all", "paramType": "optional", "defaultValue": "1"}
assert {path.name for path in (tbe / "kernel/ascend910b/kernels").glob("*.o")} == \
    {"ShiftCustom_0.o", "ShiftCustom_1.o"}
assert len(list((vendor / "framework").rglob("lib*.so"))) == 2
print("test pass")
