"""The chip in force: names, figures, profiles, and what it supports."""

import sys

import pytest
from fake_engine import FakeEngine
from vinci import _engine, tik
from vinci.tik import api_support, chip, chip_table

# From the published platform descriptions: name, short name, cores, vector cores, UB, L1, L0C, L2.
FIGURES = [
    ("Ascend310", "Ascend310", 2, 0, 253952, 1048576, 262144, 8388608),
    ("Ascend910A", "Ascend910", 32, 0, 262144, 1048576, 262144, 33554432),
    ("Ascend910B", "Ascend910", 30, 0, 262144, 1048576, 262144, 33554432),
    ("Ascend910ProA", "Ascend910", 32, 0, 262144, 1048576, 262144, 33554432),
    ("Ascend910ProB", "Ascend910", 30, 0, 262144, 1048576, 262144, 33554432),
    ("Ascend910PremiumA", "Ascend910", 32, 0, 262144, 1048576, 262144, 33554432),
    ("Ascend310P1", "Ascend310P", 10, 8, 262144, 1048576, 262144, 16777216),
    ("Ascend310P3", "Ascend310P", 8, 7, 262144, 1048576, 262144, 16777216),
    ("Ascend310P5", "Ascend310P", 8, 7, 262144, 1048576, 262144, 16777216),
    ("Ascend310P7", "Ascend310P", 8, 7, 262144, 1048576, 262144, 16777216),
    ("Ascend910B1", "Ascend910B", 24, 48, 196608, 524288, 131072, 201326592),
    ("Ascend910B2", "Ascend910B", 24, 48, 196608, 524288, 131072, 201326592),
    ("Ascend910B2C", "Ascend910B", 24, 48, 196608, 524288, 131072, 201326592),
    ("Ascend910B3", "Ascend910B", 20, 40, 196608, 524288, 131072, 201326592),
    ("Ascend910B4", "Ascend910B", 20, 40, 196608, 524288, 131072, 100663296),
    ("Ascend910B4-1", "Ascend910B", 20, 40, 196608, 524288, 131072, 176160768),
    ("Ascend910_9391", "Ascend910_93", 24, 48, 196608, 524288, 131072, 201326592),
    ("Ascend910_9392", "Ascend910_93", 24, 48, 196608, 524288, 131072, 201326592),
    ("Ascend910_9381", "Ascend910_93", 24, 48, 196608, 524288, 131072, 201326592),
    ("Ascend910_9382", "Ascend910_93", 24, 48, 196608, 524288, 131072, 201326592),
    ("Ascend910_9372", "Ascend910_93", 20, 40, 196608, 524288, 131072, 201326592),
    ("Ascend910_9362", "Ascend910_93", 20, 40, 196608, 524288, 131072, 176160768),
    ("Ascend310B1", "Ascend310B", 1, 1, 253952, 1048576, 131072, 4194304),
    ("Ascend310B4", "Ascend310B", 1, 1, 253952, 1048576, 131072, 4194304),
    ("Ascend910_95", "Ascend910_95", 32, 64, 253952, 524288, 262144, 134217728),
    ("Ascend910_5591", "Ascend910_55", 24, 24, 253952, 524288, 262144, 50331648),
]
KEYS = ["FULL_SOC_VERSION", "SHORT_SOC_VERSION", "CORE_NUM", "VECTOR_CORE_CNT", "UB_SIZE",
        "L1_SIZE", "L0C_SIZE", "L2_SIZE"]


@pytest.mark.parametrize("figures", FIGURES, ids=[row[0] for row in FIGURES])
def test_figures(figures):
    assert chip.set_current_compile_soc_info(figures[0]) == "success"
    assert tuple(map(chip.get_soc_spec, KEYS)) == figures
    assert chip.get_soc_spec("SOC_VERSION") == figures[1]
    assert chip.get_soc_spec("AICORE_TYPE") == "AiCore"
    assert chip.get_soc_spec("L0A_SIZE") == chip.get_soc_spec("L0B_SIZE") == 65536
    assert chip.get_soc_spec("CUBE_SIZE") == [16, 16, 16]
    assert chip.get_soc_spec("ubblock_size") == 32
    now = chip.current()
    assert now.bytes["local.UB"] == figures[4] and now.bytes["local.L1"] == figures[5]
    assert now.bytes["local.L0C"] == figures[6] and now.cores == figures[2]


