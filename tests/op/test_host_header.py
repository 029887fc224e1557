"""The header of host code is compiled once, and changes nothing of what compiles without it."""

import shutil

import numpy as np
import pytest

import harness
from test_op_command import PACKAGES

# As a function of a library that packages share, with a class of the framework's own name.
OWN_CLASS = """#include "register/op_impl_registry.h"
namespace ops {
class OpAttrDef {
 public:
  int64_t answer() const { return 42; }
};
}  // namespace ops
int64_t answer() { return ops::OpAttrDef().answer(); }
"""
# Who opens private members of the framework's classes.
OPENED = """#include <sstream>
#define private public
#include "register/op_def_registry.h"
size_t opened(const gert::Shape& shape) { return shape.GetDimNum() + sizeof(shape.dims_); }
"""


@pytest.fixture(name="package")
def copied(tmp_path):
    """To which other sources come."""
    shutil.copytree(PACKAGES / "add_custom", tmp_path / "package")
    np.save(tmp_path / "x.npy", np.arange(50, dtype=np.float16))
    return tmp_path / "package"


def add(package):
    folder = package.parent
    run = harness.vinci("op", str(package), "--soc", "Ascend310B1", "--in", f"x={folder / 'x.npy'}",
                        "--in", f"y={folder / 'x.npy'}", "--out", f"z={folder / 'z.npy'}",
                        env={"VINCI_CACHE": str(folder / "cache")})
    assert run.code == 0, run.stderr
    assert np.array_equal(np.load(folder / "z.npy"), np.load(folder / "x.npy") * 2)


@pytest.mark.skipif(harness.sanitizers() != [], reason="they come with clang, which compiles no header")
def test_host_header_is_compiled_once(package):
    for name, text in (("own", OWN_CLASS), ("opened", OPENED)):
        (package / "op_host" / f"{name}.cpp").write_text(text)
    add(package)
    made = list((package.parent / "cache" / "headers").glob("host-*/op_def_registry.h.gch"))
    assert len(made) == 1
    when = made[0].stat().st_mtime_ns
    (package / "op_host" / "own.cpp").write_text(OWN_CLASS + "// changed\n")
    add(package)
    assert made[0].stat().st_mtime_ns == when
