"""What a task says: one kernel, its parameters, its reference, and how it is judged."""

import dataclasses
import json
import pathlib
import re

from . import files, sizes

DTYPES = {"half": "float16", "bfloat16": "uint16", "float": "float32", "double": "float64",
          "int8": "int8", "uint8": "uint8", "int16": "int16", "uint16": "uint16", "int32": "int32",
          "uint32": "uint32", "int64": "int64", "uint64": "uint64", "bool": "bool"}
DIRECTIONS = ("in", "out", "inout", "zeros", "value")
DRAWS = ("normal", "uniform", "integers", "file")
FIELDS = {"id", "source", "code", "kernel", "soc", "options", "blocks", "parameters", "sizes",
          "reference", "tolerance", "precision", "check", "schedules", "timeout",
          "compile_timeout", "seed", "special", "pointers", "strict_device", "cores", "package",
          "operator", "value_depend"}
# Relative, of the element's size and of the reference's; integers are exact.
OTHER_BLOCKS = (3, 8)
TOLERANCES = {"half": 1e-3, "bfloat16": 8e-3, "float": 1e-5, "double": 1e-12}


# How a kernel learns how many blocks it has.
ASKS_BLOCKS = re.compile(r"\b(GetBlockNum|get_block_num|block_num)\b")


class TaskError(Exception):
    """The task itself is wrong: no kernel was judged."""


@dataclasses.dataclass
class Parameter:
    """One of the kernel's, in its order, or a tensor of an operator's dynamic one. `shape` has
    numbers and expressions of sizes."""

    name: str
    direction: str
    dtype: str
    shape: list
    draw: dict
    value: object = None
    list_name: str = None  # of the dynamic one

    @property
    def called(self):
        """Its name in an operator's definition."""
        return self.list_name or self.name

    @property
    def goes_in(self):
        return self.direction in ("in", "inout")

    @property
    def comes_out(self):
        return self.direction in ("out", "inout")


@dataclasses.dataclass
class Task:  # pylint: disable=too-many-instance-attributes
    """As docs/guide/judge.md describes its fields."""

    id: str
    source: pathlib.Path
    kernel: str
    socs: list
    options: list
    blocks: list
    other_blocks: list  # which are told, but decide nothing
    parameters: list
    sizes: dict
    reference: object
    tolerance: dict
    precision: dict
    check: str
    schedules: list
    timeout: float
    compile_timeout: int
    seed: int
    special: object  # True, False, or None: told, but not decisive
    pointers: bool
    strict_device: bool
    cores: str
    value_depend: list  # names of the inputs whose values host code of a package may see
    operator: str   # of a package, which `source` is then; None: a kernel's file
    fields: dict    # as they were given
    text: str = ""  # stands for the files that decide; known when they have been read


def wrong(text, legal):
    return TaskError(f"{text}; legal: {legal}")


def chosen(fields, name, kinds, default, legal):
    """A field of one of these types."""
    value = fields.get(name, default)
    if not isinstance(value, kinds) or isinstance(value, bool) and bool not in kinds:
        raise wrong(f"{name} {value!r}", legal)
    return value


def parameters_of(entry):
    """One of {"in": "float", "name": "x", "shape": ["n"], "draw": {"normal": [0, 1]}} and its kind;
    of a dynamic one, which has "shapes", each tensor: x_0, x_1 and so on."""
    if not isinstance(entry, dict) or "shapes" not in entry:
        return [parameter_of(entry)]
    shapes = entry["shapes"]
    if "shape" in entry or not isinstance(shapes, list) or not shapes or \
            not all(isinstance(shape, list) for shape in shapes):
        raise wrong(f"shapes {shapes!r} of {entry.get('name')}",
                    "a list of shapes, one for each tensor, and no shape")
    plain = {key: value for key, value in entry.items() if key != "shapes"}
    tensors = [parameter_of({**plain, "shape": shape}) for shape in shapes]
    if not all(one.goes_in or one.comes_out for one in tensors):
        raise wrong(f"shapes of {tensors[0].name}", "those of in, out and inout")
    return [dataclasses.replace(one, name=f"{one.name}_{index}", list_name=one.name)
            for index, one in enumerate(tensors)]