@pytest.mark.parametrize("name, generation", [
    ("Ascend310", "1000"), ("Ascend910A", "1001"), ("Ascend910B", "1001"), ("Ascend310P3", "2002"),
    ("Ascend610", "2002"), ("BS9SX1AB", "2002"), ("Ascend910B3", "2201"),
    ("Ascend910_9391", "2201"), ("Ascend310B1", "3002")])
def test_generation(name, generation):
    chip.te_set_version(name)
    runs_on, = [one for one in _engine.chips() if one["name"] == chip.require_engine()]
    assert runs_on["generation"] == generation


@pytest.mark.parametrize("name, ai_cores, vector_cores", [
    ("Ascend610", 10, 8), ("BS9SX1AA", 10, 8), ("BS9SX1AB", 8, 6), ("BS9SX1AC", 6, 4)])
def test_cores_of_chips_that_run_as_another(name, ai_cores, vector_cores):
    chip.set_current_compile_soc_info(name)
    assert chip.current().engine == "Ascend310P1" and chip.get_soc_spec("CORE_NUM") == ai_cores
    chip.set_current_compile_soc_info(name, "VectorCore")
    assert chip.current().engine == "Ascend310P1-VectorCore"
    assert chip.get_soc_spec("CORE_NUM") == vector_cores


def test_every_chip_of_the_engine_may_be_chosen():
    for one in _engine.chips():
        name = one["name"]
        now = chip.make("Ascend910B") if name == "Ascend910B-C100" else chip.named_by_user(name)
        assert now.engine == name


def test_features_are_the_engines():
    with pytest.raises(KeyError):
        chip.has("no_such_feature")
    assert chip.pipe_of("L0C", "UB") == "V" and chip.pipe_of("L1", "GM") == ""
    chip.set_current_compile_soc_info("Ascend310B1")
    assert chip.pipe_of("L0C", "UB") == "FIX" and chip.has("compare_mask")
    chip.set_current_compile_soc_info("Ascend910B1")
    assert chip.pipe_of("L0C", "UB") == "" and not chip.has("compare_mask")


@pytest.mark.parametrize("family, name", [
    ("Ascend310", "Ascend310"), ("Ascend310P", "Ascend310P3"), ("Ascend310B", "Ascend310B1"),
    ("Ascend910_93", "Ascend910_9391"), ("Ascend910B", "Ascend910B"), ("ascend310p", "Ascend310P3"),
    ("Ascend710", "Ascend310P3"), ("BS9SX1A", "BS9SX1AA")])
def test_family_names(family, name):
    chip.set_current_compile_soc_info(family)
    assert chip.get_soc_spec("FULL_SOC_VERSION") == name


def test_default_and_environment(monkeypatch):
    chip.use(None)
    assert chip.current().name == "Ascend310"  # as the documents say
    monkeypatch.setenv("VINCI_SOC", "Ascend310P3-VectorCore")
    assert chip.current().name == "Ascend310"  # chosen once
    chip.use(None)
    assert chip.current().engine == "Ascend310P3-VectorCore"
    chip.use(None)
    monkeypatch.setenv("VINCI_SOC", "Ascend910B")  # the command line's name of the A2 family
    assert chip.current().name == "Ascend910B1"


def test_what_soc_version_says_can_be_set_again():
    for name in chip.names():
        chip.set_current_compile_soc_info(name)
        chip.set_current_compile_soc_info(chip.get_soc_spec("SOC_VERSION"))
        assert chip.current().name == name


def test_two_chips_of_one_name(capsys):
    chip.set_current_compile_soc_info("Ascend910B4")
    chip.set_current_compile_soc_info("Ascend910B")  # the family: keeps the chip
    assert chip.current().name == "Ascend910B4" and capsys.readouterr().err == ""
    chip.set_current_compile_soc_info("Ascend310P3")
    chip.set_current_compile_soc_info("Ascend910B")
    assert chip.get_soc_spec("SHORT_SOC_VERSION") == "Ascend910"
    assert "Ascend910B is the older 910" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [
    ("Ascend911",), ("",), (None,), ("Ascend310P3", "Core"), ("Ascend910A", "VectorCore"),
    ("Ascend910A", "AiCore", "0"), ("Ascend910A", "AiCore", 33), ("Ascend910A", "AiCore", "x"),
    ("Ascend910A", "AiCore", None, "maybe")])
