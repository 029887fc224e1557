"""Fractal layouts and exact float arithmetic of the matrix path, in numpy."""

import numpy as np

FRACTAL = 512
IDENTITY = np.eye(16, dtype=np.float16).view(np.uint8).ravel()
NAN32 = np.uint32(0x7FC00000).view(np.float32)
MOST16 = np.float16(65504)
NAN16 = np.uint16(0x7E00).view(np.float16)


def blocks(matrix, rows, columns):
    """[R1, rows, C1, columns] with zeros where the matrix ends."""
    height, width = -(-matrix.shape[0] // rows), -(-matrix.shape[1] // columns)
    whole = np.zeros((height * rows, width * columns), matrix.dtype)
    whole[:matrix.shape[0], :matrix.shape[1]] = matrix
    return whole.reshape(height, rows, width, columns)


def to_zz(matrix, c0=16):
    """zZ: [R1, C1, 16, C0], the A operand in L0A."""
    return blocks(matrix, 16, c0).transpose(0, 2, 1, 3).ravel()


def to_zn(matrix, c0=16):
    """zN: [C1, R1, 16, C0], C in L0C and most matrices in L1."""
    return blocks(matrix, 16, c0).transpose(2, 0, 1, 3).ravel()


def to_nz(matrix, k0=16):
    """nZ: [K1, N1, 16, K0], the B operand in L0B; rows of the matrix are k."""
    return blocks(matrix, k0, 16).transpose(0, 2, 3, 1).ravel()


def from_zz(flat, rows, columns, c0=16):
    height, width = -(-rows // 16), -(-columns // c0)
    return flat.reshape(height, width, 16, c0).transpose(0, 2, 1, 3).reshape(height * 16, -1)


def from_zn(flat, rows, columns, c0=16):
    height, width = -(-rows // 16), -(-columns // c0)
    return flat.reshape(width, height, 16, c0).transpose(1, 2, 0, 3).reshape(height * 16, -1)


def from_nz(flat, rows, columns, k0=16):
    depth, width = -(-rows // k0), -(-columns // 16)
    return flat.reshape(depth, width, 16, k0).transpose(0, 3, 1, 2).reshape(depth * k0, -1)


def seen_through_identity(fractals, position_is_b):
    """What a product with the identity shows of L0A's or L0B's bytes: floats, row by row."""
    values = fractals.view(np.float16).reshape(-1, 16, 16).astype(np.float32)
    if position_is_b:
        values = values.transpose(0, 2, 1)
    return np.ascontiguousarray(values).view(np.uint8).ravel()


def fma32(a, b, c):
    """round32(a * b + c), once. a and b have at most 24 digits together (halves have 22), so their
    product is exact in double; the sum is rounded to odd there, and then once to float."""
    with np.errstate(all="ignore"):
        product = a.astype(np.float64) * b.astype(np.float64)
        addend = c.astype(np.float64)
        total = product + addend
        back = total - addend  # two-sum: what the double addition lost
        lost = (product - back) + (addend - (total - back))
        even = (total.view(np.int64) & 1) == 0
        inexact = np.isfinite(total) & (lost != 0) & even
        odd = np.nextafter(total, np.where(lost > 0, np.inf, -np.inf))
        return np.where(inexact, odd, total).astype(np.float32)


def multiply(a, b, start):
    """start + a * b for halves a, b: one fma32 for each k, ascending, NaN canonical."""
    c = start.astype(np.float32)
    for k in range(a.shape[1]):
        c = fma32(np.broadcast_to(a[:, k:k + 1], c.shape), np.broadcast_to(b[k:k + 1], c.shape), c)
    return np.where(np.isnan(c), NAN32, c)


def to_half(values, saturates):
    """Rounded once to nearest even; inf and NaN become +-65504 and +0 where the chip saturates."""
    with np.errstate(all="ignore"):
        halves = values.astype(np.float16)
    if saturates:
        return np.clip(np.where(np.isnan(halves), np.float16(0), halves), -MOST16, MOST16)
    return np.where(np.isnan(halves), NAN16, halves)


def unpacked(memory, bits):
    """Bytes as unsigned elements of `bits` bits; of two in a byte, the low one comes first."""
    if bits == 4:
        return np.stack([memory & 15, memory >> 4], -1).ravel()
    return memory.view(f"u{bits // 8}").copy()


def packed(elements, bits):
    """The bytes of unsigned elements."""
    if bits == 4:
        return elements[::2] | elements[1::2] << 4
    return elements.view(np.uint8)
