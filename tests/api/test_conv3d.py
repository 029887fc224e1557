"""The Conv3D object against the definition of a convolution, in whole numbers, which come out
exactly before they are rounded to half or bfloat16."""

import subprocess

import numpy as np
import pytest

import harness
from conv3d_cases import (END_ONLY, NO_ADDRESS, NO_EVENT, NO_INIT, NO_INPUT, NO_WEIGHT, OTHER_BIAS,
                          REPEATS, TILING, TWO_INITS, check_outputs, launch, random_case,
                          sizes_out, tiling_of)
from harness import times_more

PLAIN = {"size": [4, 6, 7], "kernel": [2, 3, 3], "stride": [1, 2, 1], "dilation": [1, 1, 1],
         "pads": [(1, 0), (1, 1), (1, 1)], "ci": 20, "co": 20, "batches": 1, "bfloat": 0,
         "bias": False, "tiles": {"mL0": 32, "kL0": 48, "nL0": 32, "kAL1": 144}}


def check_cases(cases, rng, tilings=None, extra=()):
    run, wanted = launch(cases, rng, tilings, extra)
    check_outputs(run, wanted)


def test_random():
    rng = np.random.default_rng(31)
    check_cases([random_case(rng) for _ in range(20)], rng)


@pytest.mark.whole
def test_many():
    rng = np.random.default_rng(32)
    left = times_more(400)
    while left > 0:
        cases = [random_case(rng) for _ in range(min(left, 50))]
        check_cases(cases, rng)
        left -= 50


# Shapes from the standard input; their tilings, as struct and as class, or what GetTiling returned.
PROGRAM = r"""
#include <cstring>
#include <vector>

#include "lib/conv/conv3d/conv3d_tiling.h"
#include "tiling/tiling_api.h"

using namespace ConvCommonApi;

int main() {
  const auto& chip = *platform_ascendc::PlatformAscendCManager::GetInstance("Ascend910B1");
  std::vector<int64_t> v(31);
  while (true) {
    for (int64_t& value : v) std::cin >> value;
    if (!std::cin) return 0;
    Conv3dTilingApi::Conv3dTiling conv(chip);
    conv.SetGroups(v[0]);
    conv.SetOrgWeightShape(v[1], v[2], v[3], v[4]);
    conv.SetOrgInputShape(v[5], v[6], v[7], v[8]);
    conv.SetSingleWeightShape(v[9], v[2], v[3], v[4]);
    conv.SetSingleOutputShape(v[10], v[11], v[12]);
    if (v[13]) conv.SetStride(v[14], v[15], v[16]);
    if (v[13]) conv.SetDilation(v[17], v[18], v[19]);
    if (v[13]) conv.SetPadding(v[20], v[21], v[22], v[23], v[24], v[25]);
    const auto type = static_cast<ConvDtype>(v[26]);
    if (v[27]) conv.SetInputType(TPosition::GM, ConvFormat::NDC1HWC0, type);
    if (v[27]) conv.SetWeightType(TPosition::GM, ConvFormat::FRACTAL_Z_3D, type);
    if (v[27]) conv.SetOutputType(TPosition::CO1, ConvFormat::NDC1HWC0, type);
    if (v[28]) conv.SetBiasType(TPosition::GM, ConvFormat::ND, static_cast<ConvDtype>(v[29]));
    AscendC::tiling::TConv3DApiTiling made;
    optiling::TConv3DApiTiling words;
    const int64_t result = conv.GetTiling(made);
    std::vector<unsigned char> bytes(sizeof(made));
    if (result != conv.GetTiling(words) || words.GetDataSize() != sizeof(made)) return 1;
    if (result == 0) {
      words.SaveToBuffer(bytes.data(), bytes.size());
      for (unsigned char byte : bytes) std::printf("%02x", byte);
    }
    std::printf(" %ld\n", long(result));
  }
}
"""
HALF, FLOAT, BF16 = range(3)