def test_what_there_is_not(arguments):
    with pytest.raises(RuntimeError):
        chip.set_current_compile_soc_info(*arguments)
    assert chip.current().name == "Ascend910A"


NOBODY_CHOSE = "No chip is chosen, so it is Ascend310"


def test_who_chose_no_chip_is_told(monkeypatch, capsys):
    def without_vdiv():
        instance = tik.Tik()
        tensors = [instance.Tensor("float16", (128,), tik.scope_ubuf, name) for name in "abc"]
        with pytest.raises(SystemExit):
            instance.vdiv(128, *tensors, 1, 1, 1, 1, 8, 8, 8)
        return capsys.readouterr().err

    chip.use(None)
    assert NOBODY_CHOSE in without_vdiv()
    chip.set_current_compile_soc_info("Ascend310")
    assert "Ascend310" in (text := without_vdiv()) and NOBODY_CHOSE not in text
    chip.use(None)
    monkeypatch.setenv("VINCI_SOC", "Ascend310")
    assert NOBODY_CHOSE not in without_vdiv()
    chip.use(None)
    monkeypatch.delenv("VINCI_SOC")
    with pytest.raises(SystemExit):  # nothing that another chip would allow
        tik.Tik().Tensor("float16", (0,), tik.scope_ubuf, "a")
    assert NOBODY_CHOSE not in capsys.readouterr().err


def test_fewer_cores():
    assert chip.set_current_compile_soc_info("Ascend910A", "AiCore", "32") == "success"
    chip.set_current_compile_soc_info("Ascend910A", aicore_num=1)
    assert chip.get_soc_spec("CORE_NUM") == 1


def test_vector_core():
    chip.set_current_compile_soc_info("Ascend310P1", "VectorCore")
    assert chip.get_soc_spec("CORE_NUM") == 8 and chip.get_soc_spec("L1_SIZE") == 0
    assert chip.get_soc_spec("AICORE_TYPE") == "VectorCore" and chip.current().is_vector_core
    assert chip.current().engine == "Ascend310P1-VectorCore"
    chip.set_current_compile_soc_info("Ascend910B1", "VectorCore")
    assert chip.get_soc_spec("CORE_NUM") == 48 and not chip.current().is_vector_core
    assert chip.get_soc_spec("CUBE_VECTOR_SPLIT") and chip.get_soc_spec("CUBE_CORE_CNT") == 24


def test_more_keys():
    chip.set_current_compile_soc_info("Ascend310P3")
    assert chip.get_soc_spec("SMASK_SIZE") == 256 and not chip.get_soc_spec("CUBE_VECTOR_SPLIT")
    assert chip.get_soc_spec("UNZIP") == [4, 64, 2, 1]
    assert chip.get_soc_spec("CORE_TYPE_LIST") == "AICore,VectorCore"
    chip.set_current_compile_soc_info("Ascend910B1")
    assert chip.get_soc_spec("BT_SIZE") == 1024 and chip.get_soc_spec("FB0_SIZE") == 2048
    for key in ("UB", "", None, "CORE_NUMBER"):
        with pytest.raises(RuntimeError):
            chip.get_soc_spec(key)


@pytest.mark.parametrize("arguments, name, product", [
    (("v100", "mini"), "Ascend310", "mini"), (("v100", "cloud"), "Ascend910A", "cloud"),
    (("v200", "aic"), "Ascend310P1", "aic"), (("v200", "vec"), "Ascend610", "vec"),
    (("v200", "hisi-es"), "Hi3796CV300ES", "hisi-es"), (("v300", "aiv"), "Ascend310B1", "aiv"),
    (("v210", "aiv"), "BS9SX1AA", "vec"), (("v200", "sd3403"), "SD3403", "hisi-cs")])
def test_profiles(arguments, name, product):
    profile = chip.Dprofile(*arguments)
    assert chip.current().name == name and profile.get_product_name() == product
    assert profile.get_aicore_num() == chip.get_soc_spec("CORE_NUM")
    assert profile.get_unified_buffer_size() == chip.get_soc_spec("UB_SIZE")
    assert profile.get_l1_buffer_size() == chip.get_soc_spec("L1_SIZE")
    assert profile.get_l0a_buffer_size() == chip.get_soc_spec("L0A_SIZE")
    assert profile.get_l0b_buffer_size() == chip.get_soc_spec("L0B_SIZE")
    assert profile.get_l0c_buffer_size() == chip.get_soc_spec("L0C_SIZE")


