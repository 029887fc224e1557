"""The chip that a script is written for: the one in force, and what it has.

There is one chip in force for the whole process, as in the vendor's toolkit, and scripts may change
it at any time. At the start it is $VINCI_SOC, or Ascend310 as the documents say.
"""

import dataclasses
import functools
import os

from . import chip_table, engine
from .error import advice, warn
from .scope import SHORT_NAMES

CORE_TYPES = ("AiCore", "VectorCore", "CubeCore")
SCOPES = {"UB": "local.UB", "L1": "local.L1", "L0A": "local.L0A", "L0B": "local.L0B",
          "L0C": "local.L0C", "FB0": "local.FB0", "BT": "local.BT", "smask": "local.SMASK"}
DEFAULT = "Ascend310"


# What a kind may say in chip_table, and what holds where it does not.
FACTS = {"split": False, "smask": 0, "L1": 0, "L0A": 0, "L0B": 0, "L0C": 0, "BT": 0, "FB0": 0,
         "vreg": 0, "preg": 0, "block": 32, "cube": [16, 16, 16], "unzip": [0, 0, 0, 0],
         "vector_cores": 0, "L2": None, "scalar_floats": True, "scalar_gm": "read",
         "stride_unit": False, "index_low": False, "any_offsets": False, "functions": "",
         "of_bytes": ""}


@dataclasses.dataclass(frozen=True)
class Chip:
    """One chip, seen from one kind of core."""

    name: str
    family: str          # the toolkit's short name: Ascend910, Ascend310P, ...
    core_type: str       # one of CORE_TYPES
    cores: int           # of that kind, or as many as the script asked for
    bytes: dict          # size of each scope; GM has none
    engine: str | None   # the chip that runs the statements; None: vinci has no such generation
    facts: dict          # the rest, by the names of FACTS and chip_table.KINDS

    @property
    def is_vector_core(self):
        """On the Vector Core beside an AI Core: no matrix memories, other types."""
        return self.core_type == "VectorCore" and not self.facts["split"]


@functools.cache
def _engine_chips():
    return {chip["name"]: chip for chip in engine.load().chips()}


@functools.cache
def alignment_of(scope):
    """The bytes of which an operand's address in a memory is a multiple."""
    return engine.load().ALIGNMENTS.get(SHORT_NAMES[scope], 1)


@functools.cache
def _rows():
    """The chips that may be chosen, by the toolkit's name in lower case: that name, the kind, the
    chip that runs them or None, and the facts that differ from the kind's."""
    rows = []
    for name, chip in _engine_chips().items():
        if not chip["vector_core"]:
            own = chip_table.OWN.get(name, {})
            family = {"family": one for one in chip_table.OWN_FAMILIES if name.startswith(one)}
            rows.append((own.get("name", name), chip["generation"], name, {**family, **own}))
    for name, (kind, own) in chip_table.OTHERS.items():
        rows.append((name, kind, chip_table.OTHERS_RUN_AS.get(kind), own))
    return {row[0].lower(): row for row in rows}


def names():
    """The full names of all chips that may be chosen."""
    return [row[0] for row in _rows().values()]


def engine_names():
    """The chips that statements run on."""
    return [row[0] for row in _rows().values() if row[2]]


def _find_row(name):
    wanted = str(name).strip().lower()
    family = {short.lower(): full for short, full in chip_table.FAMILIES.items()}
    return _rows().get(family.get(wanted, wanted).lower())


def _row(name):
    row = _find_row(name) or _find_row(f"Ascend{name}")
    if row is None:
        raise RuntimeError(f"there is no chip {name!r}; chips: {', '.join(names())}; "
                           f"families: {', '.join(chip_table.FAMILIES)}")
    return row


def _spelled(name, core_type):
    """What scripts write for a chip, as its name and the kind of core: a name; a product, as mini;
    a name with a kind before or behind it, as aic-310P and Ascend310P3-VectorCore."""
    if _find_row(name) is not None:
        return name, core_type
    words = str(name).strip().split("-")
    for kind, rest in ((words[0], words[1:]), (words[-1], words[:-1])):
        if rest and kind.lower() in chip_table.CORE_WORDS:
            return "-".join(rest), chip_table.CORE_WORDS[kind.lower()]
    for (_, product), profile in chip_table.PROFILES.items():
        if product == words[0].lower() and len(words) == 1:
            return profile
    return name, core_type


def _facts_of_engine(name):
    """Sizes and cores of the chip that runs the statements."""
    chip = _engine_chips()[name]
    sizes = {memory: chip["bytes"][memory] for memory in ("UB", "L1", "L0A", "L0B", "L0C", "BT")}
    return {**sizes, "ai_cores": chip["aic_cores"], "vector_cores": chip["aiv_cores"],
            "split": chip["split"]}


