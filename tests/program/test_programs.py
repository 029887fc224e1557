"""Whole projects for the vendor's toolkit, each built by its own build files and judged by its own
script, in an environment that `vinci env` makes.

A folder of projects/ is one: gen_data.py, if there is one, writes the input; CMakeLists.txt or
build.sh builds `demo`; verify_result.py looks at what it wrote, at stdout.txt and at stderr.txt.
"""

import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest

import harness
from harness import ROOT, VINCI
from reference import attention

PROJECTS = pathlib.Path(__file__).parent / "projects"
GENERATORS = ["Ninja", "Unix Makefiles"]

# Those that must do something wrong: vinci's report tells of it, and the program's exit code.
FAULTY = {"asc_assert", "asc_bad_host_calls", "asc_deadlock", "asc_kernel_fault",
          "bisheng_bad_binaries", "rtc_bad_sources"}

# One of each kind of build, which `make test` has; `.ci/run` has all of them.
SAMPLE = {"asc_add", "asc_mix_1_2", "lib_workspace", "twin_keys", "bisheng_objects", "rtc_templates",
          "op_attributes"}

# What else a project's user may choose.
CHOICES = [
    ("asc_add", ["-DCMAKE_ASC_ARCHITECTURES=dav-2002", "-DCMAKE_BUILD_TYPE=Release"]),
    ("asc_add", ["-DCMAKE_BUILD_TYPE=Debug"]),
    ("asc_add_cpu", ["-DCMAKE_ASC_RUN_MODE=npu"]),
    ("asc_add_cpu", ["-DCMAKE_ASC_RUN_MODE=sim"]),
    ("lib_add", ["-DSOC_VERSION=Ascend910B1"]),
    ("lib_add", ["-DSOC_VERSION=Ascend910A", "-DRUN_MODE=sim"]),
    ("lib_add", ["-DSOC_VERSION=Ascend310P3", "-DRUN_MODE=cpu"]),
    ("lib_add", ["-DSOC_VERSION=ascend910b1", "-DRUN_MODE=cpu"]),
    ("lib_workspace", ["-DSOC_VERSION=Ascend310P3"]),
    ("twin_keys", ["-DSOC_VERSION=Ascend310P3"]),
]


@pytest.fixture(name="environment", scope="module")
def fixture_environment():
    """What a shell has after eval "$(vinci env)", and nothing of this shell's but what it needs."""
    kept = {name: os.environ[name] for name in ("HOME", "PATH", "CXX", "ASAN_OPTIONS", "CCACHE_DIR")
            if name in os.environ}
    words = ["bash", "-c", f'eval "$("{VINCI}" env)" && env -0']
    lines = subprocess.run(words, env=kept, check=True, stdout=subprocess.PIPE).stdout
    return dict(line.split("=", 1) for line in lines.decode().split("\0") if line)