@pytest.mark.parametrize("spelled, name, core_type", [
    (("Ascend310P3", "AICore"), "Ascend310P3", "AiCore"), (("310P3",), "Ascend310P3", "AiCore"),
    (("aic-310P",), "Ascend310P3", "AiCore"), (("vec-310P",), "Ascend310P3", "VectorCore"),
    (("Ascend310P1-VectorCore",), "Ascend310P1", "VectorCore"), (("mini",), "Ascend310", "AiCore"),
    (("Ascend310P3", "vectorcore"), "Ascend310P3", "VectorCore"), (("Cloud",), "Ascend910A",
                                                                   "AiCore"),
    (("Ascend910B-C100",), "Ascend910B", "AiCore"), (("Ascend910B4-1",), "Ascend910B4-1", "AiCore"),
    ((" ascend910a ",), "Ascend910A", "AiCore")])
def test_spellings(spelled, name, core_type):
    assert chip.set_current_compile_soc_info(*spelled) == "success"
    assert (chip.current().name, chip.current().core_type) == (name, core_type)


def test_profiles_in_any_case_and_by_the_chip():
    assert chip.Dprofile("V100", "Mini").get_product_name() == "mini"
    assert chip.Dprofile("Ascend310P3", "VectorCore").get_product_name() == "vec"
    assert chip.Dprofile("Ascend910A").get_product_name() == "cloud"


def test_a_script_asks_its_tik():
    from vinci import tik
    assert tik.Tik().d_profiling.get_aicore_num() == 32


def test_profile_of_the_chip_in_force():
    chip.set_current_compile_soc_info("Ascend310P3")
    assert chip.Dprofile().get_aicore_num() == 8
    chip.Dprofile().set_product_version("Ascend310")
    assert chip.Dprofile().get_aicore_num() == 2
    chip.Dprofile().unset_product_version()
    assert chip.current().name == "Ascend310"
    for wrong in (("v100", "aic"), ("v100",), (None, "mini"), ("mini", "v100")):
        with pytest.raises(RuntimeError, match="Error chip!"):
            chip.Dprofile(*wrong)


@pytest.mark.parametrize("name", ["Hi3796CV300ES", "SD3403", "Ascend610Lite", "Ascend035",
                                  "Ascend910_95"])
def test_chips_without_an_engine(name):
    chip.set_current_compile_soc_info(name)
    assert chip.get_soc_spec("UB_SIZE") > 0
    for ask in (chip.require_engine, lambda: chip.supports("add", ["float16"]),
                lambda: api_support.api_check_support("tik.vcopy")):
        with pytest.raises(RuntimeError, match=f"vinci has no {name}.*Ascend910A.*Ascend310P3"):
            ask()


def test_table_is_sound():
    names = chip.names()
    assert len(set(map(str.lower, names))) == len(names)
    assert set(chip_table.FAMILIES.values()) <= set(names)
    assert not set(map(str.lower, names)) & set(map(str.lower, chip_table.FAMILIES))
    for name, core_type in chip_table.PROFILES.values():
        assert chip.make(name, core_type).name == name


@pytest.fixture(name="engine")
def fixture_engine(monkeypatch):
    engine = FakeEngine()
    monkeypatch.setitem(sys.modules, "vinci._engine", engine)
    return engine


@pytest.mark.parametrize("query, asked", [
    (("tik.vadd", "float32"), ("add", ("float32",), "")),
    (("tik.vec_muls", "float16"), ("muls", ("float16",), "")),
    (("te.lang.cce.vexp", "float32"), ("exp", ("float32",), "")),
    (("tik.vconv", "f322s32r"), ("vec_conv", ("int32", "float32"), "r")),
    (("tik.vconv", "f162f32"), ("vec_conv", ("float32", "float16"), "")),
    (("tik.vconv", "s322f16deq"), ("vec_conv", ("float16", "int32"), "")),
    (("tik.vconv", "f162s8z"), ("vec_conv", ("int8", "float16"), "z")),
    (("tik.vconv", "s162u8deq"), ("cast_dequant", ("uint8", "int16"), "")),
    (("tik.vec_conv", "bf162f32"), ("vec_conv", ("float32", "bfloat16"), "")),
])
def test_questions_to_the_engine(engine, query, asked):
    assert api_support.api_check_support(*query) is False
    engine.answers = {("Ascend910A", *asked): True}
    assert api_support.api_check_support(*query) is True
    assert engine.asked == [("Ascend910A", *asked)] * 2


