"""A host program that asks for the tilings of gradients of convolutions."""

import subprocess

import numpy as np

import harness
from conv3d_cases import sizes_out

# Shapes from the standard input; their tilings, as struct and as class, or what GetTiling returned.
PROGRAM = r"""
#include <cstring>
#include <vector>

#include "tiling/conv_backprop/conv3d_bp_filter_tiling.h"
#include "tiling/conv_backprop/conv3d_bp_input_tiling.h"
#include "tiling/tiling_api.h"

using namespace ConvCommonApi;
#ifdef INPUT
using Api = ConvBackpropApi::Conv3DBpInputTiling;
using Struct = AscendC::tiling::Conv3DBackpropInputTilingData;
using Class = optiling::Conv3DBackpropInputTilingData;
#else
using Api = Convolution3DBackprop::Conv3dBpFilterTiling;
using Struct = AscendC::tiling::Conv3DBackpropFilterTilingData;
using Class = optiling::Conv3DBackpropFilterTilingData;
#endif

int main() {
  const auto& chip = *platform_ascendc::PlatformAscendCManager::GetInstance("Ascend910B1");
  std::vector<int64_t> v(36);
  while (true) {
    for (int64_t& value : v) std::cin >> value;
    if (!std::cin) return 0;
    ConvBackpropApi::PlatformInfo info;
    info.socVersion = chip.GetSocVersion();
    chip.GetCoreMemSize(platform_ascendc::CoreMemType::L1, info.l1Size);
    chip.GetCoreMemSize(platform_ascendc::CoreMemType::L0_A, info.l0ASize);
    chip.GetCoreMemSize(platform_ascendc::CoreMemType::L0_B, info.l0BSize);
    chip.GetCoreMemSize(platform_ascendc::CoreMemType::L0_C, info.l0CSize);
    Api made_of[] = {Api(chip), Api(info), Api()};
    Api& conv = made_of[v[0] % 3];
#ifdef INPUT
    bool ok = conv.SetWeightShape(v[1], v[2], v[3], v[4], v[5]);
    if (v[6] >= 0) ok &= conv.SetInputShape(v[6], v[7], v[8], v[9], v[10]);
    ok &= conv.SetGradOutputShape(v[11], v[12], v[13], v[14], v[15]);
    if (v[6] < 0) ok &= conv.SetOutputPadding(v[16], v[17], v[18]);
#else
    const bool ok = true;
    conv.SetWeightShape(v[1], v[2], v[3], v[4], v[5]);
    conv.SetInputShape(v[6], v[7], v[8], v[9], v[10]);
    conv.SetGradOutputShape(v[11], v[12], v[13], v[14], v[15]);
#endif
    if (v[19]) conv.SetStride(v[20], v[21], v[22]);
    if (v[19]) conv.SetDilation(v[23], v[24], v[25]);
    if (v[19]) conv.SetPadding(v[26], v[27], v[28], v[29], v[30], v[31]);
    const auto type = static_cast<ConvDtype>(v[32]), result_type = static_cast<ConvDtype>(v[35]);
    const auto position = static_cast<TPosition>(v[34]);
    if (v[33]) conv.SetGradOutputType(TPosition::GM, ConvFormat::NDC1HWC0, type);
#ifdef INPUT
    if (v[33]) conv.SetWeightType(TPosition::GM, ConvFormat::FRACTAL_Z_3D, type);
    if (v[33]) conv.SetInputType(position, ConvFormat::NDC1HWC0, result_type);
#else
    if (v[33]) conv.SetInputType(TPosition::GM, ConvFormat::NDC1HWC0, type);
    if (v[33]) conv.SetWeightType(position, ConvFormat::FRACTAL_Z_3D, result_type);
#endif
    Struct made;
    Class words;
    const int64_t result = conv.GetTiling(made);
    std::vector<unsigned char> bytes(sizeof(made));
    if (result != conv.GetTiling(words) || words.GetDataSize() != sizeof(made)) return 1;
    if (result == 0) {
      words.SaveToBuffer(bytes.data(), bytes.size());
      if (std::memcmp(bytes.data(), &made, bytes.size()) != 0) return 2;
      for (unsigned char byte : bytes) std::printf("%02x", byte);
    }
    std::printf(" %ld %d\n", long(result), int(ok));
  }
}
"""
HALF, FLOAT, BF16 = range(3)
GM, CO1 = 0, 7


def request_of(case, **changes):
    """The program's numbers for a case. result: the type of the result, if it is not the factors'."""
    values = dict(made_of=0, weight=[case["co"], case["ci"], *case["kernel"]],
                  input=[case["batches"], case["ci"], *case["size"]],
                  output=[case["batches"], case["co"], *sizes_out(case)], output_pad=[0, 0, 0], given=1,
                  stride=case["stride"], dilation=case["dilation"], pads=sum(map(list, case["pads"]), []),
                  dtype=BF16 if case["bfloat"] else HALF, typed=1, position=GM) | changes
    result = values.pop("result", values["dtype"])
    return np.hstack([np.atleast_1d(value) for value in values.values()] + [result])


def tiling_program(folder, tiling, option):
    """Of requests: the tilings, or -1, and what it said, with what the setters of each returned."""
    (folder / "main.cpp").write_text(PROGRAM)
    done = harness.vinci("c++", option, "-Wall", "-Wextra", "-Werror", "main.cpp", "-o", "main", cwd=folder)
    assert done.code == 0, done.stderr

    def run(requests):
        text = "\n".join(" ".join(map(str, request)) for request in requests)
        done = subprocess.run([folder / "main"], input=text, capture_output=True, text=True, check=True)
        lines = [line.split(" ") for line in done.stdout.splitlines()]
        assert len(lines) == len(requests)
        return [np.frombuffer(bytes.fromhex(data), tiling)[0] if data else int(result)
                for data, result, _ in lines], done.stderr + "".join(f"ok {line[2]}" for line in lines)

    return run
