"""Elements and datablocks inside UB in other places, by the small names of their instructions, against
numpy; and numbers of the core and of GM."""

import numpy as np
import pytest

from api_kit import write_calls
from harness import Out, Value, check_clean, run_kernel
from test_vector_intrinsics import COUNT, FLOAT, HEAD, INT, KERNEL, NAMES, WORD, Case

BYTES = 4 * COUNT


def offsets_of(call, wanted, scale=4, high=COUNT):
    """a has data, b offsets into them, in bytes."""
    return Case(call, wanted, INT, low=0, high=high, scale=scale)


def packed(wanted):
    """What was chosen, and what was there behind it."""
    def all_of_it(x, y, z):
        some = wanted(x, y)
        return np.concatenate([some, z[len(some):]])
    return Case(wanted.__doc__, all_of_it, WORD, low=0, high=65536)


def bits_of(words, count):
    return np.unpackbits(words.view(np.uint8), bitorder="little")[:count].astype(bool)


def every_second(x, y):
    "vreducev2(c, a, b, 1, 1, 1, 8, 8);"
    return x[0::2]


def third_of_four(x, y):
    "vreducev2(c, a, a, 1, 1, 5, 8, 8);"
    return x[2::4]


def with_bits(x, y):
    "vreducev2(c, a, b, 1, 1, 0, 8, 8);"
    return x[bits_of(y, COUNT)]


def of_a_number_of_elements(x, y):
    """set_mask_count(); set_vector_mask(0, 100); vreducev2(c, a, b, 1, 1, 0, 8, 8); set_mask_norm();"""
    return x[:100][bits_of(y, 100)]


def and_how_many(x, y):
    """vreducev2(c, a, b, 1, 1, 0, 8, 8); int64_t count = get_rsvd_cnt(); set_vector_mask(0, 0xFFFF);
       pipe_barrier(PIPE_V); vector_dup(c, uint16_t(count), 1, 1, 1, 8, 0);
       if (count < 16) vector_dup(c, (uint16_t)0, 1, 1, 1, 8, 0);"""
    chosen = x[bits_of(y, COUNT)]
    return np.concatenate([np.full(16, len(chosen)), chosen[16:]])


def in_order(scores, indices):
    """Pairs of the scores, the largest first, and their indices."""
    order = np.argsort(-scores, kind="stable")
    return np.stack([scores[order].view(np.uint32), indices[order]], 1).ravel().view(FLOAT)


def blocks(numbers, dtype):
    return numbers.view(dtype).reshape(16, -1)


def transposed(x, _, z):
    return blocks(x, WORD).T.copy().view(INT).ravel()