def test_questions_without_a_type(engine):
    assert api_support.api_check_support("tik.vconv") is True and engine.asked == []
    assert api_support.api_check_support("tik.vdiv") is False
    assert len(engine.asked) == 12  # any type would do
    engine.answers = {("Ascend910A", "div", ("float32",), ""): True}
    assert api_support.api_check_support("tik.vdiv") is True
    assert api_support.api_check_support("tik.vdiv", "half") is False  # no name of TIK


CHIPS = ("Ascend310", "Ascend910A", "Ascend310P3", "Ascend910B1", "Ascend310B1")


@pytest.mark.parametrize("query, chips", [
    (("tik.data_move_pad",), {"Ascend910B1", "Ascend310B1"}),
    (("tik.load2dv2",), {"Ascend310P3", "Ascend910B1", "Ascend310B1"}),
    (("tik.set_atomic_add",), {"Ascend910A", "Ascend310P3", "Ascend910B1", "Ascend310B1"}),
    (("tik.set_atomic_add", "float16"), {"Ascend310P3", "Ascend910B1", "Ascend310B1"}),
    (("tik.vreducev2",), {"Ascend910B1", "Ascend310B1"}),
    (("tik.vcmpv_eq", "int32"), {"Ascend910B1", "Ascend310B1"}),
    (("tik.vcmpv_lt", "int32"), set()),
    (("tik.vcmpv_lt", "float16"), set(CHIPS)),
    (("tik.vcmpvs_ne", "float32"), {"Ascend310P3", "Ascend910B1", "Ascend310B1"}),
    (("tik.load3dv1",), {"Ascend310", "Ascend910A", "Ascend310P3"}),
    (("tik.broadcast_ub_to_l0c",), {"Ascend310", "Ascend910A", "Ascend310P3"}),
    (("tik.viou",), {"Ascend310", "Ascend910A", "Ascend310P3"}),
    (("tik.viou", "float32"), {"Ascend310P3"}),
    (("tik.rpn_cor",), {"Ascend310", "Ascend910A", "Ascend310P3"}),
    (("tik.set_rpn_offset",), {"Ascend310P3"}),
    (("tik.vbi",), {"Ascend910B1", "Ascend310B1"}),
    (("tik.pipe_barrier",), set(CHIPS)),
    (("tik.fixpipe", "f32f16"), set(CHIPS)),
    (("tik.fixpipe", "f16f16"), set()),
    (("tik.vmaxs", "int16"), {"Ascend310P3", "Ascend910B1", "Ascend310B1"}),
    (("tik.vmla", "float16"), set(CHIPS)),
    (("tik.data_move",), set(CHIPS)),
    (("tik.no_such_function",), set()),
    (("tik.vconv", "f323s32"), set()),
])
def test_facts(query, chips):
    for name in ("Ascend310", "Ascend910A", "Ascend310P3", "Ascend910B1", "Ascend310B1"):
        chip.set_current_compile_soc_info(name)
        assert api_support.api_check_support(*query) is (name in chips), name


@pytest.mark.parametrize("name", ["mmad", "matmul", "conv2d", "load2dv1", "load2dv2", "load3dv1",
                                  "load3dv2", "broadcast_ub_to_l0c", "set_atomic_add"])
def test_the_vector_core_has_no_matrices(name):
    chip.set_current_compile_soc_info("Ascend310P3", "VectorCore")
    assert api_support.api_check_support("tik." + name) is False
    assert api_support.api_check_support("tik.data_move") is True


