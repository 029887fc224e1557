// WelfordUpdate and WelfordFinalize: mean and variance of data that come in pieces.
//
// Sources and decisions: docs/spec/welford.md.
#include "isa/library/rows.h"

namespace vinci::isa {
namespace {

using namespace library;

// WelfordUpdate: size: 0 elements, 1 elements that count, 2 whether the others are copied;
// number[0]: 1 / the number of pieces so far. dst: 0 mean, 1 variance, src: 0 x, 1 mean, 2
// variance; where variances are sums of squares of distances.
Parts update_parts(const Call& call) {
  Parts parts;
  const uint64_t n = call.size[2] != 0 ? call.size[0] : call.size[1];
  parts.read("inputX", call.src[0], bytes_of(call.src[0].dtype, call.size[1]));
  parts.read("inputMean", call.src[1], n * 4);
  parts.read("inputVariance", call.src[2], n * 4);
  parts.write("outputMean", call.dst[0], n * 4);
  parts.write("outputVariance", call.dst[1], n * 4);
  return parts;
}
void check_update(const Call& call, Check& check) {
  check.range("rnLength", call.size[3], 1, 1);
  check.multiple("abLength", call.size[0], 256 / bits_of(call.src[0].dtype));
  check.range("abComputeLength", call.size[1], 1, call.size[0]);
}
void run_update(const Call& call, const State&, Memory& memory) {
  std::vector<float> x(call.size[1]);
  load_numbers(memory.data(call.src[0]), call.src[0].dtype, 0, call.size[1], x.data());
  const float *means = data_of<float>(memory, call.src[1]),
              *variances = data_of<float>(memory, call.src[2]);
  float *mean = data_of<float>(memory, call.dst[0]),
        *variance = data_of<float>(memory, call.dst[1]);
  const auto canonical = [](float number) {
    return number != number ? __builtin_nanf("") : number;
  };
  const float part = call.number[0];
  VINCI_LANE_LOOP
  for (uint32_t i = 0; i < call.size[1]; ++i) {
    const float distance = x[i] - means[i];
    mean[i] = canonical(means[i] + distance * part);
    variance[i] = canonical(variances[i] + distance * (x[i] - mean[i]));
  }
  if (call.size[2] == 0) return;
  for (uint32_t i = call.size[1]; i < call.size[0]; ++i) {
    mean[i] = means[i];
    variance[i] = variances[i];
  }
}
Signature update_types(const Call& call) { return types_of(call.dst[0].dtype, call.src[0].dtype); }
constexpr Signature kUpdateTypes[] = {DType::kFloat, {DType::kFloat, DType::kHalf}};
constexpr Support kUpdate[] = {{kMost, kUpdateTypes, true, kAscendC}};

// WelfordFinalize: size: 0 pieces, 1 elements, 2 headCount, 3 headCountLength, 4 tailCount,
// 5 tailCountLength; number: 0 1 / elements, 1 1 / all. src: 0 means, 1 variances, 2 how many each
// stands for.
Parts finalize_parts(const Call& call) {
  Parts parts;
  parts.read("inputMean", call.src[0], uint64_t(call.size[1]) * 4);
  parts.read("inputVariance", call.src[1], uint64_t(call.size[1]) * 4);
  if (given(call.src[2])) parts.read("counts", call.src[2], uint64_t(call.size[1]) * 4);
  parts.write("outputMean", call.dst[0], 4);
  parts.write("outputVariance", call.dst[1], 4);
  return parts;
}
void check_finalize(const Call& call, Check& check) {
  check.range("abLength", call.size[1], 1, UINT32_MAX);
  check.multiple("abLength", call.size[1], 8);
  const uint64_t lengths = uint64_t(call.size[3]) + call.size[5];
  if (lengths != call.size[1]) {
    check.range("headCountLength + tailCountLength", int64_t(lengths), call.size[1], call.size[1]);
  }
  if (call.size[4] == 0) check.range("tailCountLength without tailCount", call.size[5], 0, 0);
}
void run_finalize(const Call& call, const State& state, Memory& memory) {
  const uint32_t n = call.size[1];
  const float *means = data_of<float>(memory, call.src[0]),
              *variances = data_of<float>(memory, call.src[1]);
  const bool weighted = given(call.src[2]) || call.size[4] != 0;
  const auto count_at = [&](uint32_t i) {
    if (given(call.src[2])) return float(data_of<int32_t>(memory, call.src[2])[i]);
    return float(!weighted ? call.size[0] : i < call.size[3] ? call.size[2] : call.size[4]);
  };
  std::vector<float> x(n);
  for (uint32_t i = 0; i < n; ++i) {
    x[i] = weighted ? means[i] * count_at(i) * call.number[1] : means[i] * call.number[0];
  }
  const float mean = sum_of_row(x.data(), n), within = sum_of_row(variances, n);
  for (uint32_t i = 0; i < n; ++i) x[i] = (means[i] - mean) * (means[i] - mean) * count_at(i);
  const float variance = (within + sum_of_row(x.data(), n)) * call.number[1];
  put_number(mean, memory.data(call.dst[0]), DType::kFloat, 0, state);
  put_number(variance, memory.data(call.dst[1]), DType::kFloat, 0, state);
}
constexpr Signature kFloat[] = {DType::kFloat};
constexpr Support kFinalize[] = {{kMost, kFloat, true, kAscendC}};

}  // namespace

extern constinit const Instruction welford_update =
    function<update_parts, run_update, check_update, Overlaps::kNever, update_types>(
        "welford_update", "WelfordUpdate", kUpdate);
extern constinit const Instruction welford_finalize =
    function<finalize_parts, run_finalize, check_finalize>("welford_finalize", "WelfordFinalize",
                                                           kFinalize);

}  // namespace vinci::isa
