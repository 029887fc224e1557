"""Correct kernels, each with one statement left out or changed: something is found, or it changes nothing.

A statement that orders or moves something is taken out of a kernel that is right, or made to wait for
another pipe. Then a fault or a warning says so; or nobody needs it, which two others have to confirm: an
oracle that reads what the core was given (happens_before.py) finds nothing without an order, and all
outputs are what they were under many schedules. Those statements are listed here, with the reason.
"""

import dataclasses
import functools
import pathlib
import re
import tempfile

import numpy as np
import pytest

import run as examples  # examples/run.py
from happens_before import Trace
from harness import ROOT, Out, Value, check_clean, run_kernel

SCHEDULES = 100
CASES = pathlib.Path(__file__).parent / "kernels" / "races.cpp"
CASE_KERNELS = {"flags": "Ascend310P3", "copies": "Ascend310B1", "atomics": "Ascend910A",
                "queues": "Ascend910B1", "cube": "Ascend910B1", "unit_flags": "Ascend910B1"}
STATEMENT = re.compile(
    r"^ *(?:UNLESS\(\d+\) )?((?:\w+\.EnQue|\w+\.FreeTensor|\w+ = \w+\.(?:template )?DeQue<\w+>"
    r"|PipeBarrier<\w+>|(?:AscendC::)?(?:SetFlag<[\w:]+>|WaitFlag<[\w:]+>|DataCopy|DataCopyPad"
    r"|LoadData|Fixpipe|Gather|Cast))\((?:[^;]|\n)*?;)", re.M)
MOVES = re.compile(r"DataCopy|LoadData|Fixpipe|Gather|Cast")
PRELUDE = """
#include <cstdlib>
static const int mutant = std::getenv("MUTANT") == nullptr ? 0 : std::atoi(std::getenv("MUTANT"));
"""
# What nobody but a comparison can miss: these counts stay 0, as another copy has left them, and the
# buffer of the result holds weights.
ONLY_WRONG = {("moe_routing.cpp", "DataCopy(counts_, tally, kExperts);"),
              ("flash_attention.asc", "Cast(result, sums, RoundMode::CAST_RINT, rows_ * kWidth);")}


@dataclasses.dataclass
class Launch:
    """How a kernel is run."""

    source: pathlib.Path
    soc: str
    kernel: str
    blocks: int
    parameters: list
    as_kernel: object = str  # what `vinci run` takes, of the source's text


def softmax_kernel(text):
    """The operator's, with its tiling data as a struct."""
    return text.replace("using namespace AscendC;", "using namespace AscendC;\n"
                        "struct SoftmaxRowsTilingData { uint32_t rows, columns; float scale; };", 1).replace(
                            "GET_TILING_DATA(t, tiling);",
                            "const SoftmaxRowsTilingData t = *(__gm__ SoftmaxRowsTilingData*)tiling;")


def axpy_kernel(text):
    """The program's, with an output of its own."""
    begin, end = text.index("constexpr"), text.index("std::vector<float> Read")
    return '#include "kernel_operator.h"\n' + text[begin:end].replace(
        "template <typename T>\n__global__ __vector__ void axpy(GM_ADDR x, GM_ADDR y, Axpy what) {",
        'using T = float;\nextern "C" __global__ __aicore__ void axpy(GM_ADDR x, GM_ADDR y, GM_ADDR z,\n'
        "                                           uint32_t elements, float a) {\n"
        "  const Axpy what{elements, a};\n  AscendC::GlobalTensor<T> z_gm;\n"
        "  z_gm.SetGlobalBuffer((__gm__ T*)z + AscendC::GetBlockIdx() * elements, elements);").replace(
            "DataCopy(y_gm[at], out, kTile)", "DataCopy(z_gm[at], out, kTile)")


def attention_kernel(text):
    """The program's, with its struct in GM."""
    begin, end = text.index("constexpr"), text.index("// A product of")
    return '#include "kernel_operator.h"\n#include "lib/matmul_intf.h"\nusing namespace AscendC;\n' + text[
        begin:end].replace("__global__ __mix__(1, 2) void", 'extern "C" __global__ __aicore__ void').replace(
            "Attention what) {\n", "GM_ADDR struct_) {\n  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);\n"
            "  const Attention what = *(__gm__ Attention*)struct_;\n")


