"""What TIK alone knows of chips; what runs kernels, the engine knows (src/soc, `engine.chips()`).

The figures are those that the platform descriptions of CANN 8.x publish.
"""

K = 1024
M = 1024 * K

# Sizes in bytes. A key of one number is a generation of the engine, whose chips have their sizes
# and cores from there; the chips of the others run nothing. `unzip` is engines, largest ratio,
# channels, tight or not. `vector`: what differs on the Vector Core beside an AI Core. None: not
# published. What TIK's pages allow on some chips only:
# `scalar_floats`   the scalar unit compares and converts floats
# `scalar_gm`       it reads GM, and writes it
# `stride_unit`     strides in other units than datablocks
# `index_low`       reductions may put the index before the value
# `any_offsets`     vgather's offsets have any type
# `functions`       functions that no instruction of the engine stands for
# `of_bytes`        functions of 8-bit elements too, of which no page says more
KINDS = {
    "1000": {
        "family": "Ascend310", "product": "mini", "kinds": "AICore", "L2": 8 * M,
        "unzip": [4, 64, 2, 0], "scalar_floats": False, "scalar_gm": "",
    },
    "1001": {
        "family": "Ascend910", "product": "cloud", "kinds": "AICore", "L2": 32 * M,
        "unzip": [4, 64, 2, 1], "scalar_gm": "",
    },
    "2002": {
        "family": "Ascend310P", "product": "aic", "kinds": "AICore,VectorCore", "L2": 16 * M,
        "smask": 256, "unzip": [4, 64, 2, 1], "stride_unit": True, "index_low": True,
        "vector": {"product": "vec", "smask": 0},
    },
    "2201": {
        "family": "Ascend910B", "product": "aic", "kinds": "CubeCore,VectorCore", "L2": 192 * M,
        "FB0": 2 * K, "unzip": [4, 64, 2, 1], "scalar_gm": "read write",
        "functions": "vreducev2",
    },
    "3002": {
        "family": "Ascend310B", "product": "aic", "kinds": "AICore,VectorCore,CubeCore",
        "L2": 4 * M, "FB0": 2 * K, "unzip": [1, 32, 4, 1], "scalar_gm": "read write",
        "any_offsets": True, "functions": "vreducev2",
        "of_bytes": "vadd vsub vmax vmin vadds vand vor vector_dup",
        "vector": {"product": "aiv", "UB": 256 * K, "vreg": 256, "preg": 32},
    },
    "610Lite": {
        "family": "Ascend610Lite", "product": "aic", "kinds": "AICore,VectorCore,CubeCore",
        "ai_cores": 4, "vector_cores": None,
        "UB": 248 * K, "L1": 1024 * K, "L0A": 64 * K, "L0B": 64 * K, "L0C": 128 * K,
    },
    "hisi": {
        "family": "Hi3796CV300ES", "product": "hisi-es", "kinds": "AICore", "ai_cores": 1,
        "UB": 192 * K, "L1": 512 * K, "L0A": 32 * K, "L0B": 32 * K, "L0C": 128 * K,
        "cube": [16, 16, 8],
    },
    "nano": {
        "family": "Ascend035", "product": "nano", "kinds": "AICore", "ai_cores": 1, "block": 16,
        "UB": 32 * K,
    },
    "910_95": {
        "family": "Ascend910_95", "product": "aic", "kinds": "CubeCore,VectorCore", "split": True,
        "ai_cores": 32, "vector_cores": 64, "L2": 128 * M,
        "UB": 248 * K, "L1": 512 * K, "L0A": 64 * K, "L0B": 64 * K, "L0C": 256 * K,
        "BT": 4 * K, "FB0": 4 * K, "vreg": 256, "preg": 32,
    },
}

