"""Has opc compile a kernel for each row of types of each operator, and looks that it has."""
import json
import pathlib
import subprocess
import sys

operators, unit, folder = json.loads(pathlib.Path(sys.argv[1]).read_text()), sys.argv[2], pathlib.Path(sys.argv[3])
folder.mkdir(parents=True, exist_ok=True)
for operator, said in operators.items():
    rows = [said[key]["dtype"].split(",") for key in said if key.startswith(("input", "output"))]
    for number, types in enumerate(zip(*rows)):
        name = f"{operator}_{number}"
        described = folder / f"{name}_param.json"
        described.write_text(json.dumps({"op_type": operator, "op_list": [
            {"bin_filename": name, "inputs": [{"dtype": each} for each in types]}]}))
        subprocess.run(["opc", f"{said['opFile']['value']}.py", f"--main_func={said['opInterface']['value']}",
                        f"--input_param={described}", f"--soc_version={unit}", f"--output={folder}",
                        "--simplified_key_mode=0", "--op_mode=dynamic"], check=True)
        for end in ("json", "o"):
            assert (folder / f"{name}.{end}").exists(), f"{name}.{end} not generated"