def request_of(case, **changes):
    """The program's numbers for a case."""
    depth, height, width = sizes_out(case)
    dtype = BF16 if case["bfloat"] else HALF
    values = dict(groups=1, co=case["co"], kernel=case["kernel"], ci=case["ci"], size=case["size"],
                  single_ci=case["ci"], single=[case["co"], depth, height * width], given=1,
                  stride=case["stride"], dilation=case["dilation"], pads=sum(map(list, case["pads"]), []),
                  dtype=dtype, typed=1, bias=int(case["bias"]),
                  bias_type=FLOAT if case["bfloat"] else HALF, end=0) | changes
    return np.hstack([np.atleast_1d(value) for value in values.values()])


@pytest.fixture(scope="module", name="get_tilings")
def fixture_get_tilings(tmp_path_factory):
    folder = tmp_path_factory.mktemp("conv3d")
    (folder / "main.cpp").write_text(PROGRAM)
    done = harness.vinci("c++", "-Wall", "-Wextra", "-Werror", "main.cpp", "-o", "main", cwd=folder)
    assert done.code == 0, done.stderr

    def run(requests):
        text = "\n".join(" ".join(map(str, request)) for request in requests)
        done = subprocess.run([folder / "main"], input=text, capture_output=True, text=True, check=True)
        lines = [line.split(" ") for line in done.stdout.splitlines()]
        assert len(lines) == len(requests)
        return [np.frombuffer(bytes.fromhex(data), TILING)[0] if data else int(result)
                for data, result in lines], done.stderr

    return run