def make(name, core_type="AiCore", cores=None):
    """A chip by its full name or its family's; RuntimeError if there is none."""
    name, core_type = _spelled(name, core_type)
    core_type = chip_table.CORE_WORDS.get(str(core_type).lower(), core_type)
    if core_type not in CORE_TYPES:
        raise RuntimeError(f"core_type is one of {', '.join(CORE_TYPES)}, not {core_type!r}")
    full, kind, runs_on, own = _row(name)
    facts = FACTS | (_facts_of_engine(runs_on) if runs_on else {}) | chip_table.KINDS[kind] | own
    if core_type == "VectorCore" and not facts["split"]:
        if not facts["vector_cores"]:
            raise RuntimeError(f"{full} has no Vector Core")
        facts |= {"L1": 0, "L0A": 0, "L0B": 0, "L0C": 0, **facts["vector"]}
        beside = f"{runs_on}-VectorCore"
        runs_on = beside if beside in _engine_chips() else runs_on
    count = facts["vector_cores" if core_type == "VectorCore" else "ai_cores"]
    return Chip(full, facts["family"], core_type, _core_count(full, cores, count),
                {scope: facts[memory] for memory, scope in SCOPES.items()}, runs_on, facts)


def _core_count(name, asked, count):
    if asked in (None, ""):
        return count
    try:
        number = int(asked)
    except (TypeError, ValueError):
        number = 0
    if not 1 <= number <= count:
        raise RuntimeError(f"aicore_num of {name} is in 1..{count}, not {asked!r}")
    return number


def named_by_user(name):
    """A chip as `vinci run --soc` names it: Ascend910B is the A2 family, and -VectorCore exists."""
    base, beside, _ = str(name).partition("-VectorCore")
    if base.lower() == "ascend910b":
        base = "Ascend910B1"
    return make(base, "VectorCore" if beside else "AiCore")


_current = None
_is_default = False  # nobody chose it


def current():
    """The chip in force."""
    global _current, _is_default
    if _current is None:
        name = os.environ.get("VINCI_SOC")
        _current, _is_default = named_by_user(name or DEFAULT), not name
    return _current


def use(chip):
    """Puts a chip in force; None: the default again."""
    global _current, _is_default
    _current, _is_default = chip, False


def assume(name):
    """The default from here on, for scripts that say by what they import what they are made for."""
    global _current
    current()
    if _is_default:
        _current = make(name)


def _about_default(text):
    """For a mistake that is one on this chip, while nobody has chosen it."""
    if not _is_default or not ("v100" in text or _current.name in text):
        return ""
    why = ", as TIK's documents say" if _current.name == DEFAULT else ""
    return (f"No chip is chosen, so it is {_current.name}{why}. Choose one with --soc "
            'or VINCI_SOC, or in the script: set_current_compile_soc_info("Ascend910A")')


advice.append(_about_default)


def set_current_compile_soc_info(soc_version, core_type="AiCore", aicore_num=None, l1_fusion=None):
    """Chooses the chip, as in the toolkit; "success", or RuntimeError.

    A family's name keeps a chip of that family, so that what get_soc_spec("SOC_VERSION") gave may
    be set again.
    """
    if l1_fusion not in (None, "", "true", "false", True, False):
        raise RuntimeError(f"l1_fusion is true or false, not {l1_fusion!r}")
    now = current()
    kept = str(soc_version).lower() == now.family.lower()
    use(make(now.name if kept else soc_version, core_type or "AiCore", aicore_num))
    if current().name == "Ascend910B" and now.name != "Ascend910B":
        warn("Ascend910B is the older 910 with 30 cores, as in the toolkit; the chips of the A2 "
             "family are Ascend910B1 to Ascend910B4")
    return "success"


te_set_version = te_update_version = set_current_compile_soc_info