# What differs from the kind, by chip. `name`: the toolkit's, where it is not the engine's.
OWN = {
    "Ascend910B-C100": {"name": "Ascend910B"},
    "Ascend910B4": {"L2": 96 * M},
    "Ascend910B4-1": {"L2": 168 * M},
    "Ascend910_9362": {"L2": 168 * M},
}
OWN_FAMILIES = ("Ascend910_93",)  # of chips whose names begin so

# Chips that the engine does not have: name, kind, and what differs from it. Those of a generation
# of the engine run as the chip named `engine`, with its sizes.
OTHERS = {
    "Ascend610": ("2002", {"L2": None, "family": "Ascend610", "ai_cores": 10, "vector_cores": 8}),
    "BS9SX1AA": ("2002", {"L2": None, "family": "BS9SX1A", "ai_cores": 10, "vector_cores": 8}),
    "BS9SX1AB": ("2002", {"L2": None, "family": "BS9SX1A", "ai_cores": 8, "vector_cores": 6}),
    "BS9SX1AC": ("2002", {"L2": None, "family": "BS9SX1A", "ai_cores": 6, "vector_cores": 4}),
    "Ascend610Lite": ("610Lite", {}),
    "BS9SX2AA": ("610Lite", {"family": "BS9SX2A"}),
    "MC61AM21AA": ("610Lite", {"family": "MC61AM21A", "ai_cores": 3}),
    "Hi3796CV300ES": ("hisi", {}),
    "Hi3796CV300CS": ("hisi", {"family": "Hi3796CV300CS", "product": "hisi-cs", "L1": 1024 * K}),
    "SD3403": ("hisi", {"family": "SD3403", "product": "hisi-cs", "L1": 1024 * K}),
    "Ascend035": ("nano", {}),
    "Ascend035A": ("nano", {"UB": 128 * K}),
    "Ascend035B": ("nano", {"UB": 256 * K}),
    "Ascend910_95": ("910_95", {}),
    "Ascend910_5591": ("910_95", {"family": "Ascend910_55", "ai_cores": 24, "vector_cores": 24,
                                  "L2": 48 * M}),
}
OTHERS_RUN_AS = {"2002": "Ascend310P1"}

# A family's name stands for one of its chips. Ascend910B is no family here: to the toolkit it is
# the full name of the 30-core 910, and scripts that mean the A2 family write Ascend910B1 to B4.
FAMILIES = {
    "Ascend910": "Ascend910A", "Ascend310P": "Ascend310P3", "Ascend310B": "Ascend310B1",
    "Ascend910_93": "Ascend910_9391", "Ascend910_55": "Ascend910_5591",
    "BS9SX1A": "BS9SX1AA", "BS9SX2A": "BS9SX2AA", "MC61AM21A": "MC61AM21AA",
    "Ascend910B-C100": "Ascend910B",
    # What older releases called them.
    "Ascend710": "Ascend310P3", "Ascend615": "BS9SX1AA",
}

# Kinds of core as scripts write them, in lower case.
CORE_WORDS = {"aicore": "AiCore", "aic": "AiCore", "ai_core": "AiCore", "vectorcore": "VectorCore",
              "vector_core": "VectorCore", "vec": "VectorCore", "aiv": "VectorCore",
              "cubecore": "CubeCore", "cube": "CubeCore"}

# Dprofile(architecture, version): the chip and its kind of core.
PROFILES = {
    ("v100", "mini"): ("Ascend310", "AiCore"),
    ("v100", "cloud"): ("Ascend910A", "AiCore"),
    ("v200", "aic"): ("Ascend310P1", "AiCore"),
    ("v200", "vec"): ("Ascend610", "VectorCore"),
    ("v200", "hisi-es"): ("Hi3796CV300ES", "AiCore"),
    ("v200", "hisi-cs"): ("SD3403", "AiCore"),
    ("v200", "sd3403"): ("SD3403", "AiCore"),
    ("v210", "aic"): ("BS9SX1AA", "AiCore"),
    ("v210", "aiv"): ("BS9SX1AA", "VectorCore"),
    ("v300", "aiv"): ("Ascend310B1", "VectorCore"),
}
