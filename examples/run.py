"""Runs the example kernels and compares each with numpy: what `make run` does.

Every expected value is computed here from its definition, never by vinci.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

import numpy as np
from PIL import Image, ImageDraw

from reference import (attention, convolve, grouped_multiply, in_groups, layer_norm, multiply,
                       padded, requantize, route, scale_words)

HERE = pathlib.Path(__file__).resolve().parent
TYPES = {"float16": "half", "float32": "float"}  # where numpy's name is not vinci's
PHOTO = pathlib.Path("/usr/share/matplotlib/mpl-data/sample_data/grace_hopper.jpg")


class Examples:
    """Runs kernels through the command line and collects one row of the table for each."""

    def __init__(self, vinci, out):
        self.vinci, self.out, self.rows = vinci, out, []
        self.failed = False
        out.mkdir(parents=True, exist_ok=True)

    def run(self, name, source, soc, parameters, golden, against, blocks=1, rtol=0, atol=0):
        """One kernel. `parameters` in the kernel's order: arrays, and None for what it writes.

        `golden` is what the one output must be, or a dictionary of outputs. Numbers with a fraction
        count as equal within rtol and atol; 0 where the result is exact.
        """
        outputs = [parameter for parameter, array in parameters.items() if array is None]
        if not isinstance(golden, dict):
            golden = {outputs[0]: golden}
        arguments = []
        for parameter, array in parameters.items():
            path = self.out / f"{parameter}.npy"
            if array is None:
                wanted = golden[parameter]
                shape = "x".join(map(str, wanted.shape))
                dtype = TYPES.get(wanted.dtype.name, wanted.dtype.name)
                near = f":rtol={rtol}:atol={atol}" if wanted.dtype.kind == "f" else ""
                truth = self.out / f"{parameter}_golden.npy"
                np.save(truth, wanted)
                arguments += ["--arg", f"out:{path}:{dtype}:{shape}", "--expect",
                              f"{path}={truth}{near}"]
            else:
                np.save(path, array)
                arguments += ["--arg", f"in:{path}"]
        report = self.out / "report.json"
        code = subprocess.run(
            [self.vinci, "run", HERE / source, "--soc", soc, "--blocks", str(blocks), "--quiet",
             "--kernel", name, "--json", report, *arguments], check=False).returncode
        if not report.exists():
            sys.exit(f"{name} did not run (exit code {code})")
        facts = json.loads(report.read_text())
        report.unlink()
        self.failed |= code != 0
        self.rows.append((name, facts["soc"], blocks, against,
                          facts["expectations"][0]["largest_difference"],
                          f"{facts['seconds'] * 1e3:.1f} ms", "ok" if code == 0 else "DIFFERS"))
        return np.load(self.out / f"{outputs[0]}.npy")

    def script(self, source, soc, against):
        """A TIK script, as it is: it compares its results itself and says how many are equal."""
        package = self.vinci.parent.parent / "python"
        begin = time.monotonic()
        run = subprocess.run([sys.executable, "-m", "vinci.tik", "--soc", soc, HERE / source],
                             cwd=self.out, env={**os.environ, "PYTHONPATH": str(package)},
                             capture_output=True, text=True, check=False)
        seconds = time.monotonic() - begin
        self.failed |= run.returncode != 0
        said = run.stdout.strip().rpartition(": ")[2] or run.stderr.strip().rpartition("\n")[2]
        self.rows.append((source, soc, 1, against, said, f"{seconds * 1e3:.1f} ms",
                          "ok" if run.returncode == 0 else "DIFFERS"))

    def project(self, folder, inputs, golden, against, blocks=8, arguments=(), within=0):
        """A program for the vendor's toolkit, built by its own CMake in vinci's environment; it reads
        and writes files, and its chip is the one that its build files name. `within` is the largest
        difference that counts as equal, one for all or one for each number."""
        build = self.out / folder
        for name, array in inputs.items():
            build.mkdir(parents=True, exist_ok=True)
            array.tofile(build / f"{name}.bin")
        environment = f'eval "$("{self.vinci}" env)" && '
        for command in (f'cmake -S "{HERE / folder}" -B . -G Ninja > cmake.log',
                        "cmake --build . > build.log"):
            subprocess.run(["bash", "-c", environment + command], cwd=build, check=True)
        begin = time.monotonic()
        code = subprocess.run([build / "demo", *map(str, arguments)], cwd=build,
                              check=False).returncode
        seconds = time.monotonic() - begin
        result = np.fromfile(build / "out.bin", golden.dtype)
        good = code == 0 and result.size == golden.size
        largest = "all"
        if good:
            differences = np.abs(result.reshape(golden.shape).astype(np.float64) - golden)
            largest, good = differences.max(), (differences <= within).all()
        self.failed |= not good
        self.rows.append((folder, "dav-2201", blocks, against, largest, f"{seconds * 1e3:.1f} ms",
                          "ok" if good else "DIFFERS"))

    def operator(self, name, package, soc, x, golden, rtol):
        """An operator package: one input x, one output y."""
        paths = {key: self.out / f"{key}.npy" for key in ("x", "y", "golden")}
        np.save(paths["x"], x)
        np.save(paths["golden"], golden)
        report = self.out / "report.json"
        code = subprocess.run(
            [self.vinci, "op", HERE / package, "--soc", soc, "--in", f"x={paths['x']}", "--out",
             f"y={paths['y']}", "--quiet", "--json", report, "--expect",
             f"{paths['y']}={paths['golden']}:rtol={rtol}"], check=False).returncode
        if not report.exists():
            sys.exit(f"{name} did not run (exit code {code})")
        facts = json.loads(report.read_text())
        report.unlink()
        self.failed |= code != 0
        self.rows.append((name, facts["soc"], facts["blocks"], "numpy, tiled by its own op_host",
                          facts["expectations"][0]["largest_difference"],
                          f"{facts['seconds'] * 1e3:.1f} ms", "ok" if code == 0 else "DIFFERS"))

    def table(self):
        """Prints what ran."""
        head = ("kernel", "chip", "blocks", "compared with", "largest difference", "time", "")
        cells = [head, *([str(cell) for cell in row] for row in self.rows)]
        widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
        for row in cells:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def run_gather(examples):
    """The documents' Gather sample: 0..127 read backwards."""
    source = np.arange(128, dtype=np.float16)
    offsets = np.arange(254, -2, -2).astype(np.uint32)
    examples.run("kernel_gather", "gather/gather.cpp", "Ascend310P3",
                 {"gathered": None, "src": source, "offset": offsets}, source[::-1].copy(),
                 "the page's printed result")


