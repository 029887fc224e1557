"""Runs the benchmarks and prints ratios against the public counterparts of the same run.

A ratio is speed over speed (1 = as fast as the counterpart), the median over repetitions that are
shuffled together. The floors are those of docs/guide/speed.md. With --record the result goes to
bench/results/.
"""

import argparse
import datetime
import itertools
import json
import os
import pathlib
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import judged
import packages
from cast_table import MODES, TABLE

# Loads that rearrange what they copy.
TURNED = ["load_2d_transpose", "transpose_b4", "transpose_b8", "transpose_b16", "transpose_b32",
          "load_3d_v1_a2_mode_0", "load_3d_v1_a2_mode_1", "load_3d_v1_b2_mode_0",
          "load_3d_v1_b2_mode_1", "load_3d_v2_a2", "load_3d_v2_a2_turned_b16",
          "load_3d_v2_a2_turned_b32", "load_3d_v2_b2_b16", "load_3d_v2_b2_b32"]

# Element-wise instructions, each on half and float, as one count and in repeats with gaps.
ELEMENTWISE = {
    **{name: ("vinci", "loop", 0.7) for name in ["add", "mul", "muls", "max"]},
    **{name: ("vinci", "sleef", 0.3) for name in ["exp", "ln", "sqrt"]},
    **{name: ("vinci", "loop", 0.3) for name in ["div", "rsqrt", "reciprocal"]},
}

# work: (ours, counterpart, least ratio or None)
RATIOS = {
    **{f"{name}_{dtype}{form}": ratio for name, ratio in ELEMENTWISE.items()
       for dtype in ["half", "float"] for form in ["", "_strided"]},
    "gather_b16": ("vinci", "loop", 1.0),
    "gather_b32": ("vinci", "loop", 1.0),
    "data_copy": ("vinci", "memcpy", 0.8),
    "data_copy_bursts": ("vinci", "memcpy", 0.8),
    "mmad_half": ("vinci", "openblas", 0.9),
    "mmad_bfloat16": ("vinci", "openblas", 0.9),
    "mmad_float": ("vinci", "openblas", 0.9),
    "mmad_int8": ("vinci", "onednn", 0.9),
    "mmad_uint8": ("vinci", "onednn", None),
    "mmad_int4": ("vinci", "onednn", 0.9),
    "conv2d_half": ("vinci", "onednn", 0.3),
    "conv2d_int8": ("vinci", "onednn", 0.3),
    "load_2d": ("vinci", "memcpy", 0.8),
    "nd2nz": ("vinci", "memcpy", 0.8),
    **{work: ("vinci", "memcpy", 0.4) for work in TURNED},
    "gemm_kernel": ("vinci", "openblas", 0.5),
    "matmul_object": ("vinci", "openblas", 0.6),
    "softmax_library": ("vinci", "sleef", 0.5),
    "layer_norm_library": ("vinci", "loop", 0.5),
    "two_blocks": ("two_threads", "one_thread", 1.8),
    "gather_checks": ("full", "off", 1 / 3),
    "data_copy_checks": ("full", "off", 1 / 3),
    "add_one_repeat_checks": ("full", "off", 0.2),
    "queue_steps_checks": ("full", "off", 0.2),
    **{work + "_checks": ("full", "off", 1 / 3) for work in ["load_2d", "nd2nz", *TURNED]},
}
# Cast of each pair and mode of the 910B: where the host has instructions for it, and where not.
CAST_LOOP_LEAST, CAST_MEMCPY_LEAST = 0.7, 0.3
CAST_MODES = dict(zip(MODES, ["none", "rint", "floor", "ceil", "round", "trunc", "odd"]))
ISSUE_NANOSECONDS = 25
# The counterparts' own threads would go on spinning beside what is measured next.
ONE_THREAD = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
HEADER_SECONDS, HEADER_MEGABYTES = 0.4, 100
TIK_ELEMENTS = 1 << 22
RECORDING_SECONDS = 2  # of 10,000 statements
LAUNCH_MICROSECONDS, BARRIERS_SECONDS = 20, 1  # of 1,000 barriers
PASSES, PASS_RATIO = 3, 1.5  # for the host and for each kind of core


def medians(build, repetitions):
    """Nanoseconds by benchmark name, each the median over the repetitions."""
    output = subprocess.run(
        [build / "bin" / "vinci_bench", "--benchmark_format=json",
         f"--benchmark_repetitions={repetitions}", "--benchmark_min_time=0.05",
         "--benchmark_enable_random_interleaving=true"],
        check=True, capture_output=True, text=True, env=ONE_THREAD).stdout
    times = {}
    for run in json.loads(output)["benchmarks"]:
        if run.get("error_occurred"):
            sys.exit(f"{run['name']}: {run['error_message']}")
        if run["run_type"] == "iteration":
            # What runs on several threads is measured by the clock, and its name says so.
            work, side, *options = run["name"].split("/")
            clock = "real_time" in options
            times.setdefault(f"{work}/{side}", []).append(run["real_time" if clock else "cpu_time"])
    return {name: statistics.median(values) for name, values in times.items()}


