"""tiling/tiling_api.h alone is enough for host programs that ask for tilings."""

import subprocess

import pytest

import harness

PROGRAM = r"""
#include "tiling/tiling_api.h"

int main() {
  const ge::Shape shape({8, 64});
  const uint32_t bytes = AscendC::GetSoftMaxMaxTmpSize(shape, sizeof(float), false);
  AscendC::tiling::SoftMaxTiling softmax;
  AscendC::SoftMaxTilingFunc(shape, sizeof(float), bytes, softmax);
  uint32_t most = 0, least = 0;
  AscendC::GetLayerNormMaxMinTmpSize(ge::Shape({1, 8, 64, 64}), sizeof(float), false, most, least);
  std::cout << softmax.srcM << " " << softmax.srcK << " " << (most > least) << "\n";
  const bool known = AscendC::GetExpMaxMinTmpSize(shape, sizeof(float), false, most, least);
  std::cout << known << " " << most << " " << least << "\n";
}
"""


def test_shapes_come_with_it(tmp_path):
    (tmp_path / "main.cpp").write_text(PROGRAM)
    done = harness.vinci("c++", "-Wall", "-Wextra", "-Werror", "main.cpp", "-o", "main",
                         cwd=tmp_path)
    assert done.code == 0, done.stderr
    run = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True)
    assert run.stdout == "8 64 1\n1 6144 768\n"


SIZES = r"""
#include "tiling/tiling_api.h"

using namespace matmul_tiling;

void matmul() {
  MultiCoreMatmulTiling tiling(*platform_ascendc::PlatformAscendCManager::GetInstance("CHIP"));
  tiling.SetAType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16);
  tiling.SetBType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16, false);
  tiling.SetCType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT);
  tiling.SetBiasType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT);
  tiling.SetShape(1000, 64, 256);
  tiling.SetOrgShape(1000, 64, 256);
  tiling.SetDim(8);
  std::cout << tiling.SetAlignSplit(64, -1, 0) << tiling.SetSingleRange(-1, 48, -1, 100)
            << tiling.SetSingleRange(0) << tiling.SetSingleRange(1, -1, -1, 2)
            << tiling.SetAlignSplit(-2, 1, 1) << tiling.SetSplitRange(16, 16, 16);
  tiling.SetSplitK(false);
  AscendC::tiling::TCubeTiling made;
  std::cout << " " << tiling.GetTiling(made) << " " << made.singleCoreM << " " << made.singleCoreN
            << " " << made.usedCoreNum << tiling.EnableL1BankConflictOptimise();
  SysTilingTempBufSize plain, old;
  optiling::TCubeTiling words;
  tiling.GetTiling(words);
  MultiCoreMatmulGetTmpBufSizeV2(made, plain);
  MultiCoreMatmulGetTmpBufSize(words, old);
  std::cout << " " << (plain.l1Size == made.shareL1Size && plain.l1Size == old.l1Size)
            << (plain.l0cSize == old.l0cSize) << (plain.ubSize == old.ubSize) << "\n";
}

void batch() {
  BatchMatmulTiling tiling(*platform_ascendc::PlatformAscendCManager::GetInstance("CHIP"));
  int32_t all = 0, m = 0, n = 0, batch_m = 0, batch_n = 0;
  std::cout << tiling.GetCoreNum(all, m, n, batch_m, batch_n);
  tiling.SetAType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16);
  tiling.SetBType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16, false);
  tiling.SetCType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT);
  tiling.SetShape(32, 64, 32);
  tiling.SetOrgShape(32, 64, 32);
  tiling.SetBatchNum(4);
  AscendC::tiling::TCubeTiling made;
  std::cout << " " << tiling.GetTiling(made);
  std::cout << tiling.GetCoreNum(all, m, n, batch_m, batch_n) << " " << all << m << n << batch_m << batch_n
            << "\n";
}

// What arguments that are left out are.
void defaults() {
  const auto made = [](auto set) {
    MultiCoreMatmulTiling tiling(*platform_ascendc::PlatformAscendCManager::GetInstance("CHIP"));
    tiling.SetAType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16);
    tiling.SetCType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT);
    tiling.SetShape(64, 1024, 64);
    tiling.SetOrgShape(64, 1024, 64);
    tiling.SetDim(8);
    set(tiling);
    AscendC::tiling::TCubeTiling result;
    tiling.GetTiling(result);
    return result;
  };
  const auto b = [](auto... transposed) {
    return [=](auto& tiling) {
      tiling.SetBType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16, transposed...);
    };
  };
  const int plain = made(b(false)).singleCoreN, transposed = made(b(true)).singleCoreN;
  std::cout << (plain != transposed) << (made(b()).singleCoreN == plain);
  std::cout << made([&](auto& tiling) { b()(tiling), tiling.EnableBias(true); }).isBias
            << made([&](auto& tiling) { b()(tiling), tiling.EnableBias(); }).isBias
            << made([&](auto& tiling) { b()(tiling), tiling.SetBias(); }).isBias << "\n";
}

int main() {
  const auto& chip = *platform_ascendc::PlatformAscendCManager::GetInstance("CHIP");
  const AscendC::TensorShape shape({1024});
  uint32_t most = 0, least = 0, factor = 0, more = 0;
  AscendC::GetRoundMaxMinTmpSize(chip, shape, 2, false, most, least);
  AscendC::GetRoundTmpBufferFactorSize(chip, 2, factor, more);
  std::cout << most << " " << least << " " << factor << more << "\n";
  std::cout << AscendC::GetSortTmpSize(chip, 128, 2) << " " << AscendC::GetSortTmpSize(chip, 128, 4)
            << " " << AscendC::GetConcatTmpSize(chip, 128, 4) << "\n";
  AscendC::GetSortMaxMinTmpSize(shape, AscendC::TensorDataType::DT_FLOAT16,
                                AscendC::TensorDataType::DT_UINT32, false, AscendC::SortConfig(), most,
                                least);
  std::cout << most << " " << least << "\n";
  AscendC::CosConfig config;
  config.algo = AscendC::CosAlgo::RADIAN_REDUCTION;
  AscendC::GetCosMaxMinTmpSize(config, shape, 4, false, most, least);
  AscendC::GetCosTmpBufferFactorSize(config, 4, factor, more);
  std::cout << most << " " << least << " " << factor << "\n";
  optiling::SoftMaxTiling rows;
  rows.set_srcK(128);
  std::cout << AscendC::IsBasicBlockInSoftMax(rows);
  rows.set_srcK(96);
  std::cout << AscendC::IsBasicBlockInSoftMax(rows) << "\n";
  matmul();
  batch();
  defaults();
}
"""

