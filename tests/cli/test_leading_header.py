"""Kernels that begin with kernel_operator.h share what the compiler made of it, and nothing else
changes by that."""

import os
import pathlib
import re
import shutil
import subprocess

import numpy as np
import pytest

from harness import VINCI, vinci

KERNEL = """#include "kernel_operator.h"
#include "own.h"
extern "C" __global__ __aicore__ void fill(GM_ADDR out) {
  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::TPosition::VECOUT, 1> queue;
  AscendC::GlobalTensor<float> to;
  to.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(out), 64);
  pipe.InitBuffer(queue, 1, 256);
  auto values = queue.AllocTensor<float>();
  AscendC::Duplicate(values, float(NUMBER), COUNT);
  AscendC::printf("said\\n");
  queue.EnQue(values);
  values = queue.DeQue<float>();
  AscendC::DataCopy(to, values, 64);
  queue.FreeTensor(values);
}
"""


class Kernels:
    """Sources in one folder, each compiled with one cache."""

    def __init__(self, folder):
        self.folder = folder
        self.cache = folder / "cache"

    def run(self, name, text=KERNEL, number=1, count=64, soc="Ascend910B1", options=(),
            compiler="g++"):
        """One of them; what own.h defines is its own."""
        folder = self.folder / name
        folder.mkdir()
        (folder / "own.h").write_text(f"#define NUMBER {number}\n#define COUNT {count}\n")
        (folder / "kernel.cpp").write_text(text)
        run = vinci("run", "kernel.cpp", "--soc", soc, "--arg", "out:out.npy:float:64",
                    *(["--", *options] if options else []), cwd=folder,
                    env={"VINCI_CACHE": str(self.cache), "CXX": compiler})
        if run.code == 0:
            run.outputs = [np.load(folder / "out.npy")]
        return run

    def compiled(self):
        """The headers that the cache holds."""
        return [path.parent.name for path in self.cache.glob("headers/*/*.gch")]


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    """After four kernels, of which the last has the header compiled."""
    made = Kernels(tmp_path_factory.mktemp("leading"))
    for number in range(3):
        assert made.run(f"early{number}", number=100 + number).code == 0
    assert not made.compiled()
    assert made.run("fourth", number=2).code == 0
    assert len(made.compiled()) == 1
    return made


@pytest.mark.parametrize("soc", ["Ascend910A", "Ascend310P3", "Ascend910B1"])
def test_kernels_of_all_chips_share_it(kernels, soc):
    run = kernels.run(soc, number=3, soc=soc)
    assert run.code == 0, run.stderr
    assert (run.outputs[0] == 3).all()
    assert len(kernels.compiled()) == 1


def test_faults_have_the_lines_of_the_source(kernels):
    run = kernels.run("fault", number=4, count=65)
    assert run.code == 1
    assert "--> kernel.cpp:10 in fill" in run.stderr


def test_a_definition_that_changes_the_header_is_heeded(kernels):
    """By the command line and by the source; each twice, so that it would have been compiled."""
    assert "said" in kernels.run("speaking", number=5).stdout
    for time in range(3):
        run = kernels.run(f"silent{time}", number=6 + time, options=["-DASCENDC_DUMP=0"])
        assert run.code == 0 and "said" not in run.stdout
        run = kernels.run(f"quiet{time}", "#define ASCENDC_DUMP 0\n" + KERNEL, number=6 + time)
        assert run.code == 0 and "said" not in run.stdout
    assert len(kernels.compiled()) == 1


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_a_definition_that_changes_only_what_the_header_defines_is_heeded(kernels, compiler):
    """NDEBUG makes assert another macro; the header's text is the same."""
    text = KERNEL.replace('  AscendC::printf("said\\n");', "  assert(NUMBER < 50);")
    assert text != KERNEL
    for time in range(3):
        run = kernels.run(f"{compiler}{time}", text, number=50 + time, options=["-DNDEBUG"],
                          compiler=compiler)
        assert run.code == 0, run.stderr


def test_other_headers_may_include_it_once_more(kernels):
    text = KERNEL.replace('#include "own.h"', '#include "own.h"\n#include "lib/matmul_intf.h"')
    run = kernels.run("again", text, number=9)
    assert run.code == 0 and (run.outputs[0] == 9).all(), run.stderr


def test_a_source_that_begins_otherwise_is_compiled_as_ever(kernels):
    for time in range(3):
        run = kernels.run(f"late{time}", "#include <cstdint>\nusing Word = uint32_t;\n" + KERNEL,
                          number=10 + time)
        assert run.code == 0 and (run.outputs[0] == 10 + time).all()
    assert len(kernels.compiled()) == 1