def transposed_words(x, _, z):
    """Datablock e of the result is column e / 2 of the eight datablocks that it stands for."""
    src = blocks(x, np.uint32)
    return np.stack([src[8 * (e % 2):8 * (e % 2) + 8, e // 2] for e in range(16)]).view(INT).ravel()


def transposed_bytes(x, _, z):
    """From the upper half of each datablock to the lower."""
    dst, src = blocks(z.copy(), np.uint8), blocks(x, np.uint8)
    dst[:, :16] = src[:, 16:].T
    return dst.view(INT).ravel()


ADDRESSES = """uint64_t from[16], to[16];
    for (int i = 0; i < 16; ++i) {{ from[i] = (uint64_t)(a) + 32 * i; to[i] = (uint64_t)(c) + 32 * i; }}
    set_va_reg_sb(VA0, to); set_va_reg_sb(VA1, to + 8); set_va_reg_sb(VA4, from); set_va_reg_sb(VA5, from + 8);
    """.replace("{{", "{").replace("}}", "}")
WORDS = "(__ubuf__ uint32_t*)"
CASES = [
    offsets_of(f"vgather({WORDS}c, {WORDS}b, 0, 8, 2);", lambda x, y, z: x[y // 4]),
    offsets_of(f"""vgather((__ubuf__ uint16_t*)c, {WORDS}b, 0, 8, 1);""",
               lambda x, y, z: np.concatenate([x.view(WORD)[y // 2].view(INT), z[64:]])),
    # An address of a pointer, of which 32 bits are left, and lanes of MASK.
    offsets_of(f"""LocalTensor<uint8_t> whole; whole.InitBuffer(0, 8192); set_vector_mask(0, 0xFF);
                   vgather({WORDS}c, {WORDS}b, uint32_t(reinterpret_cast<uintptr_t>(whole.GetPhyAddr())) + 64, 8, 2);""",
               lambda x, y, z: np.where(np.arange(COUNT) % 64 < 8, x[y // 4 + 16], z), high=COUNT - 16),
    offsets_of(f"vgatherb({WORDS}c, {WORDS}b, 32, 8, 1, 2);",
               lambda x, y, z: x.reshape(16, 8)[y[:16] // 32 + 1].ravel(), 32, 15),
    *(packed(wanted) for wanted in (every_second, third_of_four, with_bits, of_a_number_of_elements,
                                    and_how_many)),
    Case(f"vbitsort(c, a, {WORDS}b, 2);",
         lambda x, y, z: np.concatenate([in_order(x[i:i + 32], y[i:i + 32].view(np.uint32)) for i in (0, 32)]),
         FLOAT, low=-10**6, high=10**6),
    Case(f"""__ubuf__ float* d = (__ubuf__ float*)4096; __ubuf__ float* queues[4] = {{d, d + 64, d, d}};
             vbitsort(d, a, {WORDS}b, 2); pipe_barrier(PIPE_V);
             vmrgsort4(c, queues, 32 | 32ull << 16, 1 | 3 << 8); pipe_barrier(PIPE_V);
             if (get_vms4_sr() != (32 | 32ull << 16)) vector_dup(c, 0, 2, 1, 1, 8, 0);""",
         lambda x, y, z: in_order(x[:64], y[:64].view(np.uint32)), FLOAT, low=-10**6, high=10**6),
    Case("vtranspose((__ubuf__ uint16_t*)c, (__ubuf__ uint16_t*)a);", transposed, INT, low=-2**30, high=2**30),
    Case(ADDRESSES + "scatter_vnchwconv_b16(VA0, VA4, 1, 0, 0);", transposed, INT, low=-2**30, high=2**30),
    Case(ADDRESSES + "scatter_vnchwconv_b32(VA0, VA4, 1, 0, 0);", transposed_words, INT, low=-2**30, high=2**30),
    Case(ADDRESSES + "scatter_vnchwconv_b8(VA0, VA4, 1, 0, 0, false, true);", transposed_bytes, INT,
         low=-2**30, high=2**30),
    # Past the caches: a number of GM to all lanes, and one into it.
    Case("""int32_t number = ld_dev(x + 5, 0); st_dev(number, out + 7, 0); dsb(DSB_ALL);
            vector_dup(c, ld_dev(out + 7, 0), 2, 1, 1, 8, 0);""", lambda x, y, z: np.full(COUNT, x[5]), INT),
    Case("""uint32_t version = 0; GetArchVersion(version);
            vector_dup(c, int32_t(get_coreid() == GetBlockIdx() && get_arch_ver() == version), 2, 1, 1, 8, 0);""",
         lambda x, y, z: np.ones(COUNT), INT),
]


@pytest.fixture(scope="module", name="source")
def source_of_all(tmp_path_factory):
    return write_calls(tmp_path_factory.mktemp("rearrangements") / "k.cpp", HEAD, KERNEL, CASES)


@pytest.mark.parametrize("number", range(len(CASES)),
                         ids=[f"{i}_" + case.call.split(";")[-2].split("(")[0].strip()
                              for i, case in enumerate(CASES)])
def test_calls(source, number, soc="Ascend910B1"):
    case = CASES[number]
    x, y = case.numbers(case.source, 1), case.numbers(case.source, 2)
    z = case.numbers(case.result, 3)
    done = run_kernel(source, x, y, z, Out(NAMES[case.result].removesuffix("_t"), COUNT),
                      Value("int32", number), soc=soc, kernel=case.kernel)
    check_clean(done)
    want = case.wanted(x, y, z).astype(case.result)
    assert done.outputs[0].tobytes() == want.tobytes()


@pytest.mark.parametrize("number", [0, 4, 6, 7])
def test_the_310p_has_gathering_too(source, number):
    test_calls(source, number, "Ascend310P3")


FAULTS = [
    ("__ubuf__ half* queues[4] = {a, a, a, a}; vmrgsort4(c, queues, uint64_t(0), uint64_t(1) << 13);", "V2001"),
    ("scatter_vnchwconv_b16(VA6, VA7, 1, 0, 0);", "V2004"), ("ld_dev((__gm__ int32_t*)x, 4);", "V2001"),
    ("st_dev(1, (__gm__ int32_t*)out, 4);", "V2001"), ("vgather((__ubuf__ uint16_t*)c, (__ubuf__ uint32_t*)b, 1, 8, 1);", "V1004"),
    ("vreducev2((__ubuf__ uint16_t*)c, (__ubuf__ uint16_t*)a, (__ubuf__ uint16_t*)b, 1, 1, 8, 8, 8);", "V2001"),
]


@pytest.mark.parametrize("call, code", FAULTS)
def test_a_wrong_argument_is_a_fault(tmp_path, call, code):
    path = tmp_path / "k.cpp"
    path.write_text(HEAD + KERNEL.format(name="k", src="half", dst="half", calls=f"case 0: {{ {call} break; }}"))
    x = np.zeros(COUNT, np.float16)
    done = run_kernel(path, x, x, x, Out("half", COUNT), Value("int32", 0), soc="Ascend910B1")
    assert done.code != 0 and done.errors[0]["code"] == code, done.stderr
