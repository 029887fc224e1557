"""LoadData 3D v1, LoadData 2D and Mmad together: a convolution, against numpy's own."""

import numpy as np
import pytest

from cases import Subject, check, launch, random_cases
from fractals import FRACTAL, IDENTITY, to_zn, to_zz
from test_load_data_3d_v1 import GEOMETRY, MAP, WITH

SIDES = ("left", "right", "top", "bottom")


class ConvolutionSubject(Subject):
    """A is [C1 * Kh * Kw, 16] wide; shows_a: the result is A itself."""

    source = "load_data_3d_v1_cases.cpp"
    kernel = "convolution"
    fields = ("mode", "shows_a", *MAP, *GEOMETRY, "c1", "n_blocks", "wo", "m_blocks", "seed")
    simplest = {"mode": 0, "shows_a": 1, "c1": 1, "n_blocks": 1, **dict.fromkeys(GEOMETRY, 1),
                **dict.fromkeys(SIDES, 0), "h": 1, "w": 1, "value": 0, "seed": 0}
    weight_fractals, map_bytes, result_fractals = 128, 8192, 128

    def output_size(self, case):
        """Ho and Wo."""
        return [(case[side] + case[before] + case[after] - 1 -
                 (case["filter_" + side] - 1) * case["dilation_" + side]) //
                case["stride_" + side] + 1
                for side, before, after in (("h", "top", "bottom"), ("w", "left", "right"))]

    def complete(self, case):
        """The fields that follow from the others."""
        ho, wo = self.output_size(case)
        return case | {"wo": wo, "m_blocks": -(-ho * wo // 16)}

    def operands(self, case):
        """Small integers: the map [C1, H, W, 16], the weights [C1, Kh, Kw, N, 16]."""
        rng = np.random.default_rng(case["seed"])
        fm = rng.integers(-4, 5, (case["c1"], case["h"], case["w"], 16))
        return fm, rng.integers(-4, 5, (case["c1"], case["filter_h"], case["filter_w"],
                                        16 * case["n_blocks"], 16))

    def before(self, case, chip):
        image = np.zeros(FRACTAL + self.weight_fractals * FRACTAL + self.map_bytes, np.uint8)
        fm, weights = (part.astype(np.float16).view(np.uint8).ravel()
                       for part in self.operands(case))
        image[:FRACTAL] = IDENTITY
        image[FRACTAL:FRACTAL + len(weights)] = weights
        start = FRACTAL + len(weights)
        image[start:start + len(fm)] = fm
        return image

    def result_bytes(self, case, image):
        return self.result_fractals * 1024

    def padded(self, case, fm):
        half = np.array(case["value"], np.uint16).view(np.float16).astype(np.float64)
        return np.pad(fm.astype(np.float64), ((0, 0), (case["top"], case["bottom"]),
                                              (case["left"], case["right"]), (0, 0)),
                      constant_values=half)

    def taps(self, case):
        """(kh, kw, [C1, Ho, Wo, 16]) for each filter point: a slice of the padded map."""
        ho, wo = self.output_size(case)
        fm = self.padded(case, self.operands(case)[0])
        for kh in range(case["filter_h"]):
            for kw in range(case["filter_w"]):
                y, x = kh * case["dilation_h"], kw * case["dilation_w"]
                yield kh, kw, fm[:, y:y + (ho - 1) * case["stride_h"] + 1:case["stride_h"],
                                 x:x + (wo - 1) * case["stride_w"] + 1:case["stride_w"]]

    def expected(self, case, chip, before):
        ho, wo = self.output_size(case)
        weights = self.operands(case)[1]
        result = np.zeros(self.result_fractals * 256, np.float32)
        if case["shows_a"]:
            columns = np.zeros((ho * wo, case["c1"], case["filter_h"], case["filter_w"], 16))
            for kh, kw, part in self.taps(case):
                columns[:, :, kh, kw] = part.transpose(1, 2, 0, 3).reshape(ho * wo, -1, 16)
            flat = to_zz(columns.reshape(ho * wo, -1))
        else:
            image = sum(np.einsum("chwi,cni->hwn", part, weights[:, kh, kw])
                        for kh, kw, part in self.taps(case))
            flat = to_zn(image.reshape(ho * wo, -1))
        result[:len(flat)] = flat
        return result.view(np.uint8)

    def compared(self, case, got, want):
        """The first Ho * Wo rows: the walk goes on behind them."""
        ho, wo = self.output_size(case)
        blocks = self.k_blocks(case) if case["shows_a"] else case["n_blocks"]
        rows = np.ones((ho * wo, 16 * blocks))
        flat = (to_zz if case["shows_a"] else to_zn)(rows).repeat(4) != 0
        return np.pad(flat, (0, len(want) - len(flat)))

    def k_blocks(self, case):
        return case["c1"] * case["filter_h"] * case["filter_w"]

    def legal(self, case, chip):
        if min(self.output_size(case)) < 1 or self.complete(case) != case:
            return False
        deep = self.k_blocks(case)
        return case["m_blocks"] * deep <= 128 and deep * case["n_blocks"] <= 128 and \
            case["m_blocks"] * case["n_blocks"] <= 128 and \
            case["c1"] * case["h"] * case["w"] * 32 <= self.map_bytes and \
            all(case["filter_" + side] >= 1 for side in "wh") and case["value"] & 0x7C00 != 0x7C00


CONVOLUTION = ConvolutionSubject()


def random_convolution(rng):
    case = {side: int(rng.choice([0, 0, 1, 2, 3])) for side in SIDES}
    case |= {"h": int(rng.integers(1, 15)), "w": int(rng.integers(1, 15)),
             "c1": int(rng.integers(1, 4)),
             "value": int(rng.choice([0, 0x3C00, 0xC000])), "n_blocks": int(rng.integers(1, 4)),
             "mode": int(rng.integers(0, 2)), "shows_a": int(rng.random() < 0.3),
             "seed": int(rng.integers(0, 1 << 20))}
    for side in "wh":
        case |= {"filter_" + side: int(rng.integers(1, 5)),
                 "stride_" + side: int(rng.integers(1, 4)),
                 "dilation_" + side: int(rng.choice([1, 1, 2]))}
    return CONVOLUTION.complete(case)


@pytest.mark.parametrize("chip", WITH)
def test_random(chip):
    check(CONVOLUTION, chip, random_cases(CONVOLUTION, chip, random_convolution, 150))


@pytest.mark.parametrize("chip", WITH)
def test_both_modes_build_the_same_matrix(chip):
    """Bit for bit, and behind Ho * Wo too."""
    cases = random_cases(CONVOLUTION, chip, random_convolution, 60, "modes")
    outputs = []
    for mode in (0, 1):
        run = launch(CONVOLUTION, chip, [case | {"mode": mode, "shows_a": 1} for case in cases])
        assert run.codes == []
        outputs.append(run.outputs[0])
    for case, row, column in zip(cases, *outputs):
        stored = case["m_blocks"] * CONVOLUTION.k_blocks(case) * 1024
        assert (row[:stored] == column[:stored]).all(), f"{chip} {case}"
