"""tiling/tiling_api.h alone is enough for host programs that ask for tilings."""

import subprocess

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
}
"""


def test_shapes_come_with_it(tmp_path):
    (tmp_path / "main.cpp").write_text(PROGRAM)
    done = harness.vinci("c++", "-Wall", "-Wextra", "-Werror", "main.cpp", "-o", "main",
                         cwd=tmp_path)
    assert done.code == 0, done.stderr
    run = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True)
    assert run.stdout == "8 64 1\n"