def run_vec_conv(examples):
    """The two whole TIK scripts of the page on vec_conv. The second one's scale word is not what
    its comment says, which is a warning."""
    for sample in (1, 2):
        examples.script(f"vec_conv/sample_{sample}.py", "Ascend310P3", "the page's printed result")


def run_sigmoid(examples):
    """Every finite half, on two chips; a float of each step is rounded, double here is not."""
    bits = np.arange(1 << 16, dtype=np.uint16)
    x = bits[(bits & 0x7C00) != 0x7C00].view(np.float16)
    with np.errstate(over="ignore"):
        golden = (1 / (1 + np.exp(-x.astype(np.float64)))).astype(np.float16)
    for soc in ("Ascend310P3", "Ascend910B1"):
        examples.run("sigmoid", "sigmoid/sigmoid.cpp", soc,
                     {"x": x, "y": None, "count": np.array([len(x)], np.uint32)}, golden,
                     "numpy, every half, rtol 1e-3", blocks=4, rtol=1e-3)


def run_load_data(examples, name, feature_map, weights):
    """The documents' LoadData sample on [C1, H, W, C0] and [C1, Kh, Kw, Cout, C0]."""
    image = feature_map.transpose(1, 2, 0, 3).reshape(4, 4, 32)
    filters = weights.transpose(1, 2, 3, 0, 4).reshape(2, 2, 16, 32)
    golden = convolve(image, filters, pad=1, dilation=2).astype(np.float16)
    examples.run("load_data_simple_kernel", "load_data/load_data.cpp", "Ascend310P3",
                 {"fm": feature_map, "we": weights, "convolved": None}, golden,
                 f"numpy convolution, {name}")


def run_load_data_inputs(examples):
    """All ones, a ramp, and random integers: sums that half holds exactly."""
    ones = np.ones((2, 4, 4, 16), np.float16), np.ones((2, 2, 2, 16, 16), np.float16)
    run_load_data(examples, "ones", *ones)
    ramp = np.zeros((2, 4, 4, 16), np.float16)
    ramp += np.arange(16, dtype=np.float16).reshape(1, 4, 4, 1)
    taps = np.zeros((2, 2, 2, 16, 16), np.float16)
    taps[0, :, :, 0, 0] = [[1, 2], [3, 4]]
    taps[0, :, :, 1, 0] = [[2, 4], [6, 8]]
    run_load_data(examples, "ramp", ramp, taps)
    random = np.random.default_rng(1)
    run_load_data(examples, "random integers",
                  random.integers(-8, 9, (2, 4, 4, 16)).astype(np.float16),
                  random.integers(-3, 4, (2, 2, 2, 16, 16)).astype(np.float16))