def test_a_header_of_the_same_name_beside_the_source_is_taken(kernels):
    folder = kernels.folder / "own"
    folder.mkdir()
    (folder / "kernel_operator.h").write_text("#error this one\n")
    (folder / "kernel.cpp").write_text(KERNEL)
    run = vinci("run", "kernel.cpp", "--soc", "Ascend910B1", "--arg", "out:out.npy:float:64",
                cwd=folder, env={"VINCI_CACHE": str(kernels.cache)})
    assert run.code != 0 and "this one" in run.stderr


@pytest.mark.parametrize("options, code", [([], 3), (["-P"], 0)])
def test_kernels_that_do_not_have_it_are_read_twice_at_most(tmp_path, options, code):
    """Its place is taken by another file; with -P no text shows where a header begins."""
    if not options:
        (tmp_path / "kernel_operator.h").write_text("#pragma once\ntypedef unsigned char* GM_ADDR;\n")
    (tmp_path / "kernel.cpp").write_text(
        '#include "kernel_operator.h"\nextern "C" __global__ void k(GM_ADDR x) { x[0] = 1; }\n')
    run = vinci("run", "kernel.cpp", "--soc", "Ascend910B1", "--timeout", "60", "--arg",
                "zeros:float:8", *(["--", *options] if options else []), cwd=tmp_path)
    assert run.code == code and "interrupted" not in run.stderr, run.stderr


@pytest.mark.parametrize("soc", ["Ascend310P3", "Ascend910B1"])
def test_the_compiler_takes_it(kernels, soc):
    """With -H g++ marks what it refuses, as a header that it has read without a definition which the
    kernel's command has."""
    run = kernels.run("taken" + soc, number=5, soc=soc, compiler="g++ -H")
    marks = re.findall(r"^([!x]) \S*kernel_operator\.h\.gch$", run.stderr, re.M)
    assert marks == ["!"], run.stderr


@pytest.mark.parametrize("of_std", [
    "std::string text() { return std::to_string(NUMBER); }",
    "using namespace std;\nmap<int, vector<string>> names() { return {{NUMBER, {\"one\"}}}; }",
    "double bessel(double x) { return std::is_floating_point_v<double> ? j0(x) : 0; }",
    "int most() { return std::numeric_limits<int>::max() - std::numeric_limits<int8_t>::max(); }",
    "int letters(char c) { return isalpha(c) + errno + int(clock() > 0); }",
])
def test_a_kernel_has_what_it_names_of_the_standard_library(kernels, of_std):
    """Builds for the CPU have it, with the compiled header and before there is one."""
    name = f"std{abs(hash(of_std))}"
    run = kernels.run(name, KERNEL.replace('#include "own.h"\n', f'#include "own.h"\n{of_std}\n'))
    assert (run.code, run.outputs[0][0]) == (0, 1), run.stderr


def test_the_small_names_of_std_are_there_without_its_library(kernels):
    """Each that names_of_std.cpp takes for small, in a file that names nothing else."""
    table = pathlib.Path(__file__).parents[2] / "src" / "launch" / "compile" / "names_of_std.cpp"
    names = re.search(r"kSmall =(.*?);", table.read_text(), re.DOTALL)[1].replace('"', "").split()
    assert len(names) > 40
    own = "namespace own {\n" + "".join(f"using std::{name};\n" for name in names) + """
static_assert(numeric_limits<float>::max() > 0 && tuple_size<tuple<int, int>>() == 2);
static_assert(std::is_same_v<std::remove_const_t<const int>, int>);
}
"""
    run = kernels.run("small", KERNEL.replace('#include "own.h"\n', '#include "own.h"\n' + own))
    assert run.code == 0, run.stderr


def test_a_changed_header_is_compiled_anew(tmp_path):
    """In a tree of its own, whose header changes."""
    tree = tmp_path / "tree"
    build = pathlib.Path(VINCI).resolve().parent.parent
    shutil.copytree(build / "lib", tree / "lib")
    shutil.copytree((build / "include").resolve(), tree / "include")
    (tree / "bin").mkdir()
    shutil.copy(VINCI, tree / "bin")
    kernel = tmp_path / "kernel.cpp"
    said = []
    for number in range(6):
        if number == 4:
            with open(tree / "include" / "kernel_operator.h", "a", encoding="utf-8") as header:
                header.write("\n#define NUMBER 70\n")
        definitions = "" if number >= 4 else f"#define NUMBER {number}\n"
        kernel.write_text(KERNEL.replace('#include "own.h"\n', definitions)
                          .replace("COUNT", "64") + f"int is_another{number};\n")
        subprocess.run([tree / "bin" / "vinci", "run", kernel, "--soc", "Ascend910B1", "--arg",
                        f"out:{tmp_path}/out.npy:float:64"], check=True, capture_output=True,
                       env={**os.environ, "VINCI_CACHE": str(tmp_path / "cache")})
        said.append(np.load(tmp_path / "out.npy")[0])
    assert said == [0, 1, 2, 3, 70, 70]
    assert len(list(tmp_path.glob("cache/headers/*/*.gch"))) == 2