# From the lists of types in the TIK reference, of 16 and 32 bits, by generation.
OLDER, HALF, FLOATS = "f16 f32 s32", "f16", "f16 f32"
WORDS = "f16 f32 s16 u16 s32 u32"
TYPES = {
    "vadd": (OLDER, OLDER, OLDER + " s16", OLDER + " s16", OLDER + " s16"),
    "vsub": (OLDER, OLDER, OLDER + " s16", OLDER + " s16", OLDER + " s16"),
    "vmax": (OLDER, OLDER, OLDER + " s16", OLDER + " s16", OLDER + " s16"),
    "vmin": (OLDER, OLDER, OLDER + " s16", OLDER + " s16", OLDER + " s16"),
    "vmul": (OLDER, OLDER, OLDER + " s16", OLDER + " s16", OLDER + " s16"),
    "vdiv": ("", FLOATS, FLOATS, FLOATS, FLOATS),
    "vsqrt": ("", FLOATS, FLOATS, FLOATS, FLOATS),
    "vadds": (FLOATS, FLOATS, OLDER + " s16", OLDER + " s16", OLDER + " s16"),
    "vmuls": (FLOATS, FLOATS, OLDER + " s16", OLDER + " s16", OLDER + " s16"),
    "vand": ("s16 u16",) * 5,
    "vor": ("s16 u16",) * 5,
    "vnot": ("s16 u16",) * 5,
    "vexp": (HALF, FLOATS, FLOATS, FLOATS, FLOATS),
    "vln": (HALF, FLOATS, FLOATS, FLOATS, FLOATS),
    "vrelu": (HALF, HALF, OLDER, OLDER, OLDER),
    "vabs": (FLOATS,) * 5, "vrec": (FLOATS,) * 5, "vrsqrt": (FLOATS,) * 5,
    "vaxpy": (FLOATS,) * 5,
    "vcadd": (FLOATS,) * 5, "vec_reduce_add": (FLOATS,) * 5,
    "vcmax": (HALF, HALF, FLOATS, FLOATS, FLOATS), "vcgmin": (HALF, HALF, FLOATS, FLOATS, FLOATS),
    "vcpadd": (HALF, HALF, FLOATS, FLOATS, FLOATS),
    "vec_reduce_max": (HALF, HALF, FLOATS, FLOATS, FLOATS),
    "vsel": (HALF, FLOATS, FLOATS, FLOATS, FLOATS),
    "vcmp_lt": (HALF, FLOATS, FLOATS, FLOATS, FLOATS),
    "vec_trans": ("f16 s16 u16",) * 5, "vtranspose": ("f16 s16 u16",) * 5,
    "vec_trans_scatter": (WORDS,) * 4 + ("s16 u16 s32 u32",),
    "vnchwconv": (WORDS,) * 4 + ("s16 u16 s32 u32",),
    "v4dtrans": ("", "", WORDS, "", ""), "vreduce": ("", "", WORDS, WORDS, WORDS),
    "vgather": ("", "", WORDS, WORDS, WORDS), "vgatherb": ("", "", "", WORDS, WORDS),
    "vcopy": ("", "", "", WORDS, WORDS), "vbcb": ("", "", "", WORDS, WORDS),
    "vconcat": (HALF, HALF, FLOATS, "", ""), "vextract": (HALF, HALF, FLOATS, "", ""),
    "vrpsort16": (HALF, HALF, FLOATS, "", ""), "vmrgsort4": (HALF, HALF, FLOATS, "", ""),
    "vsort32": ("", "", "", FLOATS, ""), "vmrgsort": ("", "", "", FLOATS, ""),
}
LETTERS = {"f16": "float16", "f32": "float32", "s32": "int32", "s16": "int16", "u16": "uint16",
           "u32": "uint32"}


@pytest.mark.parametrize("name", TYPES)
def test_answers_of_the_engine(name):
    for soc, types in zip(CHIPS, TYPES[name]):
        chip.set_current_compile_soc_info(soc)
        wanted = {LETTERS[one] for one in types.split()}
        found = {dtype for dtype in LETTERS.values()
                 if api_support.api_check_support("tik." + name, dtype)}
        assert found == wanted, soc
        assert api_support.api_check_support("tik." + name) is bool(wanted)


@pytest.mark.parametrize("query, chips", [
    ("f322s32r", CHIPS[1:]), ("f162s32f", CHIPS), ("f162s32a", CHIPS[1:]), ("f162f32", CHIPS),
    ("f162f32r", ()), ("f322f16o", CHIPS[1:]), ("f322f16r", CHIPS[3:]),
    ("s162u8", CHIPS[4:]), ("f162s16r", CHIPS[2:]), ("f162s16f", CHIPS[3:]),
    ("s322f16deq", CHIPS), ("s162s8deq", CHIPS[2:4]), ("f322s64r", CHIPS[3:]),
    ("u82f16", CHIPS), ("s82f32", ())])
def test_conversions_of_the_engine(query, chips):
    for soc in CHIPS:
        chip.set_current_compile_soc_info(soc)
        assert api_support.api_check_support("tik.vconv", query) is (soc in chips), soc
