"""What the documents forbid of a Matmul object: templates with policies, parameters and methods, and
their neighbours, which are not told."""

import numpy as np
import pytest

from api_kit import KERNELS
from harness import Out, run_kernel
from matmul_cases import FIELDS

KERNEL = KERNELS / "matmul_rules.cpp"
SPLIT, WHOLE, PLAIN = "Ascend910B1", "Ascend310P3", "Ascend310B1"
AT = {"init": "// REGISTERED", "before": "// HERE", "between": "// BETWEEN", "call": "// CALLED"}


def run(options, soc=SPLIT, cores="aic", **changed):
    """Two products of 32 x 32 x 64."""
    m, n, k = 32, 32, 64
    values = dict.fromkeys(FIELDS, 0) | dict(
        usedCoreNum=1, M=m, N=n, Ka=k, Kb=k, singleCoreM=m, singleCoreN=n, singleCoreK=k, baseM=16,
        baseN=16, baseK=32, stepM=1, stepN=1, stepKa=2, stepKb=2, depthA1=2, depthB1=2)
    for side, (s, d) in (("A", (m, k)), ("B", (k, n))):
        values |= {f"{side}LayoutInfo{axis}": size for axis, size in zip("BSNGD", (2, s, 1, 1, d))}
    axes = zip(("B", "S1", "N", "G", "S2"), (2, m, 1, 1, n))
    values |= {f"CLayoutInfo{axis}": size for axis, size in axes} | changed
    ones = np.ones(4 * m * k, np.float16)
    flags = [f"-D{option}" for option in options]
    extra = ["--cores", cores] if soc == SPLIT else []
    return run_kernel(KERNEL, ones, ones, np.array([values[f] for f in FIELDS], np.int32),
                      Out("uint8", 1 << 16, part=True), np.zeros(64, np.uint64), soc=soc,
                      options=flags, extra=extra)


def told(options, **where):
    """The codes, messages and lines of what a run tells."""
    result = run(options, **where)
    assert result.report is not None, result.stderr
    return [(f["code"], f["message"], f["lines"][0]["line"]) for f in result.report["faults"]]


def line(place):
    return next(n for n, text in enumerate(KERNEL.read_text().splitlines(), 1) if AT[place] in text)


ALONE = "ALONE"
NBUFFER = [ALONE, "CONFIG=CFG_MDL", "POLICY=NBuffer33MatmulPolicy"]
MIX = dict(cores="mix11")
BATCH = ["LAYOUT=BSNGD", "CALL=mm.IterateBatch(out,1,1,false)"]
NORMAL = ["LAYOUT=NORMAL", "CALL=mm.IterateBatch(out,2,2,false)"]
N_BATCH = "SET=config.isNBatch=true"
N_CALL = ["LAYOUT=BSNGD", "BEFORE=mm.SetWorkspace(out)", "CALL=mm.IterateNBatch(2,1,1,false)"]
FUNCTIONS = "FUNCTIONS=MatmulCallBackFunc<copy_out>"
DUAL = "SET=config.enableMixDualMaster=true"
OUTER = "config.scheduleType=ScheduleType::OUTER_PRODUCT,config.iterateOrder=IterateOrder::ORDER_"
BASIC = "CONFIG=GetBasicConfig(16,16,32)"
TILES = "CALL=while(mm.Iterate())mm.GetTensorC(out)"