def call(words, folder, environment):
    """Runs a command that has to succeed; gives what it said."""
    done = subprocess.run(words, cwd=folder, env=environment, text=True, timeout=300, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, f"{' '.join(map(str, words))}\n{done.stdout}"
    return done.stdout


def build(folder, environment, choices, generator):
    """The program."""
    if (folder / "build.sh").exists():
        call(["bash", "build.sh"], folder, environment)
        return folder / "demo"
    call(["cmake", "-S", ".", "-B", "build", "-G", generator, *choices], folder, environment)
    call(["cmake", "--build", "build"], folder, environment)
    return folder / "build" / "demo"


def run_project(name, choices, generator, tmp_path, environment):
    """As its user does it."""
    folder = tmp_path / f"my {name}"  # many a path has a space
    shutil.copytree(PROJECTS / name, folder)
    if (folder / "gen_data.py").exists():
        call([sys.executable, "gen_data.py"], folder, environment)
    demo = build(folder, environment, choices, generator)
    with open(folder / "stdout.txt", "wb") as out, open(folder / "stderr.txt", "wb") as err:
        code = subprocess.run([demo], cwd=folder, env=environment | harness.preloaded(), stdout=out, stderr=err,
                              timeout=120, check=False).returncode
    said = (folder / "stderr.txt").read_text()
    assert code == (1 if name in FAULTY else 0), f"{code}\n{said}"
    assert (said != "") == (name in FAULTY), said
    assert "test pass" in call([sys.executable, "verify_result.py"], folder, environment)


NAMES = sorted(path.name for path in PROJECTS.iterdir())


def marks_of(name):
    """Half of those that `make test` leaves out, with both generators, are for `make check-all`."""
    if name in SAMPLE:
        return []
    return [pytest.mark.whole] + [pytest.mark.sweep] * (NAMES.index(name) // 2 % 2)


@pytest.mark.parametrize("name", [pytest.param(name, marks=marks_of(name)) for name in NAMES])
def test_project(name, tmp_path, environment):
    run_project(name, [], GENERATORS[NAMES.index(name) % 2], tmp_path, environment)


@pytest.mark.sweep
@pytest.mark.whole
@pytest.mark.parametrize("name, choices", CHOICES, ids=lambda value: str(value).replace("/", "_"))
def test_choices(name, choices, tmp_path, environment):
    run_project(name, choices, GENERATORS[0], tmp_path, environment)


@pytest.mark.whole
@pytest.mark.parametrize("generator", GENERATORS)
def test_a_shared_library_is_linked_by_each_generator(generator, tmp_path, environment):
    run_project("asc_shared_library", [], generator, tmp_path, environment)


@pytest.mark.parametrize("name, choices, message", [
    ("lib_add", ["-DSOC_VERSION=Ascend999"], 'SOC_VERSION is "Ascend999"; vinci has Ascend910B '),
    ("lib_add", ["-DSOC_VERSION="], 'SOC_VERSION is ""; vinci has Ascend910B '),
    ("asc_add_cpu", ["-DCMAKE_ASC_RUN_MODE=gpu"],
     'CMAKE_ASC_RUN_MODE is "gpu"; legal: npu, cpu, sim.'),
    ("asc_add", ["-DCMAKE_ASC_STANDARD=new"], 'CMAKE_ASC_STANDARD is "new"; a number is wanted'),
], ids=lambda value: str(value).replace("/", "_"))
def test_what_configuring_refuses(name, choices, message, tmp_path, environment):
    """The message of CMake, whose lines are broken where it likes."""
    done = subprocess.run(["cmake", "-S", PROJECTS / name, "-B", tmp_path, *choices], text=True,
                          env=environment, capture_output=True, check=False)
    assert done.returncode == 1
    assert message in " ".join(done.stderr.split())


def test_set_env_gives_what_vinci_env_prints(environment, tmp_path):
    """Wherever it is sourced from, and by whichever of its names; twice adds nothing."""
    tree = pathlib.Path(environment["ASCEND_HOME_PATH"])
    clean = {name: os.environ[name] for name in ("HOME", "PATH") if name in os.environ}
    names = [name for name in environment if name.startswith(("ASCEND", "CMAKE")) or "PATH" in name]
    for file in ["set_env.sh", "bin/setenv.bash", "../set_env.sh"]:
        words = ["bash", "-c", f'source "{tree}/{file}"; source "{tree}/{file}"; env -0']
        lines = subprocess.run(words, env=clean, cwd=tmp_path, check=True,
                               stdout=subprocess.PIPE).stdout.decode().split("\0")
        found = dict(line.split("=", 1) for line in lines if line)
        assert {name: found.get(name) for name in names} == {
            name: environment[name] for name in names}


@pytest.mark.parametrize("shell", ["bash", "dash"])
def test_the_shell_needs_no_quotes(shell, environment):
    """eval $(vinci env), as people type it, joins all lines with blanks."""
    clean = {name: os.environ[name] for name in ("HOME", "PATH") if name in os.environ}
    lines = subprocess.run([shell, "-c", f"eval $('{VINCI}' env); env -0"], env=clean, check=True,
                           stdout=subprocess.PIPE).stdout.decode().split("\0")
    found = dict(line.split("=", 1) for line in lines if line)
    names = [name for name in environment if name.startswith(("ASCEND", "CMAKE")) or "PATH" in name]
    assert {name: found.get(name) for name in names} == {name: environment[name] for name in names}


def test_every_link_of_the_tree_leads_somewhere_inside(environment):
    """It can be moved: links are relative, and stay below the folder that has bin and lib."""
    tree = pathlib.Path(environment["ASCEND_HOME_PATH"])
    top = tree.parent.parent.parent.resolve()
    links = [path for path in tree.rglob("*") if path.is_symlink()]
    assert len(links) > 20
    for link in links:
        assert not os.path.isabs(os.readlink(link)), link
        assert link.exists(), link
        lexical = pathlib.Path(os.path.normpath(link.parent.resolve() / os.readlink(link)))
        assert lexical.is_relative_to(top), link


@pytest.fixture(name="flash_attention", scope="module")
def fixture_flash_attention(environment, tmp_path_factory):
    """The example, built."""
    folder = tmp_path_factory.mktemp("flash_attention")
    shutil.copytree(ROOT / "examples" / "flash_attention", folder, dirs_exist_ok=True)
    return build(folder, environment, [], "Ninja")


@pytest.mark.parametrize("heads, length, blocks, schedule", [
    (1, 16, 1, "eager"), (1, 64, 1, "lazy"), (2, 80, 3, "eager"), (3, 208, 2, "lazy"),
    (1, 512, 2, "random:1"), (1, 1024, 2, "eager")])
def test_flash_attention(flash_attention, environment, tmp_path, heads, length, blocks, schedule):
    """One tile, tails of rows and of columns, more cores than tiles; whenever instructions run."""
    rng = np.random.default_rng(length)
    q, k, v = (rng.normal(size=(heads, length, 64)).astype(np.float16) for _ in range(3))
    q[0, 0] *= 20  # of one key: whatever the score, its weight is 1
    k[0, length // 2] *= 8  # a maximum that moves when the tile of this key comes
    for name, array in zip("qkv", (q, k, v)):
        array.tofile(tmp_path / f"{name}.bin")
    words = [flash_attention, str(heads), str(length), str(blocks)]
    said = call(words, tmp_path, environment | harness.preloaded() | {"VINCI_SCHEDULE": schedule})
    assert said == ""
    out = np.fromfile(tmp_path / "out.bin", np.float16).reshape(q.shape)
    want, within = attention(q, k, v)
    assert (np.abs(out - want) <= within).all()
    assert (out[:, 0] == v[:, 0]).all()


@pytest.mark.parametrize("folder", ["lib64", "{processor}-linux/lib64", "{processor}-linux/devlib", "devlib",
                                    "lib64/stub", "runtime/lib64/stub", "acllib/lib64/stub", "compiler/lib64/stub"])
def test_programs_link_in_each_folder_that_scripts_name(folder, tmp_path, environment):
    """As NPU_HOST_LIB, and run with the libraries of LD_LIBRARY_PATH."""
    root = pathlib.Path(environment["ASCEND_HOME_PATH"])
    (tmp_path / "main.cpp").write_text("""
#include "acl/acl.h"
int main() { return aclInit(nullptr) + aclFinalize(); }
""")
    path = root / folder.format(processor=os.uname().machine)
    call([environment.get("CXX", "g++"), "main.cpp", f"-I{root}/include", f"-L{path}", "-lascendcl", "-lacl_op_compiler",
          "-lnnopbase", "-o", "demo"], tmp_path, environment)
    call(["./demo"], tmp_path, environment | harness.preloaded())


def test_libraries_by_name(tmp_path, environment):
    """What Python loads by the toolkit's names is one library, which has the runtime's functions."""
    script = tmp_path / "load.py"
    script.write_text("""
import ctypes

for name in ("libvinci.so", "libascendcl.so", "libruntime.so"):
    library = ctypes.CDLL(name)
assert ctypes.CDLL("libascendcl.so").aclInit(None) == 0
loaded = {line.split()[-1] for line in open("/proc/self/maps") if "libvinci.so" in line}
assert len(loaded) == 1, loaded
print("test pass")
""")
    assert "test pass" in call([sys.executable, str(script)], tmp_path,
                               environment | harness.preloaded())
