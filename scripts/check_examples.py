"""Runs the kernels of the pages of faults: a part of what `make docs` does.

A page with two blocks of C++ has a mistake and its repair. The first must give the page's code and
nothing else, the second nothing at all. Each is the body of a kernel, in which the names of NAMES
stand for tensors; all are compiled as one file.
"""

import argparse
import dataclasses
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHIP = "Ascend910B1"
BYTES = 65536  # of each buffer in GM


@dataclasses.dataclass
class Page:
    """What the blocks of a page rely on, and how they are run."""

    dtype: str = "float"  # of gm, space, out and of x, y and z in UB
    other: str = ""       # of y, if it is another one
    before: str = ""
    blocks: int = 1
    out: str = f"zeros:uint8:{BYTES}"
    check: str = "full,numbers"
    options: tuple = ()
    also: tuple = ()      # codes that come with the page's own


FILLED = "Duplicate(x, 1.0f, 64); Duplicate(y, 2.0f, 64); PipeBarrier<PIPE_ALL>();"
PAGES = {
    "V1013": Page("half"),
    "V1014": Page(before="const uint32_t total = 1000; Duplicate(y, 1.0f, 1000); "
                         "PipeBarrier<PIPE_ALL>();",
                  blocks=3, out="out:{folder}/out.npy:float:1000", also=("V2006",)),
    "V1019": Page(),
    "V2014": Page("half"),
    "V2015": Page(other="int16_t"),
    "V2016": Page("int32_t"),
    "V2017": Page(before=FILLED),
    "V2018": Page(check="basic,drift"),
    "V2021": Page(),
    "V2020": Page(before="Duplicate(x, 0.0f, 128); Duplicate(y, 0.0f, 128); PipeBarrier<PIPE_ALL>();"),
    "V4009": Page(),
    "V4010": Page(before=FILLED, blocks=4),
    "V4011": Page(before="const int32_t sum = GetBlockIdx() + 1; GM_ADDR out = out_;", blocks=4),
    "V4012": Page(out="out:{folder}/out.npy:float:64", check="basic", options=("--explore", "8")),
    "V4013": Page(before=FILLED),
    "V4014": Page(),
    "V4015": Page(blocks=2),
    "V4016": Page(),
    "V4017": Page("int8_t", check="race", before="""
  const LocalTensor<uint64_t> l1(TPosition::C1, 0, 16), scales(TPosition::C2PIPE2GM, 0, 16);
  const LocalTensor<float> c(TPosition::CO1, 0, 256);
  DataCopyCO12DstParams params(16, 16, 16, 16, QuantMode_t::VQF322B8_PRE, 0, false, false);"""),
    "V4018": Page(before="const float sum = GetBlockIdx() + 1;", blocks=4),
}
NAMES = """
  [[maybe_unused]] GlobalTensor<{dtype}> gm, space, {out};
  gm.SetGlobalBuffer((__gm__ {dtype}*)gm_);
  space.SetGlobalBuffer((__gm__ {dtype}*)space_);
  {out}.SetGlobalBuffer((__gm__ {dtype}*)out_);
  [[maybe_unused]] LocalTensor<{dtype}> x(TPosition::VECIN, 0, 1024), z(TPosition::VECOUT, 16384, 1024);
  [[maybe_unused]] LocalTensor<{other}> y(TPosition::VECCALC, 8192, 1024);
  {before}
"""


def kernels_of(code, page):
    """C++ of the page's two kernels."""
    text = (ROOT / "docs/fault" / f"{code}.md").read_text()
    blocks = re.findall(r"^```cpp\n(.*?)^```", text, re.M | re.S)
    assert len(blocks) == 2, f"docs/fault/{code}.md: {len(blocks)} blocks of C++; legal: 2"
    names = NAMES.format(dtype=page.dtype, other=page.other or page.dtype, before=page.before,
                         out="to" if "GM_ADDR out" in page.before else "out")
    return [f'extern "C" __global__ __aicore__ void {code}_{kind}(GM_ADDR gm_, GM_ADDR space_, '
            f"GM_ADDR out_) {{{names}{block}}}\n" for kind, block in zip(("wrong", "right"), blocks)]


def run(vinci, source, kernel, page):
    """The codes that a kernel gives; what vinci says if it does not run."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        done = subprocess.run(
            [vinci, "run", source, "--kernel", kernel, "--soc", CHIP, "--blocks", str(page.blocks),
             "--check", page.check, "--json", report, *page.options,
             "--arg", f"zeros:uint8:{BYTES}", "--arg", f"zeros:uint8:{BYTES}",
             "--arg", page.out.format(folder=folder), "--", "-O0"],
            capture_output=True, text=True, check=False)
        if not report.exists():
            return [done.stderr]
        return sorted({fault["code"] for fault in json.loads(report.read_text())["faults"]})


def main():
    """Runs all pages; 1 if one is not true."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vinci", default=ROOT / "build/bin/vinci", help="the program that runs them")
    vinci = parser.parse_args().vinci
    pages = {path.stem for path in (ROOT / "docs/fault").glob("V*.md")
             if path.read_text().count("```cpp\n") == 2}
    problems = [f"docs/fault/{code}.md: not among PAGES" for code in sorted(pages - PAGES.keys())]
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "pages.cpp"
        source.write_text('#include "kernel_operator.h"\nusing namespace AscendC;\n\n' + "\n".join(
            kernel for code, page in PAGES.items() for kernel in kernels_of(code, page)))
        for code, page in PAGES.items():
            for kind, wanted in (("wrong", {code, *page.also}), ("right", set())):
                codes = run(vinci, source, f"{code}_{kind}", page)
                if set(codes) != wanted:
                    problems.append(f"docs/fault/{code}.md: what is {kind} gives {codes or 'nothing'}")
    print("\n".join(problems) or f"docs: {2 * len(PAGES)} kernels of {len(PAGES)} pages run")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