# Options, what else there is, where it is told, and how the message begins; None: nothing is.
RULES = [
    ([ALONE, "POLICY=TrianUpperMatmulPolicy"], {}, None, None),
    ([ALONE, "POLICY=TrianLowerMatmulPolicy", "CONFIG=CFG_MDL"], {}, None, None),
    ([ALONE, "POLICY=TrianUpperMatmulPolicy", BASIC], {}, "init",
     "Matmul: TrianUpperMatmulPolicy with the BasicBlock template"),
    (["POLICY=TrianLowerMatmulPolicy", "CONFIG=CFG_IBSHARE_NORM"], MIX, "init",
     "Matmul: TrianLowerMatmulPolicy with the IBShare template"),
    (NBUFFER, {}, None, None),
    (NBUFFER[:1] + NBUFFER[2:], {}, "init", "Matmul: NBuffer33MatmulPolicy with the Norm template"),
    (NBUFFER[1:], MIX, "init", "Matmul: NBuffer33MatmulPolicy in a kernel for AICs and AIVs"),
    (NBUFFER, {"M": 48, "singleCoreM": 48, "stepM": 3}, None, None),
    (NBUFFER, {"stepM": 4}, "init", "Matmul: stepM with NBuffer33MatmulPolicy is 4"),
    (NBUFFER, {"stepKa": 4}, "init", "Matmul: stepKa with NBuffer33MatmulPolicy is 4"),
    (NBUFFER, {"stepKb": 1}, "init",
     "Matmul: NBuffer33MatmulPolicy with stepKa 2, stepKb 1 and 2 blocks of K"),
    (NBUFFER + [TILES], {}, "call", "Iterate: with NBuffer33MatmulPolicy"),
    ([ALONE, "CONFIG=CFG_MDL", "SET=config.doSpecialMDL=true"], {}, "init",
     "Matmul: doSpecialMDL and doMultiDataLoad"),
    ([ALONE, "CONFIG=GetSpecialMDLConfig()"], {}, None, None),
    ([ALONE, "CONFIG=CFG_MDL", "SET=config.isPartialOutput=true"], {}, None, None),
    ([ALONE, "SET=config.isPartialOutput=true"], {}, "init",
     "Matmul: isPartialOutput with the Norm template"),
    ([ALONE, "CONFIG=CFG_MDL", "SET=config.isPartialOutput=true", "BEFORE=mm.SetBias(out)"],
     {"isBias": 1}, "before", "SetBias: the configuration has isPartialOutput"),
    ([ALONE, "SET=config.enableKdimReorderLoad=true"], {}, "init",
     "Matmul: enableKdimReorderLoad with the Norm template"),
    ([ALONE, "CONFIG=GetMDLConfig(false,false,1)"], {}, None, None),
    ([ALONE, "CONFIG=GetSpecialMDLConfig(false,false,1)"], {}, "init",
     "Matmul: doMTE2Preload with the SpecialMDL template"),
    ([ALONE, "CONFIG=GetMDLConfig(false,false,2)"], {}, None, None),
    ([ALONE, "CONFIG=GetMDLConfig(false,false,3)"], {}, "init", "Matmul: doMTE2Preload is 3"),
    ([ALONE, "CONFIG=GetMDLConfig(false,false,1)"], {"stepKa": 1}, None, None),
    ([ALONE, BASIC], {}, None, None),
    ([ALONE, BASIC, "TYPE=int8_t", "OUT=int32_t"], {}, "init",
     "Matmul: A of int8 and B of int8 with the BasicBlock template"),
    ([ALONE, BASIC, "A_FORMAT=VECTOR"], {"M": 1, "singleCoreM": 16}, "init",
     "Matmul: A in VECTOR with the BasicBlock template"),
    ([ALONE, BASIC, "CONSTANT"], {}, "init", "Matmul: a constant tiling with the BasicBlock template"),
    ([ALONE, "CONFIG=CFG_IBSHARE_NORM"], {}, "init",
     "Matmul: the IBShare template in a kernel of AICs alone"),
    (["CONFIG=CFG_IBSHARE_NORM", "SHARE_B=true"], MIX, None, None),
    (["CONFIG=CFG_IBSHARE_NORM", "SHARE_B=true", "CALL=mm.IterateAll(out,0,false,false,true)"], MIX,
     None, None),
    (["CALL=mm.IterateAll(out,0,false,false,true)"], MIX, "call",
     "IterateAll: fakeMsg without the IBShare template"),
    (["SHARE_A=true", "SHARE_B=true"], MIX, None, None),
    (["SHARE_A=true", "SHARE_B=true", TILES], MIX, "call", "Iterate: A and B are both IBSHARE"),
    # Batches
    (BATCH, MIX, None, None),
    (BATCH + ["CONFIG=CFG_MDL"], MIX, "call", "IterateBatch: its template is not Norm"),
    (["LAYOUT=BSNGD", "LAYOUT_B=NORMAL", BATCH[1]], MIX, "call",
     "IterateBatch: A and B have different LayoutModes"),
    (BATCH + ["BEFORE=mm.SetQuantScalar(1)"], MIX, "call", "IterateBatch: C is to be scaled"),
    (["LAYOUT=BSNGD", "CALL=mm.IterateBatch(out,2,2,false)"], MIX, "call",
     "IterateBatch: 2 matrices A of rows of 1 in BSNGD"),
    (["LAYOUT=BSNGD", "CALL=mm.IterateBatch(out,1,1,true)"], MIX, "call",
     "IterateBatch: enSequentialWrite with C in BSNGD or SBNGD"),
    (["LAYOUT=NORMAL", "CALL=mm.IterateBatch(out,2,2,true)"], MIX, "call",
     "IterateBatch: enSequentialWrite with C in GM"),
    (NORMAL, MIX, None, None),
    (["LAYOUT=NORMAL", "CALL=mm.IterateBatch(out,128,128,false)"], MIX, "call",
     "IterateBatch: A and B of a call have 1048576 bytes, L1 524288"),
    (NORMAL + ["CONFIG=GetNormalConfig(false,false,false,BatchMode::SINGLE_LARGE_THAN_L1)",
               "SET=config.isBiasBatch=false"], MIX, "call",
     "IterateBatch: isBiasBatch is false with SINGLE_LARGE_THAN_L1"),
    (["TYPE=int4b_t", "OUT=int32_t", *NORMAL], MIX, "call", "IterateBatch: A and B of int4b_t"),
    (N_CALL + [N_BATCH], MIX, None, None),
    (["LAYOUT=NORMAL", *N_CALL[1:], N_BATCH], MIX, "call", "IterateNBatch: its LayoutMode is NORMAL"),
    ([N_BATCH, "CONFIG=CFG_MDL"], MIX, "init", "Matmul: isNBatch with the MDL template"),
    # Schedules
    ([ALONE, f"SET={OUTER}M"], {"stepN": 2, "baseK": 64}, None, None),
    ([ALONE, "CONSTANT", "CONFIG=GetMMConfig<MatmulConfigMode::CONFIG_NORM>(MatmulShapeParams{32,32,64,16,16,64})",
      f"SET={OUTER}N"], {}, None, None),
    ([ALONE, f"SET={OUTER}M"], {"baseK": 64}, "init",
     "Matmul: OUTER_PRODUCT and ORDER_M with stepN 1"),
    ([ALONE, f"SET={OUTER}N"], {"baseK": 64}, "init",
     "Matmul: OUTER_PRODUCT and ORDER_N with stepM 1"),
    ([ALONE, "SET=config.scheduleType=ScheduleType::OUTER_PRODUCT"], {}, "init",
     "Matmul: OUTER_PRODUCT without iterateOrder"),
    ([f"SET={OUTER}M"], MIX | {"stepN": 2}, "init",
     "Matmul: OUTER_PRODUCT in a kernel for AICs and AIVs"),
    ([ALONE, BASIC, f"SET={OUTER}M"], {"stepN": 2}, "init",
     "Matmul: OUTER_PRODUCT with the BasicBlock template"),
    ([ALONE, "CONFIG=CFG_MDL", f"SET={OUTER}M"], {"stepN": 2}, "init",
     "Matmul: OUTER_PRODUCT with singleCoreK 64 and baseK 32"),
    ([ALONE, "CONFIG=CFG_MDL", f"SET={OUTER}M", TILES], {"stepN": 2, "baseK": 64}, "call",
     "Iterate: OUTER_PRODUCT with the MDL template"),
    # What the configuration leaves out
    ([TILES, "SET=config.iterateMode=ITERATE_MODE_ALL"], MIX, "call",
     "Iterate: iterateMode of the configuration leaves it out"),
    (["SET=config.iterateMode=ITERATE_MODE_ALL"], MIX, None, None),
    ([TILES, "SET=config.enableGetTensorC=false"], MIX, "call",
     "GetTensorC: the configuration has no GetTensorC"),
    (["BEFORE=mm.SetQuantVector(scales)", "SET=config.enableQuantVector=false"], MIX, "before",
     "SetQuantVector: the configuration has no scales"),
    # Methods
    (["FIVE"], MIX, None, None),
    (["BEFORE=mm.SetSubBlockIdx(1)"], MIX, None, None),
    (["BEFORE=mm.SetSubBlockIdx(2)"], MIX, "before", "SetSubBlockIdx: subBlockIdx is 2"),
    (["CALL=mm.IterateAll<false>(out,0,false,true);mm.WaitIterateAll()"], MIX, None, None),
    (["BEFORE=auto next=[&]{mm.SetTensorA(left),mm.SetTensorB(right),mm.IterateAll<false>(out,0,false,true);};"
      "next();next();mm.WaitIterateAll();next();mm.WaitIterateAll();mm.WaitIterateAll()"], MIX, None, None),
    (["CALL=mm.IterateAll<false>(out,0,false,true);mm.WaitIterateAll();mm.WaitIterateAll()"], MIX, "call",
     "WaitIterateAll: no call has asked for it"),
    (["CALL=mm.IterateAll<false>(out);mm.WaitIterateAll()"], MIX, "call",
     "WaitIterateAll: no call has asked for it"),
    (["CALL=mm.IterateAll(out,3)"], MIX, None, None),
    (["CALL=mm.IterateAll(out,4)"], MIX, "call", "IterateAll: enAtomic is 4"),
    ([ALONE, "TYPE=int8_t", "OUT=half",
      "CALL=mm.SetQuantScalar(1ull<<46);while(mm.Iterate())mm.GetTensorC(out)"], {}, None, None),
    ([ALONE, "TYPE=int8_t", "OUT=half",
      "CALL=mm.Iterate();mm.SetQuantScalar(1ull<<46);mm.GetTensorC(out)"], {}, None, None),
    ([ALONE, FUNCTIONS, "BEFORE=mm.SetSelfDefineData(1)"], {}, None, None),
    ([ALONE, FUNCTIONS, "BETWEEN=mm.SetSelfDefineData(1)"], {}, None, None),
    # An AIC and an AIV on their own
    ([DUAL], MIX, None, None),
    ([DUAL], dict(cores="mix12"), "init",
     "Matmul: enableMixDualMaster with two AIVs, and A and B are not both IBSHARE"),
    ([DUAL, "CONFIG=CFG_MDL"], MIX, "init", "Matmul: enableMixDualMaster with the MDL template"),
    ([DUAL, "BEFORE=mm.SetWorkspace(out)"], MIX, "before",
     "SetWorkspace: the configuration has enableMixDualMaster"),
    ([DUAL, "BEFORE=mm.SetUserDefInfo(1)"], MIX, "before",
     "SetUserDefInfo: the configuration has enableMixDualMaster"),
    ([ALONE, "SET=config.isA2B2Shared=true"], {}, None, None),
    ([ALONE, "SET=config.isA2B2Shared=true"], {"baseM": 256, "baseK": 64}, None, None),
    ([ALONE, "SET=config.isA2B2Shared=true"], {"baseM": 256, "baseK": 80}, "init",
     "Matmul: isA2B2Shared with a block of A of 40960 bytes"),
]