def attention_launch(random, heads=1, length=272):
    """Tiles of 128 queries and keys."""
    def product(m, n, k):
        words = np.zeros(50, np.int32)
        words[:15] = 1, m, n, k, k, m, n, k, m, n, k, 1, 1, 1, 1
        words[26:28] = 1
        return words

    struct = np.concatenate([np.array([heads, length], np.int32), product(128, 128, 64),
                             product(128, 64, 128)])
    rows = [random.normal(size=(heads, length, 64)).astype(np.float16) for _ in range(3)]
    return Launch(ROOT / "examples/flash_attention/flash_attention.asc", "Ascend910B1", "flash_attention", 1,
                  [*rows, Out("half", heads, length, 64), np.zeros(8, np.int32), struct], attention_kernel)


@dataclasses.dataclass
class Mutant:
    """One statement that is left out, or another in its place."""

    launch: str
    number: int
    statement: str
    instead: str
    line: int


class Recorder(examples.Examples):
    """Runs nothing, and keeps the first launch of each source."""

    launches = {}

    def run(self, name, source, soc, parameters, golden, against, blocks=1, rtol=0, atol=0):
        def out(parameter):
            wanted = golden[parameter] if isinstance(golden, dict) else golden
            return Out(examples.TYPES.get(wanted.dtype.name, wanted.dtype.name), *wanted.shape)

        values = [out(parameter) if value is None else value
                  for parameter, value in parameters.items()]
        path = ROOT / "examples" / source
        self.launches.setdefault(path.name, Launch(path, soc, name, blocks, values))
        return golden


@functools.cache
def launches():
    """By name."""
    with tempfile.TemporaryDirectory() as folder:
        recorder = Recorder(None, pathlib.Path(folder))
        for make in (examples.run_gather, examples.run_sigmoid, examples.run_load_data_inputs,
                     examples.run_edges, examples.run_gemms, examples.run_gemms_310p,
                     examples.run_gemm_float_bias, examples.run_conv_int8, examples.run_conv2d,
                     examples.run_layer_norm, examples.run_moe, examples.run_fused_matmul):
            make(recorder)
    random = np.random.default_rng(5)
    tiling = np.array([10, 333, np.float32(1).view(np.int32)], np.int32)
    recorder.launches["softmax_rows.cpp"] = Launch(
        ROOT / "examples/operator/op_kernel/softmax_rows.cpp", "Ascend910B1", "softmax_rows", 4,
        [random.normal(size=(10, 333)).astype(np.float32), Out("float", 10, 333), np.zeros(8, np.int32),
         tiling], softmax_kernel)
    recorder.launches["axpy.asc"] = Launch(
        ROOT / "examples/project/axpy.asc", "Ascend910B1", "axpy", 4,
        [random.integers(-99, 99, 8192).astype(np.float32) for _ in range(2)]
        + [Out("float", 8192), Value("uint32", 2048), Value("float", 0.5)], axpy_kernel)
    recorder.launches["flash_attention.asc"] = attention_launch(random)
    data = np.random.default_rng(7).integers(0, 16, 8192).astype(np.float16)
    for kernel, soc in CASE_KERNELS.items():
        recorder.launches[kernel] = Launch(CASES, soc, kernel, 1, [
            data, Out("float", 4096, part=True), Value("int32", 0)])
    return recorder.launches


def changed(statement):
    """The same for another pipe; "" where there is none."""
    barrier = re.fullmatch(r"PipeBarrier<PIPE_(\w+)>\(\);", statement)
    if barrier:
        return f"PipeBarrier<PIPE_{'MTE3' if barrier[1] != 'MTE3' else 'MTE2'}>();"
    flag = re.fullmatch(r"((?:Set|Wait)Flag<HardEvent::)(\w+?)_(\w+)(>\(.*\);)", statement)
    return f"{flag[1]}{flag[3]}_{flag[2]}{flag[4]}" if flag else ""


def text_of_kernel(name):
    """Where its text begins and ends in the file: all of it, but for kernels that share one."""
    launch = launches()[name]
    text = launch.as_kernel(launch.source.read_text())
    if launch.source != CASES:
        return 0, len(text), text
    begin = text.index(f"__aicore__ void {name}(")
    return begin, text.index("\n}\n", begin), text


def statements(name):
    """Of a kernel that is a case of its own only those that put something in order."""
    begin, end, text = text_of_kernel(name)
    for place in STATEMENT.finditer(text, begin, end):
        if begin == 0 or not MOVES.match(place[1]):
            yield place


@functools.cache
def mutants(name):
    """All of one kernel."""
    _, _, text = text_of_kernel(name)
    found = []
    for place in statements(name):
        line = text.count("\n", 0, place.start(1)) + 1
        for instead in ("", changed(place[1])) if changed(place[1]) else ("",):
            found.append(Mutant(name, len(found) + 1, " ".join(place[1].split()), instead, line))
    return found