def parameter_of(entry):
    """One that is no list."""
    if not isinstance(entry, dict):
        raise wrong(f"parameter {entry!r}", "an object")
    directions = [name for name in DIRECTIONS if name in entry]
    if len(directions) != 1:
        raise wrong(f"parameter {entry!r} has {len(directions)} directions",
                    f"one of {', '.join(DIRECTIONS)}, with the type behind it")
    direction = directions[0]
    unknown = set(entry) - {direction, "name", "shape", "draw", "is"}
    if unknown:
        raise wrong(f"parameter {entry!r} has {', '.join(sorted(unknown))}",
                    "name, shape, draw, is")
    dtype, name = entry[direction], entry.get("name")
    if dtype not in DTYPES:
        raise wrong(f"type {dtype!r}", ", ".join(DTYPES))
    if not isinstance(name, str) or not name.isidentifier():
        raise wrong(f"name {name!r} of a parameter", "an identifier")
    if direction == "value" and "is" not in entry:
        raise wrong(f"value {name} has no \"is\"", "a number, or an expression of sizes")
    shape = entry.get("shape", [] if direction == "value" else None)
    if not isinstance(shape, list):
        raise wrong(f"shape {shape!r} of {name}", "a list of numbers and expressions of sizes")
    draw = entry.get("draw", {"normal": [0, 1]} if dtype in TOLERANCES else {"integers": [-8, 8]})
    if dtype.startswith(("uint", "bool")) and "draw" not in entry:
        draw = {"integers": [0, 16 if dtype != "bool" else 1]}
    if not isinstance(draw, dict) or len(draw) != 1 or next(iter(draw)) not in DRAWS:
        raise wrong(f"draw {draw!r} of {name}", f"an object with one of {', '.join(DRAWS)}")
    return Parameter(name, direction, dtype, shape, draw, entry.get("is"))


def source_of(fields, folder, scratch):
    """The kernel's file; text that the task itself holds is written to the scratch folder."""
    if sum(name in fields for name in ("source", "code", "package")) != 1:
        raise wrong("source, code and package", "one of them")
    if "package" in fields:
        package = folder / chosen(fields, "package", (str,), None, "a path")
        if not package.is_dir():
            raise wrong(f"package {str(package)!r}", "a folder")
        return package
    if "source" in fields:
        source = folder / chosen(fields, "source", (str,), None, "a path")
        if not source.is_file():
            raise wrong(f"source {str(source)!r}", "a file")
        return source
    source = scratch / "kernel.cpp"
    source.write_text(chosen(fields, "code", (str,), None, "text"), "utf-8", "replace")
    return source


def check_package(fields, parameters):
    """What only packages have, and what they have not: tiling chooses the blocks."""
    if "package" not in fields:
        if "operator" in fields:
            raise wrong("operator without package", "both or none")
        if "value_depend" in fields:
            raise wrong("value_depend without package", "both, or no value_depend")
        if any(parameter.list_name for parameter in parameters):
            raise wrong("shapes without package", "shape, with one tensor")
        return
    for name in ("kernel", "blocks", "cores"):
        if name in fields:
            raise wrong(f"{name} with package", "what the package's tiling chooses")
    if any(parameter.direction == "zeros" for parameter in parameters):
        raise wrong("zeros with package", "in, out, inout; value for attributes")


def value_depend_of(fields):
    names = chosen(fields, "value_depend", (list,), [], "a list of inputs")
    if not all(isinstance(name, str) for name in names):
        raise wrong(f"value_depend {names!r}", "a list of inputs")
    return names


def options_of(fields):
    words = chosen(fields, "options", (list,), [], "a list of words")
    if not all(isinstance(word, str) for word in words):
        raise wrong(f"options {words!r}", "a list of words")
    return words


def other_blocks_of(fields, source):
    """Where the task says nothing of blocks, and the kernel asks how many there are: a few."""
    if "blocks" in fields or "package" in fields:
        return []
    options = options_of(fields)
    texts = (path.read_text(encoding="utf-8", errors="replace")
             for path in files.sources_of(source, options))
    return list(OTHER_BLOCKS) if any(ASKS_BLOCKS.search(text) for text in texts) else []


def check_of(words):
    """With the tool that tells what pointers wrote."""
    return words if words == "off" or "pointers" in words.split(",") else f"{words},pointers"


def by_output(fields, name, parameters, what):
    """A field that says something of single outputs."""
    named = chosen(fields, name, (dict,), {}, f"an object of {what} by output")
    outputs = {parameter.called for parameter in parameters if parameter.comes_out}
    unknown = set(named) - outputs
    if unknown:
        raise wrong(f"{name} of {', '.join(sorted(unknown))}", ", ".join(sorted(outputs)))
    return named


def precision_of(fields, parameters):
    """By output the type in which it may be computed, other than its own."""
    named = by_output(fields, "precision", parameters, "types")
    for name, dtype in named.items():
        if dtype not in list(TOLERANCES):
            raise wrong(f"precision of {name}: {dtype!r}", ", ".join(TOLERANCES))
    return named