@pytest.mark.parametrize("options, where, place, words", [
    rule if number % 5 == 0 else pytest.param(*rule, marks=pytest.mark.whole)
    for number, rule in enumerate(RULES)])
def test_of_atlas_a2(options, where, place, words):
    found = told(options, **where)
    if words is None:
        assert not found
        return
    code, message, at = found[0]
    assert message.startswith(words) and at == line(place) and code in ("V2004", "V2001"), found


@pytest.mark.parametrize("options, refused", [
    (["OTHER=kUsed"], False), (["OTHER=CFG_MDL"], False),
    (["OTHER=CFG_NORM", "SET=config.isA2B2Shared=true"], True),
    (["OTHER=CFG_NORM,FUNCTIONS"], False), (["OTHER=CFG_NORM", "SHARE_A=true"], False),
    (["OTHER=CFG_NORM", "SHARE_B=true"], True)])
def test_objects_of_a_kernel_are_alike(options, refused):
    """Its other object has B's type for A as well."""
    result = run([ALONE, *options])
    assert (result.report is None) == refused
    assert ("are the same for all objects of a kernel" in result.stderr) == refused, result.stderr


@pytest.mark.parametrize("soc", [WHOLE, pytest.param(PLAIN, marks=pytest.mark.whole)])
@pytest.mark.parametrize("options, place, what", [
    (["POLICY=TrianUpperMatmulPolicy"], "init", "TrianUpperMatmulPolicy"),
    (["POLICY=NBuffer33MatmulPolicy", "CONFIG=CFG_MDL"], "init", "NBuffer33MatmulPolicy"),
    ([FUNCTIONS], "init", "MatmulCallBackFunc"), ([BASIC], "init", "GetBasicConfig"),
    (["CONFIG=CFG_IBSHARE_NORM"], "init", "GetIBShareNormConfig"),
    (["CONFIG=GetSpecialMDLConfig()"], "init", "GetSpecialMDLConfig"),
    (["CONSTANT"], "init", "GetMatmulApiTiling"), ([DUAL], "init", "enableMixDualMaster"),
    (["SHARE_B=true"], "init", "IBSHARE"),
    (["BEFORE=mm.SetWorkspace(out)"], "before", "SetWorkspace"),
    (["BEFORE=mm.SetUserDefInfo(1)"], "before", "SetUserDefInfo"),
    (["BEFORE=mm.SetSelfDefineData(1)"], "before", "SetSelfDefineData"),
    (["BEFORE=mm.SetSubBlockIdx(1)"], "before", "SetSubBlockIdx"),
    (["CALL=mm.IterateAll(out);mm.WaitIterateAll()"], "call", "WaitIterateAll"),
    (["CALL=mm.Iterate<false>()"], "call", "Iterate<false>"),
    (["CALL=mm.IterateNBatch(2,1,1,false)", N_BATCH, "LAYOUT=BSNGD"], "call", "IterateNBatch")])
