// Gemm and GetGemmTiling under test. Each block runs one case, its row of `table`; operands are
// parts of `pool`, and results go to their own place in `results`.
#include "matrix_operator_cases.h"

namespace {

// All fields in the test's order, but for blockSize and loopMode.
template <class F>
void for_each_field(GemmTiling& t, F f) {
  for (uint32_t* field :
       {&t.mNum,       &t.nNum,       &t.kNum,       &t.roundM,     &t.roundN,
        &t.roundK,     &t.c0Size,     &t.dtypeSize,  &t.mBlockNum,  &t.nBlockNum,
        &t.kBlockNum,  &t.mIterNum,   &t.nIterNum,   &t.kIterNum,   &t.mTileBlock,
        &t.nTileBlock, &t.kTileBlock, &t.kTailBlock, &t.mTailBlock, &t.nTailBlock}) {
    f(*field);
  }
  for (bool* field : {&t.kHasTail, &t.mHasTail, &t.nHasTail, &t.kHasTailEle}) {
    uint32_t value = *field;
    f(value);
    *field = value != 0;
  }
  f(t.kTailEle);
}

struct Call {
  explicit Call(Row& row)
      : types(row.next()),
        dst(row),
        a(row),
        b(row),
        a_from(row.next()),
        b_from(row.next()),
        dst_from(row.next()),
        calls(row.next()),
        result_at(row.next()),
        visible(row.next()),
        fills(row.next()),
        m(row.next()),
        k(row.next()),
        n(row.next()),
        partial(row.next()),
        init(row.next()),
        defaults(row.next()),
        loop_mode(row.next()),
        given(row.next()) {
    for_each_field(tiling, [&](uint32_t& field) { field = row.next(); });
  }

  int64_t types;
  Place dst, a, b;
  int64_t a_from, b_from, dst_from, calls, result_at, visible, fills;
  uint32_t m, k, n;
  bool partial;
  int32_t init;
  bool defaults;  // of partialsum and initValue
  int64_t loop_mode;
  bool given;  // the tiling comes from the table
  GemmTiling tiling;
};

// Call i of a chain: all but the first add, all but the last leave their sums.
template <class Dst, class Src>
void multiply_once(const Call& call, int64_t i) {
  const auto dst = call.dst.tensor<Dst>();
  const auto a = call.a.tensor<Src>(), b = call.b.tensor<Src>();
  GemmTiling tiling = call.given ? call.tiling : GetGemmTiling<Src>(call.m, call.k, call.n);
  tiling.loopMode = LoopMode(call.loop_mode);
  if (call.defaults) {
    Gemm(dst, a, b, call.m, call.k, call.n, tiling);
  } else {
    Gemm<Dst, Src, Src>(dst, a, b, call.m, call.k, call.n, tiling,
                        i + 1 < call.calls || call.partial, i > 0 ? 1 - call.init : call.init);
  }
  PipeBarrier<PIPE_ALL>();
}

template <class Dst, class Src>
void multiply(const Call& call, GM_ADDR pool, GM_ADDR results) {
  if (call.fills) {
    move_result<Dst>(call.dst, call.visible, bytes_at(pool, call.dst_from, call.visible), false);
    load_l1(call.a.address, call.a.elements * sizeof(Src), pool, call.a_from);
    load_l1(call.b.address, call.b.elements * sizeof(Src), pool, call.b_from);
  }
  for (int64_t i = 0; i < call.calls; ++i) multiply_once<Dst, Src>(call, i);
  if (call.fills)
    move_result<Dst>(call.dst, call.visible, bytes_at(results, call.result_at, call.visible), true);
}

}  // namespace

extern "C" __global__ __aicore__ void gemm_cases(GM_ADDR table, GM_ADDR pool, GM_ADDR results) {
  Row row(table);
  const Call call(row);
  switch (call.types) {
    case 0: return multiply<int32_t, int8_t>(call, pool, results);
    case 1: return multiply<float, half>(call, pool, results);
    case 2: return multiply<half, half>(call, pool, results);
    case 3: return multiply<float, float>(call, pool, results);
    case 4: return multiply<int32_t, half>(call, pool, results);
    default: return multiply<int32_t, uint8_t>(call, pool, results);
  }
}

// Fields of the tiling to 32 numbers of `results`, loopMode and blockSize last.
extern "C" __global__ __aicore__ void gemm_tiling_cases(GM_ADDR table, GM_ADDR results) {
  Row row(table);
  const int64_t type = row.next();
  const uint32_t m = row.next(), k = row.next(), n = row.next();
  GemmTiling tiling = type == 0   ? GetGemmTiling<int8_t>(m, k, n)
                      : type == 1 ? GetGemmTiling<half>(m, k, n)
                                  : GetGemmTiling<float>(m, k, n);
  GlobalTensor<int64_t> to;
  to.SetGlobalBuffer((__gm__ int64_t*)results + GetBlockIdx() * 32, 32);
  int64_t at = 0;
  for_each_field(tiling, [&](uint32_t& field) { to.SetValue(at++, field); });
  to.SetValue(at++, int64_t(tiling.loopMode));
  to.SetValue(at++, tiling.blockSize);
  while (at < 32) to.SetValue(at++, 0);
}

// y = a * b through a TPipe and its queues: a (m x k) and b (k x n) are fractals in GM already.
extern "C" __global__ __aicore__ void gemm_queues(GM_ADDR a, GM_ADDR b, GM_ADDR y) {
  constexpr uint32_t kM = 20, kK = 100, kN = 30, kA = 32 * 112, kB = 112 * 32, kC = 32 * 32;
  TPipe pipe;
  TQue<TPosition::A1, 1> lefts;
  TQue<TPosition::B1, 1> rights;
  TQue<TPosition::CO1, 1> sums;
  TQue<TPosition::CO2, 1> results;
  pipe.InitBuffer(lefts, 1, kA * sizeof(half));
  pipe.InitBuffer(rights, 1, kB * sizeof(half));
  pipe.InitBuffer(sums, 1, kC * sizeof(float));
  pipe.InitBuffer(results, 1, kC * sizeof(float));
  GlobalTensor<half> from, weights;
  GlobalTensor<float> to;
  from.SetGlobalBuffer((__gm__ half*)a, kA);
  weights.SetGlobalBuffer((__gm__ half*)b, kB);
  to.SetGlobalBuffer((__gm__ float*)y, kC);

  LocalTensor<half> left = lefts.AllocTensor<half>(), right = rights.AllocTensor<half>();
  DataCopy(left, from, kA);
  DataCopy(right, weights, kB);
  lefts.EnQue(left);
  rights.EnQue(right);
  left = lefts.DeQue<half>();
  right = rights.DeQue<half>();
  LocalTensor<float> sum = sums.AllocTensor<float>();
  GemmTiling tiling = GetGemmTiling<half>(kM, kK, kN);
  Gemm(sum, left, right, kM, kK, kN, tiling, false, 0);
  sums.EnQue(sum);
  sum = sums.DeQue<float>();
  LocalTensor<float> result = results.AllocTensor<float>();
  DataCopyEnhancedParams matrix;
  matrix.blockMode = BlockMode::BLOCK_MODE_MATRIX;
  DataCopy(result, sum, DataCopyParams(1, 4, 0, 0), matrix);
  results.EnQue(result);
  result = results.DeQue<float>();
  DataCopy(to, result, kC);
  results.FreeTensor(result);
  sums.FreeTensor(sum);
  lefts.FreeTensor(left);
  rights.FreeTensor(right);
}