def fits(tiling, bias):
    """Whether the tiles lie in the memories of the chip."""
    points = int(tiling["kernelH"]) * int(tiling["kernelW"])
    m, n, k, wo = (int(tiling[name]) for name in ("mL0", "nL0", "kL0", "orgWo"))
    lines = (min(int(tiling["orgHo"]), (m + wo - 2) // wo + 1) - 1) * int(tiling["strideH"])
    lines += int(tiling["dilationH"]) * (int(tiling["kernelH"]) - 1) + 1
    plane = min(lines, int(tiling["orgHi"])) * int(tiling["orgWi"]) * 32
    l1 = tiling["kAL1"] // (points * 16) * plane + int(tiling["kBL1"]) * int(tiling["nBL1"]) * 2
    return (m % 16 == n % 16 == k % 16 == 0 and min(m, n, k) > 0 and 2 * m * k <= 65536
            and 2 * n * k <= 65536 and 4 * m * n <= 131072 and (not bias or 4 * n <= 1024)
            and tiling["kAL1"] % (points * 16) == 0 and tiling["kAL1"] > 0
            and l1 + (4 * n if bias else 0) <= 512 * 1024)


def test_tilings_run(get_tilings):
    """What GetTiling gives has the shapes that it was asked for, and convolves."""
    rng = np.random.default_rng(33)
    cases = [random_case(rng) for _ in range(20)]
    tilings, said = get_tilings([request_of(case) for case in cases])
    assert said == ""
    shapes = [name for name in TILING.names if name.startswith(("org", "kernel", "stride", "dil", "pad",
                                                                "single", "groups"))]
    for case, tiling in zip(cases, tilings):
        assert fits(tiling, case["bias"]) and (tiling[shapes] == tiling_of(case)[shapes]).all()
    check_cases(cases, rng, tilings)


def test_tilings_of_large_shapes(get_tilings):
    rng = np.random.default_rng(34)
    cases = []
    while len(cases) < times_more(2000):
        case = random_case(rng)
        case |= {"size": [int(most ** rng.random()) for most in (100, 2000, 2000)],
                 "kernel": [int(most ** rng.random()) for most in (9, 20, 20)],
                 "ci": int(3000 ** rng.random()), "co": int(3000 ** rng.random())}
        if min(sizes_out(case)) > 0:
            cases.append(case)
    tilings, _ = get_tilings([request_of(case) for case in cases])
    made = [(case, tiling) for case, tiling in zip(cases, tilings) if not isinstance(tiling, int)]
    assert len(made) > len(cases) * 0.8 and all(fits(tiling, case["bias"]) for case, tiling in made)


def test_defaults(get_tilings):
    """Without SetStride and the like: stride and dilation 1, no padding, half."""
    case = PLAIN | {"stride": [1, 1, 1], "dilation": [1, 1, 1], "pads": [(0, 0)] * 3}
    (tiling, same), _ = get_tilings([request_of(case, given=0, typed=0), request_of(case)])
    assert tiling == same


@pytest.mark.parametrize("changes, word", [
    (dict(groups=2), "groups"), (dict(single_ci=4), "SetSingleWeightShape"), (dict(co=-1), "Cout"),
    (dict(dtype=FLOAT), "Input"), (dict(bias=1, bias_type=FLOAT), "Bias"),
    (dict(single=[1, 1, 999]), "singleM"), (dict(kernel=[2, 30, 3]), "kernel covers"),
    (dict(pads=[0, 0, 256, 0, 0, 0]), "padUp"), (dict(size=[9, 9, 30000]), "fit L1")])
def test_no_tiling(get_tilings, changes, word):
    (result,), said = get_tilings([request_of(PLAIN, **changes)])
    assert result == -1 and word in said


@pytest.mark.parametrize("schedule", ["lazy", "random:5"])
def test_order_is_kept(schedule):
    """Instructions that wait as long as they may change nothing."""
    rng = np.random.default_rng(35)
    cases = [random_case(rng) for _ in range(3)]
    check_cases(cases, rng, extra=["--schedule", schedule])


WHOLE = (1 << 20,) * 3


@pytest.mark.parametrize("mode, code, text", [
    (NO_INIT, "V2004", "without Init"), (TWO_INITS, "V2004", "Init was called 2 times"),
    (NO_INPUT, "V2004", "without SetInput"), (NO_WEIGHT, "V2004", "without SetWeight"),
    (END_ONLY, "V2004", "End without IterateAll"), (REPEATS, "V2004", "SetLoadDataRepeat"),
    (NO_ADDRESS, "V1003", "Input"), (OTHER_BIAS, "V2004", "bias of float"),
    (NO_EVENT, "V4004", "MTE2_MTE1")])
def test_wrong_calls(mode, code, text):
    case = PLAIN | {"mode": mode, "parts": WHOLE, "bias": mode == OTHER_BIAS}
    run, _ = launch([case], np.random.default_rng(36))
    assert run.codes == [code] and text in run.stderr


@pytest.mark.parametrize("wrong, code, text", [
    ({"first_di": -1}, "V2001", "diStartPos"), ({"first_di": 9}, "V2001", "diStartPos"),
    ({"first_m": 1}, "V2001", "mStartPos"), ({"m": 0}, "V2001", "singleM"),
    ({"co": 21}, "V2001", "singleCo"), ({"depth": -1}, "V2001", "singleDo"),
    ({"groups": 2}, "V2001", "groups"), ({"strideH": 0}, "V2001", "strideH"),
    ({"kernelH": 1 << 31, "kernelW": 1 << 31}, "V2001", "kernelH"),
    ({"dilationH": 9}, "V2004", "along H"), ({"orgWo": 9}, "V2004", "orgWo"),
    ({"mL0": 24}, "V2002", "mL0"), ({"kL0": 0}, "V2001", "kL0"), ({"nL0": 4000}, "V1002", "Weight"),
    ({"orgWi": 1 << 40}, "V2001", "Win")])
def test_wrong_numbers(wrong, code, text):
    """Each is told with its name."""
    run, _ = launch([PLAIN | {"wrong": wrong, "parts": WHOLE}], np.random.default_rng(37))
    assert set(run.codes) == {code} and text in run.stderr


def test_no_room_is_told():
    """A plane of the input that L1 does not hold."""
    wide = PLAIN | {"size": [2, 9, 8000], "co": 1, "ci": 1, "parts": WHOLE}
    run, _ = launch([wide], np.random.default_rng(38))
    assert run.codes == ["V1006"]
