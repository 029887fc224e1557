"""Headers of the vendor's toolkit that are parts of kernel_operator.h here."""

import pathlib

import numpy as np
import pytest

from harness import VINCI, Out, check_clean, run_kernel, vinci

FOLDER = pathlib.Path(VINCI).parent.parent / "include" / "toolkit"
NAMES = sorted(str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.h"))
KERNEL = """
extern "C" __global__ __aicore__ void ones(GM_ADDR y) {{
  AscendC::LocalTensor<float> ub(AscendC::TPosition::VECCALC, 0, 8);
  AscendC::GlobalTensor<float> to;
  to.SetGlobalBuffer((__gm__ float*)y);
  AscendC::Duplicate(ub, {value}, 8);
  AscendC::PipeBarrier<PIPE_ALL>();
  AscendC::DataCopy(to, ub, 8);
}}
"""


def ones(source, text, value="1.0f", options=()):
    source.write_text(text + KERNEL.format(value=value))
    done = run_kernel(source, Out("float", 8), soc="Ascend910B1", options=options)
    check_clean(done)
    return done.outputs[0]


# Such a source is compiled without the compiled header: a few names, and all of them below.
@pytest.mark.parametrize("name", ["kernel_tensor.h", "lib/math/axpy_tiling.h", "utils/std/tuple.h"])
def test_one_is_enough(tmp_path, name):
    assert name in NAMES
    first = "" if not name.endswith("_tiling.h") else '#include "kernel_operator.h"\n'
    assert np.array_equal(ones(tmp_path / "k.cpp", f'{first}#include "{name}"\n'), np.ones(8))


def test_all_at_once(tmp_path):
    assert len(NAMES) > 700 and {
        "kernel_utils.h", "kernel_operator_vec_binary_intf.h", "lib/activation/softmax.h",
        "adv_api/normalization/layernorm.h", "lib/matrix/matmul/matmul.h",
        "basic_api/kernel_struct_mm.h"} <= set(NAMES)
    text = "".join(f'#include "{name}"\n' for name in ["kernel_operator.h", *NAMES])
    assert np.array_equal(ones(tmp_path / "k.cpp", text), np.ones(8))


def test_host_code_finds_them(tmp_path):
    """A definition that includes older places of headers, and logs without macros."""
    (tmp_path / "op_host").mkdir()
    (tmp_path / "op_host" / "one.cpp").write_text("""
        #include "register/op_def_factory.h"
        #include "external/graph/types.h"
        #include "exe_graph/runtime/base_type.h"
        #include "experiment/platform/platform/platform_infos_def.h"
        #include "tiling/softmax/softmax_tiling.h"
        #include "toolchain/slog.h"
        static ge::graphStatus tile(gert::TilingContext* context) {
          if (CheckLogLevel(OP, DLOG_ERROR) == 1) dlog_error(OP, "blocks: %d", 1);
          return context->SetBlockDim(1) == ge::GRAPH_SUCCESS ? ge::GRAPH_FAILED : ge::GRAPH_FAILED;
        }
        namespace ops {
        class One : public OpDef {
         public:
          explicit One(const char* name) : OpDef(name) {
            this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
            this->AICore().SetTiling(tile).AddConfig("ascend910b");
          }
        };
        OP_ADD(One);
        }""")
    np.save(tmp_path / "x.npy", np.ones(8, np.float32))
    done = vinci("op", tmp_path, "--soc", "Ascend910B1", "--in", f"x={tmp_path / 'x.npy'}")
    assert "[OP] blocks: 1" in done.stderr + done.stdout and done.code == 3, done.stderr


def test_a_projects_own_header_of_the_name_counts(tmp_path):
    (tmp_path / "common").mkdir()
    (tmp_path / "common" / "kernel_utils.h").write_text("#pragma once\nconstexpr float kTwo = 2;\n")
    for include in ('"kernel_utils.h"', "<kernel_utils.h>"):
        text = f'#include "kernel_operator.h"\n#include {include}\n'
        got = ones(tmp_path / "k.cpp", text, "kTwo", ["-I", tmp_path / "common"])
        assert np.array_equal(got, np.full(8, 2))


@pytest.mark.parametrize("first", ["", "#define K_MAX_SHAPE_DIM 0\n"])
def test_a_kernel_says_how_many_dimensions_a_tensor_keeps(tmp_path, first):
    text = first + '#include "kernel_operator.h"\n'
    dimensions = ones(tmp_path / "k.cpp", text, value="1.0f + K_MAX_SHAPE_DIM")[0] - 1
    assert dimensions == (0 if first else 8)


def test_names_of_a_kernels_own_beside_all_of_ascendc(tmp_path):
    """Namespaces that many sources have; AscendC's have none of these names."""
    names = ["detail", "internal", "impl", "utils", "kernel", "core", "base", "inner"]
    own = "".join(f"namespace {name} {{ constexpr float kOne = 1; }}\n" for name in names)
    text = f'#include "kernel_operator.h"\n{own}using namespace AscendC;\n'
    product = " * ".join(f"{name}::kOne" for name in names)
    assert np.array_equal(ones(tmp_path / "k.cpp", text, value=product), np.ones(8))


def test_an_object_of_matmul_in_a_projects_header_is_no_warning(tmp_path):
    """Its configuration is a constant of a header, which each file has for itself."""
    (tmp_path / "own.h").write_text("""
        #pragma once
        #include "kernel_operator.h"
        #include "lib/matmul_intf.h"
        constexpr MatmulConfig kOwn = GetMDLConfig(false, false, 0, true);
        using Operand = matmul::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, half>;
        class Product {
         public:
          matmul::MatmulImpl<Operand, Operand, Operand, Operand, kOwn> object;
        };
        """)
    (tmp_path / "k.cpp").write_text(
        '#include "own.h"\nextern "C" __global__ __aicore__ void k(GM_ADDR x) { Product one; }\n')
    done = vinci("c++", "--soc", "Ascend910B1", "-c", tmp_path / "k.cpp", "-o", tmp_path / "k.o")
    assert done.code == 0 and done.stderr == ""