def picture():
    """A photograph that Debian ships, or else a drawing; width a multiple of 16."""
    if PHOTO.exists():
        image = Image.open(PHOTO).convert("RGB")
    else:
        image = Image.new("RGB", (512, 384), "navy")
        draw = ImageDraw.Draw(image)
        draw.ellipse((80, 60, 300, 280), fill="gold")
        draw.polygon([(480, 350), (260, 350), (370, 120)], fill="firebrick")
    return image.crop((0, 0, image.width // 16 * 16, image.height))


def filters():
    """16 filters [3, 3, 16, 16] over grey = (R + 2 G + B) / 4: Sobel, Laplace, blur, shifts."""
    kernels = np.zeros((16, 3, 3))
    kernels[0] = [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]
    kernels[1] = kernels[0].T
    kernels[2] = [[0, 1, 0], [1, -4, 1], [0, 1, 0]]
    kernels[3] = np.full((3, 3), 0.125)
    for i in range(9):
        kernels[4 + i, i // 3, i % 3] = 1
    weights = np.zeros((3, 3, 16, 16), np.float16)
    for channel, share in enumerate((0.25, 0.5, 0.25)):
        weights[:, :, :, channel] = kernels.transpose(1, 2, 0) * share
    return weights


def run_edges(examples):
    """The picture through the filters, in eight blocks; leaves before.png and edges.png."""
    image = picture()
    pixels = np.zeros((image.height, image.width, 16), np.float16)
    pixels[:, :, :3] = np.asarray(image)
    weights = filters()
    golden = convolve(pixels, weights, pad=1).astype(np.float16)
    sizes = np.array([image.height, image.width], np.int32)
    result = examples.run("edges", "edges/edges.cpp", "Ascend310P3",
                          {"pixels": pixels, "weights": weights, "filtered": None, "size": sizes},
                          golden, "numpy convolution, a photograph", blocks=8)
    image.save(examples.out / "before.png")
    strength = np.hypot(result[:, :, 0].astype(float), result[:, :, 1].astype(float))
    Image.fromarray((255 - np.clip(strength, 0, 255)).astype(np.uint8)).save(
        examples.out / "edges.png")


def integers(random, shape, dtype, most=8):
    """Random integers of at most this size: their sums are exact in every type used here."""
    return random.integers(-most, most + 1, shape).astype(dtype)


def run_gemms(examples):
    """256 x 192 x 320 of integers: sums that float holds exactly."""
    random = np.random.default_rng(2)
    sizes = np.array([256, 192, 320], np.int32)
    a = integers(random, (256, 320), np.float16)
    b = integers(random, (320, 192), np.float16)
    examples.run("gemm", "gemm/gemm.cpp", "Ascend910B1",
                 {"a": a, "b": b, "c": None, "sizes": sizes}, multiply(a, b).astype(np.float32),
                 "numpy matmul, 256x192x320", blocks=4)
    a, b = (integers(random, shape, np.int8, 127) for shape in ((256, 320), (320, 192)))
    examples.run("gemm_int8_transposed", "gemm_int8_transposed/gemm_int8_transposed.cpp",
                 "Ascend910B1", {"a": a, "b": b, "c": None, "sizes": sizes},
                 multiply(a, b).astype(np.int32), "numpy matmul, 256x192x320", blocks=4)


def run_fused_matmul(examples):
    """512 x 1024 x 256 over the four AIVs of two blocks, in tiles of 128 x 128."""
    random = np.random.default_rng(11)
    a, b = integers(random, (512, 256), np.float16), integers(random, (256, 1024), np.float16)
    bias = integers(random, (1024,), np.float32)
    # usedCoreNum, M, N, Ka, Kb, singleCoreM, N, K, baseM, N, K, depthA1, B1, stepM, N, isBias
    tiling = np.zeros(50, np.int32)
    tiling[:16] = 4, 512, 1024, 256, 256, 256, 512, 256, 128, 128, 64, 2, 2, 1, 1, 1
    tiling[26:28] = 1  # stepKa, stepKb
    sums = multiply(a, b) + bias
    examples.run("matmul_leaky_relu", "matmul_leaky_relu/matmul_leaky_relu.cpp", "Ascend910B1",
                 {"a": a, "b": b, "bias": bias, "c": None, "tiling": tiling},
                 np.where(sums < 0, sums / 8, sums).astype(np.float32),
                 "numpy matmul, 512x1024x256", blocks=2)


def run_gemms_310p(examples):
    """200 x 150 x 300, a size that no tile divides; half holds small sums exactly."""
    random = np.random.default_rng(3)
    sizes = np.array([200, 150, 300], np.int32)
    for name, most, dtype in (("gemm_310p", 8, np.float32), ("gemm_310p_half", 2, np.float16)):
        a = padded(integers(random, (200, 300), np.float16, most))
        b = padded(integers(random, (300, 150), np.float16, most))
        examples.run(name, "gemm_310p/gemm_310p.cpp", "Ascend310P3",
                     {"a": a, "b": b, "c": None, "sizes": sizes},
                     multiply(a[:, :300], b).astype(dtype), "numpy matmul, 200x150x300", blocks=4)


def run_gemm_float_bias(examples):
    """Integers, which are exact, and random floats, where float rounds and double does not."""
    random = np.random.default_rng(4)
    shapes = (200, 300), (300, 150), (150,)
    for inputs, rtol in (("integers", 0), ("floats, rtol 1e-5", 1e-5)):
        a, b, bias = (random.random(shape, np.float32) if rtol else
                      integers(random, shape, np.float32) for shape in shapes)
        examples.run("gemm_float_bias", "gemm_float_bias/gemm_float_bias.cpp", "Ascend910B1",
                     {"a": a, "b": b, "bias": bias, "c": None,
                      "sizes": np.array([200, 150, 300], np.int32)},
                     (multiply(a, b) + bias).astype(np.float32), f"numpy matmul, {inputs}",
                     blocks=4, rtol=rtol)


def run_conv_int8(examples):
    """64 channels of 30 x 37 pixels through 96 filters of 3 x 3, every second pixel."""
    random = np.random.default_rng(5)
    image = integers(random, (30, 37, 64), np.int8, 127)
    weights = integers(random, (3, 3, 96, 64), np.int8, 127)
    scales = random.uniform(1e-4, 4e-4, 96).astype(np.float32)
    golden = requantize(convolve(image, weights, pad=1, stride=2), scales, offset=-3)
    examples.run("conv_int8", "conv_int8/conv_int8.cpp", "Ascend910B1",
                 {"image": in_groups(image), "weights": in_groups(weights),
                  "scales": scale_words(scales, offset=-3), "result": None,
                  "sizes": np.array([2, 30, 37, 96, 3, 3, 2, 1], np.int32)},
                 in_groups(golden), "numpy convolution, requantized", blocks=2)


def run_conv2d(examples):
    """The operator Conv2D: 64 channels of 30 x 37 pixels through 64 filters of 3 x 3."""
    random = np.random.default_rng(6)
    sizes = np.array([30, 37, 64, 3, 3, 1, 1], np.int32)
    for kernel, soc, dtype, result in (("conv2d_half", "Ascend310P3", np.float16, np.float32),
                                       ("conv2d_int8", "Ascend910A", np.int8, np.int32)):
        group = 32 // np.dtype(dtype).itemsize
        image = integers(random, (30, 37, 64), dtype, 7)
        weights = integers(random, (3, 3, 64, 64), dtype, 7)
        golden = convolve(image, weights, pad=1).astype(result)
        examples.run(kernel, "conv2d/conv2d.cpp", soc,
                     {"image": in_groups(image, group), "weights": in_groups(weights, group),
                      "result": None, "sizes": np.array([64 // group, *sizes], np.int32)},
                     in_groups(golden, 16), "numpy convolution, integers", blocks=2)


def run_layer_norm(examples):
    """48 rows of 5000 halfs around 30: four whole pieces and a part of one."""
    random = np.random.default_rng(7)
    x = random.normal(30, 2, (48, 5000)).astype(np.float16)
    gamma, beta = (random.normal(mean, 0.1, 5000).astype(np.float32) for mean in (1, 0))
    y, mean, rstd = layer_norm(x, gamma, beta)
    examples.run("layer_norm", "layer_norm/layer_norm.cpp", "Ascend910B1",
                 {"x": x, "gamma": gamma, "beta": beta, "y": None, "mean": None, "rstd": None,
                  "sizes": np.array([48, 5000], np.uint32)},
                 {"y": y.astype(np.float16), "mean": mean.astype(np.float32),
                  "rstd": rstd.astype(np.float32)},
                 "numpy, 48 rows of 5000, rtol 1e-3", blocks=8, rtol=1e-3, atol=1e-5)


def run_moe(examples):
    """A mixture of 64 experts: 1000 tokens choose theirs, then products of the first 8 experts."""
    random = np.random.default_rng(8)
    # Steps of 1/32, so that there are equal ones.
    scores = (np.rint(random.normal(0, 1, (1000, 64)) * 32) / 32).astype(np.float16)
    weights, experts, counts = route(scores, 8, divided=False)
    examples.run("moe_routing", "moe_routing/moe_routing.cpp", "Ascend910B1",
                 {"scores": scores, "weights": None, "experts": None, "counts": None,
                  "what": np.array([1000, 0], np.uint32)},
                 {"weights": weights.astype(np.float32), "experts": experts, "counts": counts},
                 "numpy softmax, top 8 of 64, rtol 1e-6", blocks=8, rtol=1e-6)
    offsets = np.concatenate([[0], np.cumsum(counts[:8])]).astype(np.int32)
    x = integers(random, (offsets[-1], 256), np.int8, 127)
    w = integers(random, (8, 256, 512), np.int8, 127)
    scales = random.uniform(1e-4, 1e-3, (8, 512)).astype(np.float32)
    # usedCoreNum, M, N, Ka, Kb, singleCoreM, N, K, baseM, N, K, depthA1, B1, stepM, N
    tiling = np.zeros(50, np.int32)
    tiling[:15] = 4, len(x), 512, 256, 256, 128, 128, 256, 128, 128, 128, 2, 2, 1, 1
    tiling[26:28] = 1  # stepKa, stepKb
    examples.run("grouped_matmul", "grouped_matmul/grouped_matmul.cpp", "Ascend910B1",
                 {"x": x, "w": w, "scales": scale_words(scales), "offsets": offsets, "y": None,
                  "tiling": tiling, "sizes": np.array([8, 256, 512], np.int32)},
                 grouped_multiply(x, w, scales, offsets).astype(np.float16),
                 f"numpy matmul, {len(x)}x512x256, rtol 1e-3", blocks=4, rtol=1e-3)


def run_flash_attention(examples):
    """Causal, two heads of 1024 rows: what halves of the weights and of the result lose."""
    random = np.random.default_rng(9)
    q, k, v = (random.normal(size=(2, 1024, 64)).astype(np.float16) for _ in range(3))
    out, within = attention(q, k, v)
    examples.project("flash_attention", {"q": q, "k": k, "v": v}, out.astype(np.float16),
                     "numpy, 2 heads of 1024x64, causal", blocks=4, arguments=(2, 1024, 4),
                     within=within)


def run_project(examples):
    """A whole program with kernel and host code: y = a x + y, whose products are exact."""
    random = np.random.default_rng(5)
    x, y = (random.integers(-1000, 1000, 8 * 4096).astype(np.float32) for _ in range(2))
    examples.project("project", {"x": x, "y": y}, np.float32(0.5) * x + y, "numpy, built by CMake")


def run_operator(examples):
    """Softmax over rows, in double."""
    x = np.random.default_rng(1).normal(size=(100, 333)).astype(np.float32)
    power = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    examples.operator("softmax_rows", "operator", "Ascend910B1", x,
                      (power / power.sum(1, keepdims=True)).astype(np.float32), 1e-5)


def main():
    """Runs everything, prints the table, says where the pictures are."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--vinci", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    examples = Examples(options.vinci.resolve(), options.out.resolve())
    run_gather(examples)
    run_vec_conv(examples)
    run_sigmoid(examples)
    run_load_data_inputs(examples)
    run_edges(examples)
    run_gemms(examples)
    run_fused_matmul(examples)
    run_gemms_310p(examples)
    run_gemm_float_bias(examples)
    run_conv_int8(examples)
    run_conv2d(examples)
    run_layer_norm(examples)
    run_moe(examples)
    run_flash_attention(examples)
    run_project(examples)
    run_operator(examples)
    examples.table()
    for name in ("before.png", "edges.png"):
        print(f"picture: {examples.out / name}")
    sys.exit(1 if examples.failed else 0)


if __name__ == "__main__":
    main()
