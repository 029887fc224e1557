"""Three hundred tasks whose verdicts are known, from one kernel that is wrong in a way that a macro
chooses: kernels/add.cpp."""

import pathlib

HERE = pathlib.Path(__file__).resolve().parent
TAILED, WHOLE = [1, 1001], [1024, 2048]  # the second are whole datablocks and repeats
TOLERANCES = {"float": 1e-5, "half": 1e-3}


def task(way, number, dtype="float", blocks=1, sizes=(1001,), **more):
    """z = x + y, `sizes` elements each."""
    return {"id": f"{number}: way {way}, {dtype}, {blocks} blocks, {sizes}",
            "source": str(HERE / "kernels" / "add.cpp"),
            "options": [f"-DWAY={way}", f"-DELEMENT={'int32_t' if dtype == 'int32' else dtype}"],
            "soc": "Ascend910B1", "blocks": blocks,
            "parameters": [{"in": dtype, "name": "x", "shape": ["n"]},
                           {"in": dtype, "name": "y", "shape": ["n"]},
                           {"out": dtype, "name": "z", "shape": ["n"]},
                           {"value": "uint32", "name": "n", "is": "n"}],
            "sizes": {"n": list(sizes)}, "reference": f"{HERE}/references.py:add", "seed": number,
            "check": more.pop("check", "full"), "schedules": ["eager", "lazy"],
            "special": more.pop("special", False), "timeout": 2 if way in (23, 27) else 60, **more}


def verdict_of(way, dtype="float", blocks=1, sizes=(1001,), tolerance=None, special=False):
    """What is known of a way, from what its source says."""
    if way == 1:
        return "does not compile"
    if way in (20, 21, 22):
        return "hostile"
    if way in (23, 24, 26):
        return "stopped"
    if way in (13, 25):
        return "faulty"
    if way == 3:  # through half
        return "imprecise" if tolerance else "wrong"
    wrong = {0: False, 4: special, 9: any(n != 1024 for n in sizes),
             10: any(n % 8 for n in sizes), 11: blocks > 1, 16: dtype == "half"}
    return "wrong" if wrong.get(way, True) else "right"


def tasks(count=300):
    """Pairs of a task and its verdict, as many of each way as there is room for."""
    plans = []
    for dtype in ("float", "half", "int32"):
        for way in (0, 5, 7, 8, 9, 10, 11, 12, 15, 16):
            for blocks, sizes in ((1, WHOLE), (1, TAILED), (4, WHOLE), (4, TAILED), (1, [1024])):
                plans.append((way, {"dtype": dtype, "blocks": blocks, "sizes": sizes}))
    for way in (2, 3, 4, 6, 13, 14):
        for blocks, sizes in ((1, WHOLE), (1, [1001]), (4, WHOLE)):
            plans.append((way, {"blocks": blocks, "sizes": sizes}))
    for blocks in (1, 4):
        plans.append((3, {"blocks": blocks, "tolerance": {"z": 1e-3}}))
        plans.append((4, {"blocks": blocks, "special": True, "sizes": [2048]}))
    for way in (1, 20, 21, 22, 24, 25, 26):
        for blocks in (1, 4):
            plans.append((way, {"blocks": blocks}))
    plans += [(23, {}), (23, {"blocks": 4})]
    right = [(0, {"dtype": dtype, "blocks": blocks, "sizes": [n]})
             for n in (7, 8, 9, 63, 64, 65, 255, 256, 257, 2047, 2049, 4095, 4097, 6000)
             for dtype in ("float", "half", "int32") for blocks in (1, 4, 7)]
    plans += right[:max(0, count - len(plans))]
    made = []
    for number, (way, how) in enumerate(plans[:count]):
        known = {key: how[key] for key in
                 ("dtype", "blocks", "sizes", "tolerance", "special") if key in how}
        made.append((task(way, number, **how), verdict_of(way, **known)))
    return made
