"""matmul and conv2d: products of what lies in L1, in tiles that go through L0A and L0B.

Both multiply A[m, k] by B[k, n]. B lies in L1 as L0B wants it: K1 x N1 fractals. A is brought to
L0A row block by row block, from a matrix (matmul) or as the columns of an image (conv2d). Tiles of
k follow each other, so the sums are those of one mmad over the whole of k.
"""

from .. import chip
from ..error import fail
from ..operands import (check_bool, check_extent, check_same_dtype, check_tensor, unsupported)
from ..scope import scope_bt, scope_ca, scope_cb, scope_cbuf, scope_cc, size_of
from .cube import (FRACTAL_BYTES, ROWS, V1_RANGES, V2_RANGES, blocks, check_product, emit_load_3d,
                   fractal_elements, load_2d, product, row_elements)

MMAD_MOST = 4095  # of m, k and n in one mmad
REPEATS_MOST = 255
RESULT_FRACTAL = ROWS * ROWS  # elements of L0C

MATMUL_TYPES = {("int32", "int8", "int8"), ("float32", "float16", "float16"),
                ("float32", "float32", "float32")}
CONV2D_TYPES = {("int32", "int8", "int8"), ("int32", "uint8", "int8"),
                ("float32", "float16", "float16")}
PAD_RANGES = {"int8": (-128, 127), "uint8": (0, 255), "float16": (-65504, 65504)}


