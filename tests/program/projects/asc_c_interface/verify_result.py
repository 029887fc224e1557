import numpy as np

f32, f16, i16, i32 = np.float32, np.float16, np.int16, np.int32
a, b = np.fromfile("a.bin", f32), np.fromfile("b.bin", f32)
ha, hb = a.astype(f16), b.astype(f16)
sa, sb = np.trunc(a).astype(i16), b.astype(i16)
ia = np.floor(a).astype(i32)
lane = np.arange(128) % 64
bits = (lane < 16) | ((lane >= 32) & (lane < 48))
EE = np.frombuffer(b"\xee" * 512, f32)


def first(values):
    return np.concatenate([values, np.zeros(128 - len(values), f32)])


def as_float(number):
    return np.uint32(number).view(f32)


EXACT = [
    a + b, a - b, a * b, None, np.maximum(a, b), np.minimum(a, b),
    np.maximum(ha + hb, f16(0)), np.maximum(ha - hb, f16(0)), sa & sb, sa | sb, ~sa,
    1 + a * b, a * 2 + b, np.maximum(a * 2 + b, 0),
    abs(a), None, None, None, None, None, np.maximum(a, 0), ia + 7, a * 3,
    np.maximum(a, 3), np.minimum(a, 3), np.where(a > 0, a, a / 2), 1 + 2 * a,
    ia << 3, ia >> 2, a, ia.astype(f32),
    first(a.reshape(2, 64).sum(1)), first(a.reshape(16, 8).max(1)), first(a.reshape(16, 8).min(1)),
    first(a.reshape(64, 2).sum(1)),
    np.where(bits, a + 1, -1), np.where(np.arange(128) < 100, a * b, -1),
    None, b, np.concatenate([a[:5], EE[5:]]), a + b,
    np.full(128, 3 + 10 * 3 + 100 * 63 + 10000 * 2 + 100000 * 13 + 2),
    np.repeat(a[:16], 8), first([a[63], as_float(63), a[127], as_float(63)]),
    np.full(128, a[127] + 127), first([as_float(0), a[0], as_float(0), a[64]]),
    first(b.reshape(2, 64).min(1)), first([as_float(6), as_float(5)]),
]
NEAR = {3: a / b, 15: np.exp(b), 16: np.log(b), 17: np.sqrt(b), 18: 1 / np.sqrt(b), 19: 1 / b}
HALVES, SHORTS, WORDS = {6, 7}, {8, 9, 10}, {21, 27, 28, 41}

out = np.fromfile("out.bin", np.uint8).reshape(2, 64, 512)
for block in out:
    for slot, want in enumerate(EXACT):
        dtype = f16 if slot in HALVES else i16 if slot in SHORTS else i32 if slot in WORDS else f32
        got = block[slot].view(dtype)[:128]
        if slot in NEAR:
            np.testing.assert_allclose(got, NEAR[slot], rtol=1e-6, err_msg=str(slot))
        elif want is None:  # 17 elements that start in the middle, and what is behind their datablock
            assert (got[:17] == a[1:18]).all() and (got[24:] == -1).all()
        else:
            np.testing.assert_array_equal(got.view(np.uint8), want.astype(dtype).view(np.uint8),
                                          err_msg=str(slot))
        if dtype in (f16, i16):
            assert (block[slot, 256:] == 0xEE).all()
    assert (block[len(EXACT):] == 0xEE).all()
print("test pass")