def test_what_only_atlas_a2_has(soc, options, place, what):
    (found,) = told(options, soc=soc)
    assert found == ("V6001", f"{what}: {soc} does not have it", line(place))


@pytest.mark.parametrize("set_", ["isCO1Shared", "enableRelu", "intraBlockPartSum"])
def test_what_newer_chips_have(set_):
    (found,) = told([ALONE, f"SET=config.{set_}=true"])
    assert found == ("V6001", f"{set_}: {SPLIT} does not have it", line("init"))


@pytest.mark.parametrize("options, words", [
    (["LAYOUT=NORMAL"], None), (["LAYOUT=BSNGD"], "IterateBatch: its LayoutMode on this chip"),
    (["LAYOUT=NORMAL", "SET=config.isBiasBatch=false"],
     "IterateBatch: isBiasBatch is false on this chip")])
def test_batches_of_the_310p(options, words):
    for call in ("mm.IterateBatch(out,1,1,false)", "mm.SetBatchNum(1,1);mm.IterateBatch(out,false,0,false)"):
        check_batches_of_the_310p(options + [f"CALL={call}"], words)


def check_batches_of_the_310p(options, words):
    found = told(options, soc=WHOLE)
    assert [message for _, message, _ in found] == ([] if words is None else [words])


def test_vectors_that_make_nz_take_room():
    found = told(["SET=config.enVecND2NZ=true"], soc=WHOLE)
    assert found == [("V2004", "IterateAll: enVecND2NZ of the configuration, and no room",
                      line("call"))]
