"""The chips that TIK scripts may name: sizes, counts and names, as data.

The figures are those that the platform descriptions of CANN 8.x publish. A row says what is the
chip's own; `kinds` says what all chips of one kind share. `engine` is the chip that runs the
statements: None where vinci has none of that generation.
"""

K = 1024

# Sizes in bytes. `arch` is the number that support tables use: __NPU_ARCH__ where there is one,
# 1000 for Ascend310, 0 where none is published. `unzip` is engines, largest ratio, channels, tight
# or not. `split`: cube and vector units are cores of their own. `vector`: what differs on the
# Vector Core beside an AI Core.
KINDS = {
    "310": {
        "family": "Ascend310", "arch": 1000, "product": "mini",
        "UB": 248 * K, "L1": 1024 * K, "L0A": 64 * K, "L0B": 64 * K, "L0C": 256 * K,
        "unzip": [4, 64, 2, 0],
    },
    "910": {
        "family": "Ascend910", "arch": 1001, "product": "cloud",
        "UB": 256 * K, "L1": 1024 * K, "L0A": 64 * K, "L0B": 64 * K, "L0C": 256 * K,
        "unzip": [4, 64, 2, 1],
    },
    "310P": {
        "family": "Ascend310P", "arch": 2002, "product": "aic", "smask": 256,
        "UB": 256 * K, "L1": 1024 * K, "L0A": 64 * K, "L0B": 64 * K, "L0C": 256 * K,
        "unzip": [4, 64, 2, 1],
        "vector": {"product": "vec", "smask": 0, "UB": 256 * K},
    },
    "910B": {
        "family": "Ascend910B", "arch": 2201, "product": "aic", "split": True,
        "UB": 192 * K, "L1": 512 * K, "L0A": 64 * K, "L0B": 64 * K, "L0C": 128 * K,
        "BT": 1 * K, "FB0": 2 * K, "unzip": [4, 64, 2, 1],
    },
    "310B": {
        "family": "Ascend310B", "arch": 3002, "product": "aic",
        "UB": 248 * K, "L1": 1024 * K, "L0A": 64 * K, "L0B": 64 * K, "L0C": 128 * K,
        "BT": 1 * K, "FB0": 2 * K, "unzip": [1, 32, 4, 1],
        "vector": {"product": "aiv", "UB": 256 * K, "vreg": 256, "preg": 32},
    },
    "610Lite": {
        "family": "Ascend610Lite", "arch": 0, "product": "aic",
        "UB": 248 * K, "L1": 1024 * K, "L0A": 64 * K, "L0B": 64 * K, "L0C": 128 * K,
    },
    "hisi": {
        "family": "Hi3796CV300ES", "arch": 0, "product": "hisi-es",
        "UB": 192 * K, "L1": 512 * K, "L0A": 32 * K, "L0B": 32 * K, "L0C": 128 * K,
        "cube": [16, 16, 8],
    },
    "nano": {
        "family": "Ascend035", "arch": 0, "product": "nano", "block": 16,
        "UB": 32 * K, "L1": 0, "L0A": 0, "L0B": 0, "L0C": 0,
    },
    "910_95": {
        "family": "Ascend910_95", "arch": 3510, "product": "aic", "split": True,
        "UB": 248 * K, "L1": 512 * K, "L0A": 64 * K, "L0B": 64 * K, "L0C": 256 * K,
        "BT": 4 * K, "FB0": 4 * K, "vreg": 256, "preg": 32,
    },
}

M = 1024 * K
BOTH = "AICore,VectorCore"
THREE = "AICore,VectorCore,CubeCore"
SPLIT = "CubeCore,VectorCore"