# Lines of the program: what the documents say of Round, Sort and Concat, both kinds of Sort, Cos, rows of SoftMax;
# parts of 1000 x 64 that are multiples of 64 and 100 or more, and at most 48 wide, on at most 8
# cores.
ROWS = {"Ascend910B1": ["2048 256 10", "1024 1024 0", "8192 8192"],
        "Ascend310P3": ["4096 512 20", "2048 4096 4096", "16384 16384"]}


@pytest.mark.parametrize("soc", ROWS)
def test_sizes_and_parts(soc, tmp_path):
    (tmp_path / "main.cpp").write_text(SIZES.replace("CHIP", soc))
    done = harness.vinci("c++", "-Wall", "-Wextra", "-Werror", "main.cpp", "-o", "main",
                         cwd=tmp_path)
    assert done.code == 0, done.stderr
    run = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True)
    lines = run.stdout.splitlines()
    assert lines[:5] == ROWS[soc] + ["12288 768 3", "10"]
    words = lines[5].split()
    assert words[0] == "00-1-1-10" and words[1] == "0" and words[5] == "111"
    m, n, cores = (int(word) for word in words[2:5])
    assert m % 64 == 0 and m >= 100 and n <= 48 and cores // 10 <= 8 and cores % 10 == 0
    assert (cores // 10) == -(-1000 // m) * -(-64 // n)
    assert lines[6] == "-1 00 11111"
    assert lines[7] == "11100"