def tolerance_of(fields, parameters):
    """By output, relative."""
    named = by_output(fields, "tolerance", parameters, "numbers")
    for name, number in named.items():
        if not isinstance(number, (int, float)) or not 0 <= number < 1:
            raise wrong(f"tolerance of {name}: {number!r}", "0 and more, below 1")
    return named


def listed(value):
    return value if isinstance(value, list) else [value]


def task_of(fields, folder, scratch):
    """A checked task. Paths in it are below `folder`; `scratch` takes what must be a file."""
    if not isinstance(fields, dict):
        raise wrong(f"task {fields!r}", "an object")
    unknown = set(fields) - FIELDS
    if unknown:
        raise wrong(f"fields {', '.join(sorted(unknown))}", ", ".join(sorted(FIELDS)))
    lists = [parameters_of(entry)
             for entry in chosen(fields, "parameters", (list,), None, "a list")]
    parameters = [parameter for tensors in lists for parameter in tensors]
    names = [parameter.name for parameter in parameters]
    names += [tensors[0].list_name for tensors in lists if tensors[0].list_name]
    if len(set(names)) != len(names):
        raise wrong(f"names of parameters {names}", "each once")
    if not any(parameter.comes_out for parameter in parameters):
        raise wrong("parameters", "at least one out or inout: nothing else is judged")
    if "reference" not in fields:
        raise wrong("no reference", "\"file.py:function\", or a task's kernel")
    check_package(fields, parameters)
    size_rules = sizes.rules_of(chosen(fields, "sizes", (dict,), {}, "an object"), wrong)
    blocks = listed(fields.get("blocks", 1))
    if not blocks or not all(isinstance(count, int) and 1 <= count <= 65535 for count in blocks):
        raise wrong(f"blocks {blocks}", "1..65535")
    socs = listed(fields.get("soc", "Ascend910B1"))
    schedules = listed(fields.get("schedules", ["eager", "lazy", "random:1"]))
    for name, given in (("soc", socs), ("schedules", schedules)):
        if not given or not all(isinstance(one, str) for one in given):
            raise wrong(f"{name} {given}", "names, one at least")
    seconds = chosen(fields, "compile_timeout", (int,), 60, "whole seconds")
    if not 1 <= seconds <= 86400:
        raise wrong(f"compile_timeout {seconds}", "1..86400")
    source = source_of(fields, folder, scratch)
    return Task(
        id=chosen(fields, "id", (str,), None, "text"), source=source,
        kernel=chosen(fields, "kernel", (str,), "", "a name"),
        socs=socs,
        options=options_of(fields), blocks=blocks,
        other_blocks=other_blocks_of(fields, source), parameters=parameters, sizes=size_rules,
        reference=fields["reference"],
        tolerance=tolerance_of(fields, parameters),
        precision=precision_of(fields, parameters),
        check=check_of(chosen(fields, "check", (str,), "full", "as vinci run --check")),
        schedules=schedules,
        timeout=chosen(fields, "timeout", (int, float), 60, "seconds"),
        compile_timeout=seconds,
        seed=chosen(fields, "seed", (int,), 0, "a whole number"),
        special=chosen(fields, "special", (bool, type(None)), None, "true, false"),
        pointers=chosen(fields, "pointers", (bool,), False, "true, false"),
        strict_device=chosen(fields, "strict_device", (bool,), False, "true, false"),
        cores=chosen(fields, "cores", (str,), "auto", "as vinci run --cores"),
        value_depend=value_depend_of(fields),
        operator=chosen(fields, "operator", (str,), "", "a name") if "package" in fields else None,
        fields=fields)


def read_lines(path):
    """The tasks of a file of JSON lines, or of a folder with one .json each; a line that is none
    comes as the TaskError that it is. Pairs: fields, folder of the file."""
    path = pathlib.Path(path)
    if path.is_dir():
        for file in sorted(path.glob("*.json")):
            yield (parsed(file.read_bytes(), str(file), file.stem) if file.is_file() else
                   {"id": file.stem, "broken": f"{file} is no file"}), path
        return
    with open(path, "rb") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield parsed(line, f"{path}:{number}", f"{path.name}:{number}"), path.parent


def parsed(data, place, name):
    """The fields; a task without an id has that of its place."""
    try:
        fields = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        return {"id": name, "broken": f"{place} is no JSON: {error}"}
    return {"id": name, **fields} if isinstance(fields, dict) else {
        "id": name, "broken": f"{place} holds no object"}
