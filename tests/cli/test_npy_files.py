""".npy files: what vinci reads, what it writes, and what it refuses."""

import struct

import numpy as np
import pytest

from cli_kit import check_ok, check_usage, copy, load

HEADER = "{'descr': '<f2', 'fortran_order': False, 'shape': (4,), }"


def npy(header=HEADER, data=bytes(8), magic=b"\x93NUMPY", version=(1, 0), length=None):
    """The bytes of a file that numpy would not write."""
    text = header.encode() + b"\n"
    size = len(text) if length is None else length
    return magic + bytes(version) + struct.pack("<H" if version[0] == 1 else "<I", size) + text + data


def header(descr="'<f2'", order="False", shape="(4,)"):
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}"


def read(tmp_path, content):
    (tmp_path / "a.npy").write_bytes(content)
    return copy(tmp_path, "in:a.npy", "out:b.npy:half:4", count=8)


BROKEN = {
    "empty file": (b"", ["a.npy is not an .npy file"]),
    "a few bytes": (b"\x93NUM", ["a.npy is not an .npy file"]),
    "text": (b"1 2 3 4 5 6 7 8 9\n", ["a.npy is not an .npy file"]),
    "zip": (b"PK\x03\x04" + bytes(100), ["a.npy is not an .npy file"]),
    "wrong magic": (npy(magic=b"\x93NUMPX"), ["a.npy is not an .npy file"]),
    "nothing behind the version": (npy()[:8], ["the .npy header is cut off"]),
    "half a length": (npy()[:9], ["the .npy header is cut off"]),
    "half a header": (npy()[:30], ["the .npy header is cut off"]),
    "a header of 4 GB": (npy(version=(2, 0), length=0xFFFFFFF0), ["cut off or too long"]),
    "no data": (npy(data=b""), ["8 bytes of data are missing"]),
    "half the data": (npy(data=bytes(3)), ["5 bytes of data are missing"]),
    "Fortran order": (npy(header(order="True")), ["Fortran order", "np.ascontiguousarray"]),
    "Fortran order without blanks": (npy(header(order="True").replace(" ", "")), []),
    "an order that is none": (npy(header(order="Maybe")),
                              ["fortran_order is Maybe; legal: False, True"]),
    "big-endian": (npy(header("'>f2'")), ["dtype >f2 cannot be used", "<f2"]),
    "double": (npy(header("'<f8'"), bytes(32)), ["dtype <f8 cannot be used", "<f4"]),
    "complex": (npy(header("'<c8'"), bytes(32)), ["dtype <c8 cannot be used"]),
    "objects": (npy(header("'|O'")), ["dtype |O cannot be used"]),
    "strings": (npy(header("'<U3'")), ["dtype <U3 cannot be used"]),
    "a record": (npy(header("[('x', '<f4')]")), []),
    "no descr": (npy("{'shape': (4,), 'fortran_order': False}"), ["is not understood"]),
    "no shape": (npy("{'descr': '<f2', 'fortran_order': False}"), ["is not understood"]),
    "no order": (npy("{'descr': '<f2', 'shape': (4,)}"), ["is not understood"]),
    "a negative size": (npy(header(shape="(-4,)")), ["a.npy", "shape"]),
    "a shape of words": (npy(header(shape="(four,)")), ["a.npy", "shape"]),
    "a huge shape": (npy(header(shape="(999999999999999, 999999999999999)")), ["is too large"]),
    "a huge size": (npy(header(shape="(99999999999999999999999,)")), ["is too large"]),
    "more than the file has": (npy(header(shape="(1000000000000,)")), ["bytes of data are missing"]),
    "a binary header": (npy("\x00\x01\x02"), ["is not understood"]),
}


@pytest.mark.parametrize("content, phrases", BROKEN.values(), ids=list(BROKEN))
def test_a_broken_file_is_refused_with_its_name_and_the_reason(tmp_path, content, phrases):
    check_usage(read(tmp_path, content), "a.npy", *phrases)


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_every_version_of_the_format_is_read(tmp_path, version):
    data = np.array([1, 2, 3, 4], np.float16)
    check_ok(read(tmp_path, npy(data=data.tobytes(), version=version)))
    assert (load(tmp_path / "b.npy") == data).all()


def test_a_header_in_another_order_and_spacing_is_read(tmp_path):
    text = "{'shape':(4,),'fortran_order':False,'descr':'<f2'}"
    check_ok(read(tmp_path, npy(text, np.ones(4, np.float16).tobytes())))
    assert load(tmp_path / "b.npy").tolist() == [1, 1, 1, 1]


def test_bytes_behind_the_data_are_ignored(tmp_path):
    check_ok(read(tmp_path, npy(data=np.ones(4, np.float16).tobytes() + b"rest")))


def test_the_message_shows_the_users_path(tmp_path):
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "a.npy").write_bytes(b"no")
    check_usage(copy(tmp_path, "in:x/a.npy", "zeros:half:4"), "vinci: x/a.npy is not an .npy file")


def test_a_folder_is_no_npy_file(tmp_path):
    (tmp_path / "a.npy").mkdir()
    check_usage(copy(tmp_path, "in:a.npy", "zeros:half:4"), "a.npy")


@pytest.mark.parametrize("shape", ["1", "5", "3x4", "1x2x3x4x5x6", "1x1"])
def test_numpy_reads_what_vinci_writes_and_the_data_is_aligned(tmp_path, shape):
    check_ok(copy(tmp_path, "zeros:half:1", f"out:b.npy:half:{shape}"))
    back = load(tmp_path / "b.npy")
    assert back.shape == tuple(map(int, shape.split("x")))
    assert ((tmp_path / "b.npy").stat().st_size - back.nbytes) % 64 == 0


def test_an_output_replaces_an_older_and_longer_file(tmp_path):
    np.save(tmp_path / "b.npy", np.ones(1000))
    check_ok(copy(tmp_path, "zeros:half:2", "out:b.npy:half:2", count=4))
    assert load(tmp_path / "b.npy").tolist() == [0, 0]
