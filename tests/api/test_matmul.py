"""The Matmul object against C = A * B + bias, in whole numbers, which must come out exactly."""

import numpy as np
import pytest

from harness import times_more
from matmul_cases import COMBINATIONS, MIX, ONLY_AIC, random_case, run_cases


@pytest.mark.parametrize("kind", [ONLY_AIC, MIX])
def test_random(kind):
    rng = np.random.default_rng(5)
    cases = [random_case(rng, kind == MIX) for _ in range(30)]
    assert not run_cases(cases, kind, rng)


@pytest.mark.whole
@pytest.mark.parametrize("kind", [ONLY_AIC, MIX])
def test_many(kind):
    rng = np.random.default_rng(6)
    cases = [random_case(rng, kind == MIX) for _ in range(times_more(600))]
    assert {case["combination"] for case in cases} == set(
        range(6 if kind == MIX else len(COMBINATIONS)))
    assert not run_cases(cases, kind, rng)