class _Tiles:
    """How many row blocks, column blocks and K blocks one mmad takes."""

    def __init__(self, tik, api, dtype, high, wide, deep):
        left, right = (tik.get_available_buffer_size(scope) // FRACTAL_BYTES
                       for scope in (scope_ca, scope_cb))
        if not left or not right:
            fail(f"{api} needs {FRACTAL_BYTES} bytes of L0A and of L0B at least, but "
                 f"{left * FRACTAL_BYTES} and {right * FRACTAL_BYTES} are available")
        at_most = MMAD_MOST // ROWS
        self.high = min(high, left, at_most)
        # The result of some of the rows is not contiguous, but that of a column block is.
        self.wide = min(wide, right, at_most) if self.high == high else 1
        self.deep = min(deep, left // self.high, right // self.wide, REPEATS_MOST,
                        MMAD_MOST // row_elements(dtype))


class _Product:
    """dst = A * B, with dst as zN. `load_a(a, at, row, deep)`: to Tensor a, the `deep` fractals of
    row block `row` from K block `at` on."""

    def __init__(self, tik, api, dst, b, a_dtype, sizes, load_a, bias=None):
        self.tik = tik
        self.api = api
        self.dst = dst
        self.b = b
        self.m, self.k, self.n = sizes
        self.k0 = row_elements(b.dtype)
        self.high, self.wide = blocks(self.m, ROWS), blocks(self.n, ROWS)
        self.deep = blocks(self.k, self.k0)
        self.load_a = load_a
        self.bias = bias
        self.a_dtype = a_dtype

    def run(self, init):
        tik = self.tik
        tiles = _Tiles(tik, self.api, self.b.dtype, self.high, self.wide, self.deep)
        per_fractal = fractal_elements(self.b.dtype)
        with tik.new_stmt_scope():
            a = tik.Tensor(self.a_dtype, (tiles.high * tiles.deep * per_fractal,), scope_ca,
                           "product_a")
            b = tik.Tensor(self.b.dtype, (tiles.wide * tiles.deep * per_fractal,), scope_cb,
                           "product_b")
            for row in range(0, self.high, tiles.high):
                rows = (row, min(tiles.high, self.high - row))
                for column in range(0, self.wide, tiles.wide):
                    columns = (column, min(tiles.wide, self.wide - column))
                    self._along_k(a, b, rows, columns, tiles.deep, init)

    def _along_k(self, a, b, rows, columns, step, init):
        """The first tile, those like it in a loop, and what is left."""
        whole = self.deep // step if self.k % self.k0 == 0 else (self.deep - 1) // step
        self._tile(a, b, rows, columns, (0, min(step, self.deep)), init)
        if whole > 1:
            with self.tik.for_range(1, whole, name="k_tile") as i:
                self._tile(a, b, rows, columns, (i * step, step), False)
        done = max(whole, 1) * step
        if done < self.deep:
            self._tile(a, b, rows, columns, (done, self.deep - done), False)

    def _tile(self, a, b, rows, columns, depth, init):
        """One tile; each of the last three is (first block, how many)."""
        tik, api = self.tik, self.api
        (row, high), (column, wide), (at, deep) = rows, columns, depth
        per_fractal = fractal_elements(self.b.dtype)
        with tik.for_range(0, high, name="row") as i:
            self.load_a(a.shifted(i * (deep * per_fractal)), at, row + i, deep)
        if wide == self.wide and wide * deep <= REPEATS_MOST:
            tik.program.emit(load_2d(api, b, self.b, at * wide, wide * deep, 1))
        else:
            with tik.for_range(0, deep, name="k_block") as i:
                tik.program.emit(load_2d(api, b.shifted(i * (wide * per_fractal)), self.b,
                                         (at + i) * self.wide + column, wide, 1))
        # m = 1 would take A for a vector.
        m = max(min(self.m - row * ROWS, high * ROWS), 2)
        k = deep * self.k0 if not isinstance(at, int) else min(deep * self.k0,
                                                               self.k - at * self.k0)
        n = min(self.n - column * ROWS, wide * ROWS)
        dst = self.dst.shifted((column * self.high + row) * RESULT_FRACTAL)
        bias = self.bias.shifted(column * ROWS) if init and self.bias is not None else None
        accumulates = int(not init or bias is not None)
        tik.program.emit(product(api, dst, a, b, (m, k, n), accumulates, bias))


def _check_types(api, dst, a, b, legal):
    what = f"dst {dst.dtype} src {a.dtype} and {b.dtype}"
    if (dst.dtype, a.dtype, b.dtype) not in legal:
        unsupported(api, what)
    check_product(api, dst, a, b)


def check_int(name, value, least, most):
    if isinstance(value, bool) or not isinstance(value, int):
        fail(f"{name} should be int, input type: {type(value)}", TypeError)
    if not least <= value <= most:
        fail(f"{name} should be in the range of [{least}, {most}], input value is {value}")


def _check_operands(dst, a, b, names):
    """`names`: of a and b."""
    check_tensor(dst, "dst", (scope_cc,), 1024)
    for name, tensor in zip(names, (a, b)):
        check_tensor(tensor, name, (scope_cbuf,), FRACTAL_BYTES)


def _check_bias(api, dst, bias, n, init_l1out):
    if bias is None:
        return
    if not chip.supports("data_copy_bt"):
        unsupported(api, "bias")
    check_tensor(bias, "bias", (scope_cbuf,))
    check_same_dtype(dst=dst, bias=bias)
    check_extent("bias", bias, n)
    if not init_l1out:
        fail("init_l1out should be True with a bias")


def _multiply(tik, api, dst, b, a_dtype, sizes, load_a, init_l1out, bias):
    if bias is None:
        _Product(tik, api, dst, b, a_dtype, sizes, load_a).run(init_l1out)
        return
    wide = blocks(sizes[2], ROWS)
    check_extent("bias", bias, wide * ROWS)
    with tik.new_stmt_scope():
        table = tik.Tensor(bias.dtype, (wide * ROWS,), scope_bt, "product_bias")
        tik.program.emit({"do": "call", "instruction": "data_copy_bt", "as": api,
                          "dst": table.operand(), "src": bias.operand(), "length": wide})
        _Product(tik, api, dst, b, a_dtype, sizes, load_a, table).run(True)


def _check_conv2d_shapes(fm_shape, kernel_shape, c0):
    for name, shape, rank in (("fm_shape", fm_shape, 4), ("kernel_shape", kernel_shape, 5)):
        if not isinstance(shape, (list, tuple)) or len(shape) != rank:
            fail(f"{name} should hold {rank} int, input is {shape}")
    for name, value, most in zip(("fm_shape C1", "fm_shape H", "fm_shape W"), fm_shape,
                                 (256, 4096, 4096)):
        check_int(name, value, 1, most)
    for name, value, most in zip(("Kh", "Kw"), kernel_shape[1:3], (255, 255)):
        check_int(f"kernel_shape {name}", value, 1, most)
    check_int("kernel_shape Cout", kernel_shape[3], 16, 4096)
    if kernel_shape[3] % ROWS:
        fail(f"kernel_shape Cout should be a multiple of {ROWS}, input value is {kernel_shape[3]}")
    if kernel_shape[0] != fm_shape[0]:
        fail(f"fm_shape and kernel_shape should have the same C1, input is {fm_shape[0]} and "
             f"{kernel_shape[0]}")
    for name, shape in (("fm_shape", fm_shape), ("kernel_shape", kernel_shape)):
        if shape[-1] != c0:
            fail(f"{name} C0 should be {c0}, input value is {shape[-1]}")
    if fm_shape[0] * c0 > 4096:
        fail(f"C1 * C0 should be in the range of [{c0}, 4096], input value is {fm_shape[0] * c0}")


def _check_list(name, value, rank, least, most):
    if not isinstance(value, (list, tuple)) or len(value) != rank:
        fail(f"{name} should hold {rank} int, input is {value}")
    for number in value:
        check_int(name, number, least, most)


def _check_pad_value(pad_value, dtype):
    least, most = PAD_RANGES[dtype]
    if isinstance(pad_value, bool) or not isinstance(pad_value, (int, float)) or \
            (dtype != "float16" and isinstance(pad_value, float)):
        fail(f"pad_value should be {'int or float' if dtype == 'float16' else 'int'}, input type: "
             f"{type(pad_value)}", TypeError)
    if not least <= pad_value <= most:
        fail(f"pad_value should be in the range of [{least}, {most}], input value is {pad_value}")


class _Convolution:
    """The numbers of a conv2d, and its load of A."""

    def __init__(self, tik, feature_map, shapes, stride, pad, dilation, pad_value):
        fm_shape, kernel_shape = shapes
        self.tik = tik
        self.map = feature_map
        self.pad, self.pad_value = list(pad), pad_value
        self.c1, h, w, self.c0 = fm_shape
        self.kh, self.kw = kernel_shape[1:3]
        self.stride = stride
        self.geometry = {
            "l1_h": h, "l1_w": w, "stride_h": stride[0], "stride_w": stride[1],
            "filter_h": self.kh, "filter_w": self.kw, "dilation_filter_h": dilation[0],
            "dilation_filter_w": dilation[1]}
        left, right, top, bottom = pad
        self.ho = (h + top + bottom - dilation[0] * (self.kh - 1) - 1) // stride[0] + 1
        self.wo = (w + left + right - dilation[1] * (self.kw - 1) - 1) // stride[1] + 1
        if self.ho < 1 or self.wo < 1:
            fail(f"the dilated kernel is larger than the padded feature map: Ho is {self.ho} and "
                 f"Wo is {self.wo}")

    @property
    def sizes(self):
        return self.ho * self.wo, self.c1 * self.kh * self.kw * self.c0

    def load(self, a, at, row, deep):
        if chip.supports("load_data_3d_v1"):
            self._load_v1(a, at, row, deep)
        else:
            self._load_v2(a, at, row, deep)

    def _load_v1(self, a, at, row, deep):
        points, window = self.kh * self.kw, row * ROWS
        point = at % points
        values = {
            **self.geometry, "c1_index": at // points, "fetch_filter_h": point // self.kw,
            "fetch_filter_w": point % self.kw,
            "left_top_h": window // self.wo * self.stride[0] - self.pad[2],
            "left_top_w": window % self.wo * self.stride[1] - self.pad[0],
            "jump_offset": 1, "repeat_mode": 0, "repeat_time": deep}
        emit_load_3d(self.tik, "conv2d", "load_data_3d_v1", a, self.map, self.pad, self.pad_value,
                     V1_RANGES, values)

    def _load_v2(self, a, at, row, deep):
        values = {
            **self.geometry, "channel_size": self.c1 * self.c0, "k_extension": deep * self.c0,
            "m_extension": ROWS, "k_start_pt": at * self.c0, "m_start_pt": row * ROWS}
        emit_load_3d(self.tik, "conv2d", "load_data_3d_v2", a, self.map, self.pad, self.pad_value,
                     V2_RANGES, values)


class Products:
    """Mixin of Tik."""

    def matmul(self, dst, a, b, m, k, n, init_l1out=True, bias=None):
        """dst[N1, M, N0] = a[K1, M, K0] * b[K1, N, K0]; M and N are m and n rounded up to 16.
        init_l1out False adds to dst."""
        if not self.program.live:
            return
        self.check_high_level("matmul")
        _check_operands(dst, a, b, ("a", "b"))
        _check_types("matmul", dst, a, b, MATMUL_TYPES)
        check_int("m", m, 1, 4096)
        check_int("k", k, 1, 32768 // size_of(a.dtype))
        check_int("n", n, 1, 4096)
        check_bool("init_l1out", init_l1out)
        high, wide = blocks(m, ROWS), blocks(n, ROWS)
        deep = blocks(k, row_elements(a.dtype))
        check_extent("dst", dst, high * wide * RESULT_FRACTAL)
        check_extent("a", a, deep * high * fractal_elements(a.dtype))
        check_extent("b", b, deep * wide * fractal_elements(b.dtype))
        _check_bias("matmul", dst, bias, n, init_l1out)

        def load_a(to, at, row, count):
            self.program.emit(load_2d("matmul", to, a, at * high + row, count, high))

        _multiply(self, "matmul", dst, b, a.dtype, (m, k, n), load_a, init_l1out, bias)

    def conv2d(self, dst, feature_map, weight, fm_shape, kernel_shape, stride, pad, dilation,
               pad_value=0, init_l1out=True, bias=None):
        """dst[Cout/16, Ho*Wo rounded up to 16, 16]: feature_map [C1, H, W, C0] by weight
        [C1, Kh, Kw, Cout, C0]. stride and dilation: of height, of width; pad: left, right, top,
        bottom."""
        if not self.program.live:
            return
        self.check_high_level("conv2d")
        _check_operands(dst, feature_map, weight, ("feature_map", "weight"))
        _check_types("conv2d", dst, feature_map, weight, CONV2D_TYPES)
        _check_conv2d_shapes(fm_shape, kernel_shape, row_elements(feature_map.dtype))
        _check_list("stride", stride, 2, 1, 63)
        _check_list("pad", pad, 4, 0, 255)
        _check_list("dilation", dilation, 2, 1, 255)
        _check_pad_value(pad_value, feature_map.dtype)
        check_bool("init_l1out", init_l1out)
        convolution = _Convolution(self, feature_map, (fm_shape, kernel_shape), stride, pad,
                                   dilation, pad_value)
        m, k = convolution.sizes
        n = kernel_shape[3]
        check_extent("dst", dst, blocks(m, ROWS) * ROWS * n)
        check_extent("feature_map", feature_map,
                     fm_shape[0] * fm_shape[1] * fm_shape[2] * fm_shape[3])
        check_extent("weight", weight, k * n)
        _check_bias("conv2d", dst, bias, n, init_l1out)
        _multiply(self, "conv2d", dst, weight, feature_map.dtype, (m, k, n), convolution.load,
                  init_l1out, bias)