SOC_KEYS = {
    "SOC_VERSION": lambda chip: chip.family,
    "SHORT_SOC_VERSION": lambda chip: chip.family,
    "FULL_SOC_VERSION": lambda chip: chip.name,
    "AICORE_TYPE": lambda chip: chip.core_type,
    "CORE_NUM": lambda chip: chip.cores,
    "CUBE_CORE_CNT": lambda chip: chip.facts["ai_cores"] if chip.facts["split"] else 0,
    "VECTOR_CORE_CNT": lambda chip: chip.facts["vector_cores"],
    "UB_SIZE": lambda chip: chip.facts["UB"],
    "L2_SIZE": lambda chip: chip.facts["L2"],
    "L1_SIZE": lambda chip: chip.facts["L1"],
    "CUBE_SIZE": lambda chip: list(chip.facts["cube"]),
    "L0A_SIZE": lambda chip: chip.facts["L0A"],
    "L0B_SIZE": lambda chip: chip.facts["L0B"],
    "L0C_SIZE": lambda chip: chip.facts["L0C"],
    "SMASK_SIZE": lambda chip: chip.facts["smask"],
    "UNZIP": lambda chip: list(chip.facts["unzip"]),
    "VREG_SIZE": lambda chip: chip.facts["vreg"],
    "PREG_SIZE": lambda chip: chip.facts["preg"],
    "CUBE_VECTOR_SPLIT": lambda chip: chip.facts["split"],
    "FB0_SIZE": lambda chip: chip.facts["FB0"],
    "BT_SIZE": lambda chip: chip.facts["BT"],
    "ubblock_size": lambda chip: chip.facts["block"],
    "CORE_TYPE_LIST": lambda chip: chip.facts["kinds"],
}


def get_soc_spec(key):
    """A figure of the chip in force, by the toolkit's names; RuntimeError for any other."""
    if key not in SOC_KEYS:
        raise RuntimeError(f"get_soc_spec: there is no {key!r}; there are {', '.join(SOC_KEYS)}")
    value = SOC_KEYS[key](current())
    if value is None:
        raise RuntimeError(f"get_soc_spec: no {key} is published for {current().name}")
    return value


def require_engine():
    """The engine's name of the chip in force; RuntimeError if vinci cannot run it."""
    chip = current()
    if chip.engine is None:
        raise RuntimeError(f"vinci has no {chip.name}; kernels run on {', '.join(engine_names())}")
    return chip.engine


def has(feature):
    """Whether the chip in force has a feature of the engine's (Feature in src/soc/soc.h)."""
    return _engine_chips()[require_engine()]["features"][feature]


def pipe_of(source, target):
    """The pipe between two memories on the chip in force, as "MTE2"; "" if there is no way."""
    return _engine_chips()[require_engine()]["routes"].get((source, target), "")


def supports(instruction, dtypes=(), round_letter=""):
    """Whether the chip in force has an instruction of `vinci list` for these types.

    `dtypes`, in TIK's spelling: of the destination, then of the sources; one, if all are the same;
    none: whether it has the instruction for any.
    `round_letter`: of a conversion, "" or r, f, c, a, z, o.
    """
    soc = require_engine()
    return bool(engine.load().supported(soc, instruction, list(dtypes), round_letter))


def those_that_support(instruction, dtypes, round_letter):
    """The same of all chips: the first of each generation."""
    known = {one["generation"]: one["name"] for one in reversed(engine.load().chips())}
    return [name for name in reversed(known.values())
            if engine.load().supported(name, instruction, list(dtypes), round_letter)]


class Dprofile:
    """The profile of the chip in force; with two names, it puts the chip of that name in force."""

    def __init__(self, ai_core_arch=None, ai_core_version=None):
        if ai_core_arch is None and ai_core_version is None:
            return
        names = str(ai_core_arch).lower(), str(ai_core_version).lower()
        if names in chip_table.PROFILES:
            use(make(*chip_table.PROFILES[names]))
        elif _find_row(ai_core_arch):
            use(make(ai_core_arch, ai_core_version or "AiCore"))
        else:
            known = ", ".join(map(str, chip_table.PROFILES))
            raise RuntimeError(f"Error chip! {(ai_core_arch, ai_core_version)} is none of {known}")

    def get_product_name(self):
        """mini, cloud, aic, vec, aiv, ..."""
        return current().facts["product"]

    def get_aicore_num(self):
        """How many cores of the kind in force."""
        return current().cores

    def get_unified_buffer_size(self):
        """UB in bytes."""
        return current().bytes["local.UB"]

    def get_l1_buffer_size(self):
        """L1 in bytes."""
        return current().bytes["local.L1"]

    def get_l0a_buffer_size(self):
        """L0A in bytes."""
        return current().bytes["local.L0A"]

    def get_l0b_buffer_size(self):
        """L0B in bytes."""
        return current().bytes["local.L0B"]

    def get_l0c_buffer_size(self):
        """L0C in bytes."""
        return current().bytes["local.L0C"]

    def set_product_version(self, version):
        """As set_current_compile_soc_info."""
        return set_current_compile_soc_info(version)

    def unset_product_version(self):
        """The default chip again."""
        use(None)


def set_product_version(version):
    """As set_current_compile_soc_info."""
    return set_current_compile_soc_info(version)


def unset_product_version():
    """The default chip again."""
    use(None)