# Name, kind, AI cores, Vector Cores, L2 in bytes, kinds of core, engine's chip, and what differs
# from the kind. None: not published, or no engine.
ROWS = [
    ("Ascend310", "310", 2, 0, 8 * M, "AICore", "Ascend310", {}),
    ("Ascend910A", "910", 32, 0, 32 * M, "AICore", "Ascend910A", {}),
    ("Ascend910B", "910", 30, 0, 32 * M, "AICore", "Ascend910B-C100", {}),
    ("Ascend910ProA", "910", 32, 0, 32 * M, "AICore", "Ascend910ProA", {}),
    ("Ascend910ProB", "910", 30, 0, 32 * M, "AICore", "Ascend910ProB", {}),
    ("Ascend910PremiumA", "910", 32, 0, 32 * M, "AICore", "Ascend910PremiumA", {}),
    ("Ascend310P1", "310P", 10, 8, 16 * M, BOTH, "Ascend310P1", {}),
    ("Ascend310P3", "310P", 8, 7, 16 * M, BOTH, "Ascend310P3", {}),
    ("Ascend310P5", "310P", 8, 7, 16 * M, BOTH, "Ascend310P5", {}),
    ("Ascend310P7", "310P", 8, 7, 16 * M, BOTH, "Ascend310P7", {}),
    # Of the generation of Ascend310P, with its sizes: they run as one.
    ("Ascend610", "310P", 10, 8, None, BOTH, "Ascend310P1", {"family": "Ascend610"}),
    ("BS9SX1AA", "310P", 10, 8, None, BOTH, "Ascend310P1", {"family": "BS9SX1A"}),
    ("BS9SX1AB", "310P", 8, 6, None, BOTH, "Ascend310P1", {"family": "BS9SX1A"}),
    ("BS9SX1AC", "310P", 6, 4, None, BOTH, "Ascend310P1", {"family": "BS9SX1A"}),
    ("Ascend910B1", "910B", 24, 48, 192 * M, SPLIT, "Ascend910B1", {}),
    ("Ascend910B2", "910B", 24, 48, 192 * M, SPLIT, "Ascend910B2", {}),
    ("Ascend910B2C", "910B", 24, 48, 192 * M, SPLIT, "Ascend910B2C", {}),
    ("Ascend910B3", "910B", 20, 40, 192 * M, SPLIT, "Ascend910B3", {}),
    ("Ascend910B4", "910B", 20, 40, 96 * M, SPLIT, "Ascend910B4", {}),
    ("Ascend910B4-1", "910B", 20, 40, 168 * M, SPLIT, "Ascend910B4-1", {}),
    ("Ascend910_9391", "910B", 24, 48, 192 * M, SPLIT, "Ascend910_9391",
     {"family": "Ascend910_93"}),
    ("Ascend910_9392", "910B", 24, 48, 192 * M, SPLIT, "Ascend910_9392",
     {"family": "Ascend910_93"}),
    ("Ascend910_9381", "910B", 24, 48, 192 * M, SPLIT, "Ascend910_9381",
     {"family": "Ascend910_93"}),
    ("Ascend910_9382", "910B", 24, 48, 192 * M, SPLIT, "Ascend910_9382",
     {"family": "Ascend910_93"}),
    ("Ascend910_9372", "910B", 20, 40, 192 * M, SPLIT, "Ascend910_9372",
     {"family": "Ascend910_93"}),
    ("Ascend910_9362", "910B", 20, 40, 168 * M, SPLIT, "Ascend910_9362",
     {"family": "Ascend910_93"}),
    ("Ascend310B1", "310B", 1, 1, 4 * M, THREE, "Ascend310B1", {}),
    ("Ascend310B2", "310B", 1, 1, 4 * M, THREE, "Ascend310B2", {}),
    ("Ascend310B3", "310B", 1, 1, 4 * M, THREE, "Ascend310B3", {}),
    ("Ascend310B4", "310B", 1, 1, 4 * M, THREE, "Ascend310B4", {}),
    ("Ascend610Lite", "610Lite", 4, None, None, THREE, None, {}),
    ("BS9SX2AA", "610Lite", 4, None, None, THREE, None, {"family": "BS9SX2A"}),
    ("MC61AM21AA", "610Lite", 3, None, None, THREE, None, {"family": "MC61AM21A"}),
    ("Hi3796CV300ES", "hisi", 1, 0, None, "AICore", None, {}),
    ("Hi3796CV300CS", "hisi", 1, 0, None, "AICore", None,
     {"family": "Hi3796CV300CS", "product": "hisi-cs", "L1": 1024 * K}),
    ("SD3403", "hisi", 1, 0, None, "AICore", None,
     {"family": "SD3403", "product": "hisi-cs", "L1": 1024 * K}),
    ("Ascend035", "nano", 1, 0, None, "AICore", None, {}),
    ("Ascend035A", "nano", 1, 0, None, "AICore", None, {"UB": 128 * K}),
    ("Ascend035B", "nano", 1, 0, None, "AICore", None, {"UB": 256 * K}),
    ("Ascend910_95", "910_95", 32, 64, 128 * M, SPLIT, None, {}),
    ("Ascend910_5591", "910_95", 24, 24, 48 * M, SPLIT, None, {"family": "Ascend910_55"}),
]

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
