"""Chips for tests of the language, by family."""

from types import SimpleNamespace

K = 1024
SCOPES = ("local.UB", "local.L1", "local.L0A", "local.L0B", "local.L0C")


def _chip(name, family, arch, cores, *sizes, core_type="AiCore"):
    return SimpleNamespace(name=name, family=family, core_type=core_type, arch=arch, cores=cores,
                           bytes=dict(zip(SCOPES, (size * K for size in sizes))))


CHIPS = {
    chip.name: chip
    for chip in (
        _chip("Ascend310", "Ascend310", 1000, 2, 248, 1024, 64, 64, 256),
        _chip("Ascend910A", "Ascend910", 1001, 32, 256, 1024, 64, 64, 256),
        _chip("Ascend310P3", "Ascend310P", 2002, 8, 256, 1024, 64, 64, 256),
        _chip("Ascend910B1", "Ascend910B", 2201, 24, 192, 512, 64, 64, 128),
        _chip("Ascend310B1", "Ascend310B", 3002, 1, 248, 1024, 64, 64, 128),
    )
}


class Dprofile:
    """Accepted by Tik, which ignores it."""


def current():
    return CHIPS["Ascend910A"]
