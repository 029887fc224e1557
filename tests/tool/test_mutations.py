"""The example kernels, each with one statement left out: something is found, or it changes nothing.

A statement that orders or moves something is taken out of a kernel that is right. Then a fault or a
warning says so, or all outputs are what they were, whenever the instructions run: those statements
are listed here, with the reason why nobody misses them.
"""

import dataclasses
import functools
import pathlib
import re
import tempfile

import pytest

import run as examples  # examples/run.py
from harness import ROOT, Out, check_clean, run_kernel

FOLDER = ROOT / "examples"
STATEMENT = re.compile(
    r"^ *(?:\w+\.EnQue|\w+\.FreeTensor|\w+ = \w+\.(?:template )?DeQue<\w+>|PipeBarrier<\w+>"
    r"|(?:AscendC::)?(?:SetFlag<[\w:]+>|WaitFlag<[\w:]+>|DataCopy|DataCopyPad|LoadData|Fixpipe|Gather|Cast))"
    r"\((?:[^;]|\n)*?;", re.M)
# What may be left out: M waits by itself between products of so many fractals (vinci explain order).
NOT_MISSED = {(f"{name}/{name}.cpp", "PipeBarrier<PIPE_M>();") for name in (
    "gemm", "gemm_310p", "gemm_int8_transposed", "gemm_float_bias", "conv_int8")}
# What nobody but a comparison can miss: these counts stay 0, as another copy has left them.
ONLY_WRONG = {("moe_routing/moe_routing.cpp", "DataCopy(counts_, tally, kExperts);")}


@dataclasses.dataclass
class Launch:
    """How `make run` runs a kernel."""

    soc: str
    kernel: str
    blocks: int
    parameters: list


class Recorder(examples.Examples):
    """Runs nothing, and keeps the first launch of each source."""

    launches = {}

    def run(self, name, source, soc, parameters, golden, against, blocks=1, rtol=0, atol=0):
        def out(parameter):
            wanted = golden[parameter] if isinstance(golden, dict) else golden
            return Out(examples.TYPES.get(wanted.dtype.name, wanted.dtype.name), *wanted.shape)

        values = [out(parameter) if value is None else value
                  for parameter, value in parameters.items()]
        self.launches.setdefault(source, Launch(soc, name, blocks, values))
        return golden


@functools.cache
def launches():
    """By source."""
    with tempfile.TemporaryDirectory() as folder:
        recorder = Recorder(None, pathlib.Path(folder))
        for make in (examples.run_gather, examples.run_sigmoid, examples.run_load_data_inputs,
                     examples.run_edges, examples.run_gemms, examples.run_gemms_310p,
                     examples.run_gemm_float_bias, examples.run_conv_int8, examples.run_conv2d,
                     examples.run_layer_norm, examples.run_moe):
            make(recorder)
    return recorder.launches


def mutations():
    """(source, line, statement) of all that can be left out, a sample of it without a mark."""
    cases = []
    for source in launches():
        text = (FOLDER / source).read_text()
        for found in STATEMENT.finditer(text):
            if (source, " ".join(found.group().split())) in ONLY_WRONG:
                continue
            line = text.count("\n", 0, found.start()) + 1
            whole = () if source == "gather/gather.cpp" else pytest.mark.whole
            cases.append(pytest.param(source, found.span(), marks=whole, id=f"{source}:{line}"))
    assert len(cases) > 100
    return cases


def outputs(path, source, schedule=None):
    launch = launches()[source]
    more = ("--schedule", schedule) if schedule else ()
    return run_kernel(path, *launch.parameters, soc=launch.soc, blocks=launch.blocks,
                      kernel=launch.kernel, options=("-O1",), extra=more)


@functools.cache
def right(source):
    run = outputs(FOLDER / source, source)
    check_clean(run)
    return run.outputs[0].tobytes()


@pytest.mark.parametrize("source, span", mutations())
def test_what_is_left_out_is_missed(tmp_path, source, span):
    text = (FOLDER / source).read_text()
    statement = " ".join(text[slice(*span)].split())
    mutant = tmp_path / "mutant.cpp"
    mutant.write_text(text[:span[0]] + text[span[1]:])
    run = outputs(mutant, source)
    assert run.report is not None, run.stderr
    if (source, statement) not in NOT_MISSED:
        assert run.codes, f"nobody misses {statement}"
        return
    check_clean(run)
    for schedule in (None, "lazy", *(f"random:{seed}" for seed in range(20))):
        assert outputs(mutant, source, schedule).outputs[0].tobytes() == right(source)
