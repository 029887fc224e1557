// DataCopy and DataCopyPad from UB to TSCM, one case for each AIV of a kernel whose AICs wait for a
// Matmul. The image is what UB holds, then what TSCM holds before; the result is TSCM.
#include "cases.h"
#include "lib/matmul_intf.h"

namespace {

struct Call {
  explicit Call(Case& values)
      : ub_bytes(values.next()),
        tscm_bytes(values.next()),
        taken(values.next()),
        pads(values.next()),
        type(values.next()),
        dst(values),
        src(values) {
    for (uint16_t* field :
         {&matrix.ndNum, &matrix.nValue, &matrix.dValue, &matrix.srcNdMatrixStride,
          &matrix.srcDValue, &matrix.dstNzC0Stride, &matrix.dstNzNStride,
          &matrix.dstNzMatrixStride}) {
      *field = values.next();
    }
    bursts.blockCount = values.next();
    bursts.blockLen = values.next();
    bursts.srcStride = values.next();
    bursts.dstStride = values.next();
  }

  uint32_t ub_bytes, tscm_bytes, taken;  // taken: bytes of UB by InitBuffer
  bool pads;
  int64_t type;
  Place dst, src;
  Nd2NzParams matrix;
  DataCopyExtParams bursts;
};

void copy_to(const LocalTensor<uint8_t>& to, const GlobalTensor<uint8_t>& from, uint32_t bytes) {
  DataCopy(to, from, whole(bytes));
  PipeBarrier<PIPE_ALL>();
}

void run(Case& values, const Call& call) {
  copy_to(LocalTensor<uint8_t>(TPosition::VECIN, 0, call.ub_bytes), values.image(), call.ub_bytes);
  const LocalTensor<uint8_t> tscm(TPosition::TSCM, 0, call.tscm_bytes);
  copy_to(tscm, values.image()[call.ub_bytes], call.tscm_bytes);
  with_type(call.type, [&](auto element) {
    using T = decltype(element);
    if (call.pads) {
      DataCopyPad(call.dst.tensor<T>(), call.src.tensor<T>(), call.bursts, call.matrix);
    } else {
      DataCopy(call.dst.tensor<T>(), call.src.tensor<T>(), call.matrix);
    }
  });
  PipeBarrier<PIPE_ALL>();
  DataCopy(values.result(), tscm, whole(call.tscm_bytes));
}

template <class T, TPosition position = TPosition::GM, CubeFormat format = CubeFormat::ND>
using In = MatmulType<position, format, T>;

}  // namespace

extern "C" __global__ __aicore__ void data_copy_tscm_cases(GM_ADDR table, GM_ADDR images,
                                                           GM_ADDR results) {
  TPipe pipe;
  Matmul<In<half, TPosition::TSCM, CubeFormat::NZ>, In<half>, In<float>> mm;
  TCubeTiling tiling{};
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
  Case values(table, images, results);
  const Call call(values);
  TBuf<TPosition::VECCALC> taken;
  if (call.taken != 0) pipe.InitBuffer(taken, call.taken);
  run(values, call);
}

// The same without a Matmul object.
extern "C" __global__ __aicore__ void data_copy_tscm_alone(GM_ADDR table, GM_ADDR images,
                                                           GM_ADDR results) {
  Case values(table, images, results);
  const Call call(values);
  if ASCEND_IS_AIV run(values, call);
}

// Rows of 5 bytes, 32 apart, for which UB has 32 bytes each, and TSCM as many.
extern "C" __global__ __aicore__ void many_rows(GM_ADDR in, GM_ADDR out, uint32_t rows) {
  TPipe pipe;
  Matmul<In<half, TPosition::TSCM, CubeFormat::NZ>, In<half>, In<float>> mm;
  TCubeTiling tiling{};
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
  GlobalTensor<uint8_t> from, to;
  from.SetGlobalBuffer(in, rows * 32);
  to.SetGlobalBuffer(out, rows * 32);
  const LocalTensor<uint8_t> ub(TPosition::VECIN, 0, rows * 32);
  const LocalTensor<uint8_t> tscm(TPosition::TSCM, 0, rows * 32);
  DataCopy(ub, from, DataCopyParams(1, uint16_t(rows), 0, 0));
  PipeBarrier<PIPE_ALL>();
  DataCopy(tscm, ub, Nd2NzParams(1, uint16_t(rows), 5, 0, 32, 1, 1, 0));
  PipeBarrier<PIPE_ALL>();
  DataCopy(to, tscm, DataCopyParams(1, uint16_t(rows), 0, 0));
}

// On chips without it.
extern "C" __global__ __aicore__ void to_tscm_at_once(int32_t pads) {
  const LocalTensor<half> ub(TPosition::VECIN, 0, 256), tscm(TPosition::TSCM, 0, 256);
  const Nd2NzParams matrix(1, 16, 16, 0, 16, 16, 1, 0);
  if (pads != 0) {
    DataCopyPad(tscm, ub, DataCopyExtParams(1, 512, 0, 0, 0), matrix);
  } else {
    DataCopy(tscm, ub, matrix);
  }
}

// Each AIV brings its A, m x k, from UB to TSCM in two halves of its rows, and has it multiplied.
extern "C" __global__ __aicore__ void multiply_from_ub(GM_ADDR a, GM_ADDR b, GM_ADDR c, int32_t m,
                                                       int32_t n, int32_t k) {
  TPipe pipe;
  TCubeTiling tiling{};
  tiling.usedCoreNum = 1;
  tiling.M = tiling.singleCoreM = m;
  tiling.N = tiling.singleCoreN = n;
  tiling.Ka = tiling.Kb = tiling.singleCoreK = k;
  tiling.baseM = tiling.baseN = tiling.baseK = 32;
  tiling.stepM = tiling.stepN = 1;
  Matmul<In<half, TPosition::TSCM, CubeFormat::NZ>, In<half>, In<float>> mm;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
  GlobalTensor<half> left, right;
  GlobalTensor<float> result;
  left.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(a) + GetBlockIdx() * m * k);
  right.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(b));
  result.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(c) + GetBlockIdx() * m * n);
  TQue<TPosition::VECOUT, 2> rows;
  TSCM<TPosition::VECOUT, 1> queue;
  pipe.InitBuffer(rows, 2, m / 2 * k * sizeof(half));
  pipe.InitBuffer(queue, 1, m * k * sizeof(half));
  LocalTensor<half> matrix = queue.AllocTensor<half>();
  for (int32_t part = 0; part < 2; ++part) {
    LocalTensor<half> row = rows.AllocTensor<half>();
    DataCopy(row, left[part * m / 2 * k], m / 2 * k);
    const event_t id = event_t(pipe.FetchEventID(HardEvent::MTE2_MTE3));
    SetFlag<HardEvent::MTE2_MTE3>(id);
    WaitFlag<HardEvent::MTE2_MTE3>(id);
    Nd2NzParams nz(1, uint16_t(m / 2), uint16_t(k), 0, uint16_t(k), uint16_t(m), 1, 0);
    if (part == 0) {
      DataCopy(matrix, row, nz);
    } else {
      DataCopyPad(matrix[m / 2 * 16], row,
                  DataCopyExtParams(uint16_t(m / 2), uint32_t(k * sizeof(half)), 0, 0, 0), nz);
    }
    rows.FreeTensor(row);
  }
  queue.EnQue(matrix);
  matrix = queue.DeQue<half>();
  mm.SetTensorA(matrix);
  mm.SetTensorB(right);
  mm.IterateAll(result);
  mm.End();
  queue.FreeTensor(matrix);
}
