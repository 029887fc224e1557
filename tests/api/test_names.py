"""Newer names, library copies and functions in small letters."""

import numpy as np
import pytest

import harness
from api_kit import KERNELS, Out, Value, output

FILE = "names.cpp"
BOTH = pytest.mark.parametrize("soc", ["Ascend310P3", "Ascend910B1"])


@BOTH
def test_reductions_take_the_mask_before_the_repeats(soc):
    x = np.random.default_rng(3).integers(-50, 50, 256).astype(np.float32)
    got = output(FILE, "reductions", x, Out("float", 256), soc=soc)
    rows = x.reshape(4, 8, 8)
    assert got[:4].tolist() == rows.sum((1, 2)).tolist()
    assert got[8] == rows[0].max() and got[16] == x[:8].min()
    assert got[24:26].tolist() == rows[0, :2].sum(1).tolist()
    assert got[32:48].tolist() == rows[:2].max(2).ravel().tolist()
    assert got[48:56].tolist() == rows[0].min(1).tolist()
    assert got[64:96].tolist() == x[:64].reshape(32, 2).sum(1).tolist()
    assert (got[128], got[136]) == (x[:4].sum(), x[:4].max())


@BOTH
def test_bits_of_64_lanes_may_be_one_word(soc):
    x = np.random.default_rng(4).integers(1, 50, 64).astype(np.float32)
    got = output(FILE, "bits_in_one_word", x, Out("float", 72), soc=soc)
    assert got[:64].tolist() == np.where(np.arange(64) % 2, 0, 2 * x).tolist()
    assert got[64] == x[1::2].sum()


def test_kernels_read_what_reductions_leave():
    x = np.random.default_rng(5).permutation(256).astype(np.float16) - 128
    got = output(FILE, "left_by_reductions", x, Out("half", 6), soc="Ascend910B1")
    assert got[0] == x[:200].sum(dtype=np.float64)
    assert (got[1], got[2:3].view(np.uint16)[0]) == (x.max(), x.argmax())
    assert (got[3], got[4:5].view(np.uint16)[0]) == (x[:128].min(), x[:128].argmin())
    assert got[5] == x[:200].max()


def test_repeat_parameters_have_the_fields_that_are_kept_for_later():
    x = np.arange(128, dtype=np.float32)
    got = output(FILE, "repeat_parameters", x, Out("float", 128), soc="Ascend910B1")
    assert got[:64].tolist() == (2 * x[:64]).tolist() and got[64:].tolist() == x[:64].tolist()