@functools.cache
def mutated(name):
    """The kernel's file with all of them, of which MUTANT in the environment chooses one."""
    begin, end, text = text_of_kernel(name)
    numbers = iter(mutants(name))

    def choice(place):
        statement = place[1]
        if begin != 0 and MOVES.match(statement):
            return place[0]
        removed = next(numbers)
        words = f"if (mutant == {removed.number}) {{}} else "
        if changed(statement):
            words += f"if (mutant == {next(numbers).number}) {changed(statement)} else "
        return place[0].replace(statement, words + statement)

    kernel = STATEMENT.sub(choice, text[begin:end])
    before = text[:begin].replace("#include", PRELUDE + "#include", 1) if begin else ""
    if not begin:
        kernel = kernel.replace("#include", PRELUDE + "#include", 1)
    folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
    path = pathlib.Path(folder.name) / f"{pathlib.Path(name).stem}.cpp"
    path.write_text(before + kernel + text[end:])
    mutated.folders = getattr(mutated, "folders", []) + [folder]
    return path


def run(mutant_of, *extra, check="full"):
    launch = launches()[mutant_of]
    return run_kernel(mutated(mutant_of), *launch.parameters, soc=launch.soc, blocks=launch.blocks,
                      kernel=launch.kernel, options=("-O1", f"-I{CASES.parent}"), extra=extra,
                      check=check)


# What nobody misses, and why: the oracle and the schedules agree. By kernel and statement; with what
# stands there instead, if it is not just left out.
M_WAITS = "products of so many fractals follow each other by hardware (vinci explain order)"
REDUNDANT = {
    **{(name, "PipeBarrier<PIPE_M>();", instead): M_WAITS for instead in ("", "PipeBarrier<PIPE_MTE3>();")
       for name in ("gemm.cpp", "gemm_310p.cpp", "gemm_int8_transposed.cpp", "gemm_float_bias.cpp")},
    **{("cube", "PipeBarrier<PIPE_MTE1>();", instead): "one load fills L0A, the other L0B"
       for instead in ("", "PipeBarrier<PIPE_MTE3>();")},
}


def all_mutants():
    """A sample of it without a mark."""
    cases = []
    for name in launches():
        for mutant in mutants(name):
            if (name, mutant.statement) in ONLY_WRONG:
                continue
            marks = () if name in ("gather.cpp", "flags") else pytest.mark.whole
            kind = "changed" if mutant.instead else "out"
            cases.append(pytest.param(mutant, marks=marks, id=f"{name}:{mutant.line}:{kind}"))
    assert len(cases) > 150
    return cases


@functools.cache
def right(name):
    done = run(name)
    check_clean(done)
    return done.outputs[0].tobytes()


@pytest.mark.parametrize("mutant", all_mutants())
def test_what_is_left_out_is_missed(monkeypatch, tmp_path, mutant):
    name, trace = mutant.launch, tmp_path / "trace"
    is_right = right(name)
    monkeypatch.setenv("MUTANT", str(mutant.number))
    done = run(name)
    assert done.report is not None, done.stderr
    key = name, mutant.statement, mutant.instead
    if done.codes:
        assert key not in REDUNDANT
        return
    assert key in REDUNDANT, f"nobody misses {mutant}"
    monkeypatch.setenv("VINCI_SELF_CHECK", f"trace={trace}")
    check_clean(run(name))
    cores = sorted(tmp_path.glob("trace.*"))
    assert len(cores) >= launches()[name].blocks
    for core in cores:
        assert Trace(core.read_text().splitlines()).races == []
    monkeypatch.delenv("VINCI_SELF_CHECK")
    explored = run(name, "--explore", str(SCHEDULES))
    check_clean(explored)
    assert explored.report["explored"] == {"schedules": SCHEDULES, "differs_under": None}
    assert explored.outputs[0].tobytes() == is_right


@pytest.mark.parametrize("name", [pytest.param(name, marks=() if name == "flags" else pytest.mark.whole)
                                  for name in CASE_KERNELS])
def test_oracle_and_checker_agree(monkeypatch, tmp_path, name):
    """Writes of the same bytes may come in any order, which the oracle does not know."""
    agreed = 0
    for mutant in mutants(name):
        trace = tmp_path / f"trace{mutant.number}"
        monkeypatch.setenv("MUTANT", str(mutant.number))
        monkeypatch.setenv("VINCI_SELF_CHECK", f"trace={trace}")
        found = run(name, check="race")
        races = Trace(pathlib.Path(f"{trace}.0").read_text().splitlines()).races
        if "V4009" in found.codes:
            assert races, (mutant, found.stderr)
            agreed += 1
        else:
            assert all(both_write for *_, both_write in races), mutant
    assert agreed > 0