def header_cost():
    """Seconds and megabytes of g++ for an empty kernel, the best of five."""
    kernel = '#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void empty() {}\n'
    best = float("inf")
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(["g++", "-std=c++17", f"-I{ROOT / 'include'}", "-fsyntax-only", "-x", "c++",
                        "-"], input=kernel, text=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    code = ("import resource,subprocess,sys;"
            "subprocess.run(sys.argv[1:],stdin=0,check=True);"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    peak = subprocess.run([sys.executable, "-c", code, "g++", "-std=c++17",
                           f"-I{ROOT / 'include'}", "-fsyntax-only", "-x", "c++", "-"],
                          input=kernel, text=True, check=True, capture_output=True).stdout
    return best, int(peak) / 1024


def output_of(command, folder, **environment):
    """Standard output of a command in a folder."""
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder,
                          env={**os.environ, **environment}).stdout


def tik_cost(build, repetitions):
    """Seconds of one kernel under `vinci run` and of that command, of the same kernel as a TIK script
    and of its start_debug, each the least of its runs; and seconds to record 10,000 statements."""
    tik = ROOT / "bench" / "tik"
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        for name in "ab":
            np.save(path / f"{name}.npy", np.ones(TIK_ELEMENTS, np.float16))
        command = [build / "bin" / "vinci", "run", tik / "vec_add.cpp", "--soc", "Ascend310P3",
                   "--blocks", "2", "--quiet", "--json", "report.json", "--arg", "in:a.npy", "--arg",
                   "in:b.npy", "--arg", f"out:c.npy:half:{TIK_ELEMENTS}"]
        kernel = command_whole = float("inf")
        for _ in range(repetitions + 1):  # the first one compiles
            begin = time.monotonic()
            output_of(command, folder)
            command_whole = min(command_whole, time.monotonic() - begin)
            kernel = min(kernel, json.loads((path / "report.json").read_text())["seconds"])
        script = output_of([sys.executable, "-m", "vinci.tik", "--soc", "Ascend310P3",
                            tik / "vec_add.py", str(repetitions)],
                           folder, PYTHONPATH=str(build / "python"))
    return kernel, command_whole, *map(float, script.split())


def tik_rows(build, repetitions):
    kernel, command, script, start_debug, recording = tik_cost(build, repetitions)
    yield ratio_row("tik_vec_add", kernel / script, "vinci_run", 0.5)
    yield ratio_row("tik_start_debug", command / start_debug, "vinci_run", 0.5)
    yield ("tik_recording", f"{recording:.2f} s", f"<= {RECORDING_SECONDS} s",
           recording <= RECORDING_SECONDS)


def children_seconds(command, folder, **environment):
    """Processor seconds of a command and of what it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output_of(command, folder, **environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def program_rows(build, repetitions):
    """Launches and barriers in a program, without checks, and what its compilation costs."""
    vinci, source = build / "bin" / "vinci", ROOT / "bench" / "program" / "launches.asc"
    with tempfile.TemporaryDirectory() as folder:
        program = [vinci, "bisheng", source, "--npu-arch=dav-2201"]
        plain = [vinci, "c++", "--soc", "Ascend910B1", "-O2", "-DONE_PASS", "-x", "c++", "-c", source,
                 "-o", "plain.o"]
        passes, one = (min(children_seconds(command, folder) for _ in range(repetitions))
                       for command in ([*program, "-O2", "-c", "-o", "program.o"], plain))
        output_of([*program, "-O2", "-o", "program"], folder)
        launch, barriers = map(float, output_of(["./program"], folder, VINCI_CHECK="off").split())
    yield ("launch", f"{launch:.1f} us", f"<= {LAUNCH_MICROSECONDS} us",
           launch <= LAUNCH_MICROSECONDS)
    yield ("barriers_1000", f"{barriers:.2f} s", f"<= {BARRIERS_SECONDS} s",
           barriers <= BARRIERS_SECONDS)
    ratio = passes / PASSES / one
    yield ("compile_a_pass", f"{ratio:.2f} of g++", f"<= {PASS_RATIO}", ratio <= PASS_RATIO)


def attention_rows(build, times):
    """The kernel of examples/flash_attention, a head of 1024 rows, against its products."""
    source, one = ROOT / "bench" / "program" / "attention.asc", str(min(os.sched_getaffinity(0)))
    with tempfile.TemporaryDirectory() as folder:
        output_of([build / "bin" / "vinci", "bisheng", source, "--npu-arch=dav-2201", "-O2", "-o",
                   "program"], folder)
        microseconds = float(output_of(["taskset", "-c", one, "./program"], folder, VINCI_CHECK="off"))
    ratio = times["flash_attention/onednn"] / (microseconds * 1e3)
    yield ratio_row("flash_attention", ratio, "onednn", 0.4)


def checked_kernels():
    """Whole kernels by name: file, chip, blocks and arguments, arrays to be saved or words."""
    rng = np.random.default_rng(7)
    floats = rng.standard_normal((1 << 24,), np.float32)
    halves = (rng.standard_normal((1024, 1024)) * 0.25).astype(np.float16)
    return {
        "gemm_1024": ("examples/gemm/gemm.cpp", "Ascend910B1", 1,
                      [halves, halves, "out:y.npy:float:1024x1024",
                       np.array([1024, 1024, 1024], np.int32)]),
        "vector_add_2^24": ("bench/checks/vector_add.cpp", "Ascend310P3", 8,
                            [floats, floats, f"out:y.npy:float:{1 << 24}"]),
        "softmax_rows": ("bench/checks/softmax.cpp", "Ascend310P3", 8,
                         [floats[:1 << 20], "out:y.npy:float:1024x1024"]),
        "edges": ("examples/edges/edges.cpp", "Ascend310P3", 8,
                  [halves.reshape(256, 256, 16), np.ones((9, 16, 16), np.float16),
                   "out:y.npy:half:256x256x16", np.array([256, 256], np.int32)]),
    }


def kernel_seconds(vinci, folder, arguments, check, repetitions):
    """The least time of a kernel under these checks, which find nothing."""
    command = [vinci, "run", *arguments, "--quiet", "--check", check, "--json", "report.json"]
    times = []
    for _ in range(repetitions + 1):  # the first one may compile
        output_of(command, folder)
        report = json.loads((folder / "report.json").read_text())
        if report["faults"]:
            sys.exit(f"{arguments[0]}: {report['faults'][0]['message']}")
        times.append(report["seconds"])
    return min(times)


def check_rows(build, repetitions):
    """What all checks cost in whole kernels."""
    for name, (file, soc, blocks, wanted) in checked_kernels().items():
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            arguments = [ROOT / file, "--soc", soc, "--blocks", str(blocks)]
            for number, argument in enumerate(wanted):
                if not isinstance(argument, str):
                    np.save(path / f"{number}.npy", argument)
                    argument = f"in:{number}.npy"
                arguments += ["--arg", argument]
            off, full = (kernel_seconds(build / "bin" / "vinci", path, arguments, check,
                                        repetitions) for check in ("off", "full"))
        yield ratio_row(f"{name}_checks", off / full, "off", 1 / 3)


def ratio_row(work, ratio, other, least):
    return (work, f"{ratio:.2f} of {other}", "-" if least is None else f">= {least:.2f}",
            least is None or ratio >= least)


def cast_rows(times):
    """A line for each pair of types: the mode that is nearest to its floor or farthest below."""
    for (dst, src), letters in TABLE["2201"].items():
        pair, modes = f"cast_{src}_{dst}", []
        for mode in (CAST_MODES[letter] for letter in letters):
            ours, loop = times[f"{pair}_{mode}/vinci"], times.get(f"{pair}_{mode}/loop")
            if loop is None:
                other, ratio, least = "memcpy", times[f"{pair}/memcpy"] / ours, CAST_MEMCPY_LEAST
            else:
                other, ratio, least = "loop", loop / ours, CAST_LOOP_LEAST
            modes.append((ratio / least, f"{pair} {mode}", ratio, other, least))
        yield ratio_row(*min(modes)[1:])


def rows(times):
    """(work, figure, floor, whether it holds) for each line of the table."""
    for work, (ours, other, least) in RATIOS.items():
        ratio = times[f"{work}/{other}"] / times[f"{work}/{ours}"]
        yield ratio_row(work, ratio, other, least)
    yield from cast_rows(times)
    issue = times["issue/vinci"]
    yield "issue", f"{issue:.1f} ns", f"<= {ISSUE_NANOSECONDS} ns", issue <= ISSUE_NANOSECONDS
    seconds, megabytes = header_cost()
    yield ("kernel_operator.h", f"{seconds:.2f} s, {megabytes:.0f} MB",
           f"<= {HEADER_SECONDS} s, {HEADER_MEGABYTES} MB",
           seconds <= HEADER_SECONDS and megabytes <= HEADER_MEGABYTES)


def processor():
    """The host's own name for its processor."""
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def record(table, times):
    """Keeps the figures with commit and machine."""
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], check=True,
                            capture_output=True, text=True).stdout.strip()
    date = datetime.date.today().isoformat()
    path = ROOT / "bench" / "results" / f"{date}-{commit}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({
        "date": date, "commit": commit, "processor": processor(), "command": "make bench",
        "table": [{"work": row[0], "figure": row[1], "floor": row[2], "holds": row[3]}
                  for row in table],
        "nanoseconds": times}, indent=1) + "\n")
    print(f"recorded in {path.relative_to(ROOT)}")


def main():
    """Prints the table; exit code 1 if a floor does not hold."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    build = options.build.resolve()
    times = medians(build, options.repetitions)
    table = []
    for row in itertools.chain(rows(times), tik_rows(build, options.repetitions),
                               attention_rows(build, times),
                               check_rows(build, options.repetitions),
                               program_rows(build, options.repetitions), judged.rows(build),
                               packages.rows(build)):
        work, figure, floor, holds = row
        print(f"{work:<31} {figure:<22} {floor:<18} {'ok' if holds else 'BELOW'}", flush=True)
        table.append(row)
    if options.record:
        record(table, times)
    sys.exit(0 if all(row[3] for row in table) else 1)


if __name__ == "__main__":
    main()