def test_the_type_of_a_scalar_may_be_named():
    x = np.random.default_rng(8).integers(-50, 50, 128).astype(np.int16)
    got = output(FILE, "scalars_of_type", x, Out("int16", 128), soc="Ascend910B1")
    assert got.tolist() == ((np.maximum((x + 3) * 2, 5) + 1) // 2).tolist()


def test_an_extreme_alone_is_read_on_the_310p():
    x = np.random.default_rng(6).permutation(64).astype(np.float32) - 30
    assert output(FILE, "extreme_alone", x, Out("float", 1)).tolist() == [-30]


@pytest.mark.parametrize("kernel, soc, size", [("left_by_reductions", "Ascend310P3", 6),
                                               ("left_by_reductions", "Ascend910A", 6),
                                               ("extreme_alone", "Ascend910B1", 1)])
def test_registers_that_the_chip_does_not_have(kernel, soc, size):
    x, out = ((np.ones(256, np.float16), Out("half", 6)) if size == 6 else
              (np.ones(64, np.float32), Out("float", 1)))
    run = harness.run_kernel(KERNELS / FILE, x, out, soc=soc, kernel=kernel)
    assert "V6001" in run.codes and "GetReduceRepeat" in run.faults[0]["message"]


@BOTH
def test_sums_are_scaled_without_names_of_types(soc):
    x = np.arange(-10, 54, dtype=np.int32)
    wanted = np.full(64, -1.0)
    for part in (slice(32), slice(40, 48)):
        wanted[part] = np.maximum(x[part], 0)
    assert output(FILE, "scaled_sums", x, Out("half", 64), soc=soc).tolist() == wanted.tolist()


@BOTH
@pytest.mark.parametrize("shape", [(3, 3, 2, 8), (1, 1, 1, 8), (2, 17, 4, 4), (0, 3, 2, 8),
                                   (3, 0, 2, 8), (3, 3, 0, 8)])
def test_images_are_transposed(soc, shape):
    n, c, h, w = shape
    x = np.arange(768, dtype=np.float32)
    image = x[:n * c * h * w]
    for kind, wanted in [(11, image.reshape(n, c, h, w).transpose(0, 2, 3, 1)),
                         (12, image.reshape(n, h, w, c).transpose(0, 3, 1, 2)),
                         (0, np.empty(0))]:
        got = output(FILE, "images", x, Out("float", 768),
                     *[Value("uint32", size) for size in shape], Value("uint32", kind), soc=soc)
        assert (got[:wanted.size] == wanted.ravel()).all() and (got[wanted.size:] == -1).all()


@pytest.mark.parametrize("shape, kind, message", [
    ((1, 1, 1, 7), 11, "hSize * wSize in bytes is 28"), ((1, 1, 1, 4096), 12, "is 4096"),
    ((1, 1, 1, 8), 9, "transposeType is 9"), ((1, 1, 1, 8), 13, "transposeType is 13")])
def test_images_that_cannot_be_transposed(shape, kind, message):
    run = harness.run_kernel(KERNELS / FILE, np.zeros(768, np.float32), Out("float", 768),
                             *[Value("uint32", size) for size in shape], Value("uint32", kind),
                             soc="Ascend310P3", kernel="images")
    assert "V2001" in run.codes and message in run.faults[0]["message"]


@BOTH
def test_slices_are_copied(soc):
    x = np.arange(3 * 87, dtype=np.float32).reshape(3, 87)
    got = output(FILE, "slices", x, Out("float", 96), Value("uint32", 70), soc=soc)
    wanted = [np.concatenate([row[16:40], row[47:71]]) for row in (x[0], x[2])]
    assert (got == np.concatenate(wanted)).all()


@pytest.mark.parametrize("end, message", [(87, "endIndex is 87"), (15, "endIndex is 15"),
                                          (47, "number of pieces")])
def test_slices_that_do_not_fit_are_refused(end, message):
    run = harness.run_kernel(KERNELS / FILE, np.zeros(261, np.float32), Out("float", 96),
                             Value("uint32", end), soc="Ascend310P3", kernel="slices")
    assert "V2001" in run.codes and message in run.faults[0]["message"]


@BOTH
@pytest.mark.parametrize("size", [1, 7, 8, 9, 8192, 20000, 20003])
def test_gm_is_filled(soc, size):
    got = output(FILE, "fills", Out("int32", 2 * size), Value("uint32", size), soc=soc, blocks=2)
    wanted = np.repeat([[1], [2]], size, axis=1)
    wanted[:, :size // 2] = -1
    wanted[:, 0] = 77
    assert (got.reshape(2, size) == wanted).all()


@BOTH
def test_small_letters_are_the_same_instructions(soc):
    x = np.arange(128, dtype=np.float32)
    got = output(FILE, "small_letters", x, Out("float", 64), soc=soc)
    assert got[:2].tolist() == [x[:16].sum(), x[64:80].sum()]
    assert got[8:10].tolist() == [x[:64].sum(), x[64:].sum()]


def test_copies_of_bytes():
    x = np.arange(1, 33, dtype=np.uint8)
    run = harness.run_kernel(KERNELS / FILE, x, Out("uint8", 24), soc="Ascend910B1",
                             kernel="aligned_copies")
    assert run.code == 0 and run.codes == ["V1014"] and "bytes 9..11" in run.stderr  # gaps
    got = run.outputs[0]
    assert got[:9].tolist() == x[:9].tolist() and got[12:21].tolist() == x[16:25].tolist()


def test_a_flag_between_pipes_that_have_none():
    run = harness.run_kernel(KERNELS / FILE, Out("int8", 1), soc="Ascend910B1",
                             kernel="no_such_event")
    assert run.code == 1 and run.codes == ["V4004"]


@pytest.mark.parametrize("soc", ["Ascend910B1", "Ascend310B1"])
def test_atomic_copies_by_number(soc):
    run = harness.run_kernel(KERNELS / FILE, Out("half", 64), Out("uint16", 10), soc=soc,
                             kernel="store_atomics")
    harness.check_clean(run)
    sums, numbers = run.outputs
    assert sums.tolist() == [1] * 16 + [2] * 16 + [1] * 32
    assert numbers.reshape(5, 2).tolist() == [[0, 0], [2, 0], [4, 0], [1, 0], [0, 0]]


def test_chips_without_atomic_copies_by_number():
    run = harness.run_kernel(KERNELS / FILE, Out("half", 64), Out("uint16", 10), soc="Ascend310P3",
                             kernel="store_atomics")
    assert {*run.codes} == {"V6001"}


def test_atomic_operations_and_types_in_small_letters():
    got = output(FILE, "atomic_letters", Out("half", 64), soc="Ascend910B1")
    assert got.tolist() == [4] * 16 + [6] * 16 + [5] * 16 + [7] * 16


@BOTH
def test_sums_in_small_letters(soc):
    assert output(FILE, "atomic_sum", Out("float", 64), soc=soc).tolist() == [6] * 32 + [3] * 32


def test_the_310p_only_adds():
    run = harness.run_kernel(KERNELS / FILE, Out("int8", 1), soc="Ascend310P3",
                             kernel="atomic_larger")
    assert run.codes == ["V6001"]


def test_names_from_inside_the_headers():
    got = output(FILE, "inner_names", Out("int32", 8), soc="Ascend910B1")
    assert got.tolist() == [16, 8, 32, 64, 0, 1, 0, 1 | 2 << 4 | 5 << 8]


def test_names_that_published_kernels_import():
    x = np.arange(1, 65, dtype=np.uint32)
    got = output("small_names.cpp", "small_names", x, Out("uint32", 72, part=True), soc="Ascend910B1",
                 extra=["--cores", "aiv"])
    assert got[:32].tolist() == x[::2].tolist() and not got[32:64].any()
    assert got[64:70].tolist() == [32, 0x3FC00000, 605, 2, 0, 72]
