#include "kernel_operator.h"

constexpr uint16_t SIDE = 64;          // of each matrix
constexpr uint16_t FRACTALS = SIDE / 16;

// c = a * b, all of them SIDE x SIDE in rows.
class KernelMatrix {
public:
    __aicore__ inline void Init()
    {
        pipe.InitBuffer(queueA1, 1, SIDE * SIDE * sizeof(half));
        pipe.InitBuffer(queueB1, 1, SIDE * SIDE * sizeof(half));
        pipe.InitBuffer(queueA2, 1, SIDE * SIDE * sizeof(half));
        pipe.InitBuffer(queueB2, 1, SIDE * SIDE * sizeof(half));
        pipe.InitBuffer(queueC, 1, SIDE * SIDE * sizeof(float));
    }
    __aicore__ inline void Multiply(__gm__ half* a, __gm__ half* b, __gm__ float* c)
    {
        Load(queueA1, a);
        Load(queueB1, b);
        Split(queueA1, queueA2, false);
        Split(queueB1, queueB2, true);
        AscendC::LocalTensor<half> a2 = queueA2.DeQue<half>();
        AscendC::LocalTensor<half> b2 = queueB2.DeQue<half>();
        AscendC::LocalTensor<float> sum = queueC.AllocTensor<float>();
        AscendC::MmadParams params;
        params.m = SIDE;
        params.n = SIDE;
        params.k = SIDE;
        params.cmatrixInitVal = true;
        AscendC::Mmad(sum, a2, b2, params);
        queueC.EnQue(sum);
        queueA2.FreeTensor(a2);
        queueB2.FreeTensor(b2);

        sum = queueC.DeQue<float>();
        AscendC::GlobalTensor<float> cGm;
        cGm.SetGlobalBuffer(c, SIDE * SIDE);
        AscendC::FixpipeParamsV220 out;
        out.nSize = SIDE;
        out.mSize = SIDE;
        out.srcStride = SIDE;
        out.dstStride = SIDE;
        out.ndNum = 1;
        AscendC::Fixpipe(cGm, sum, out);
        queueC.FreeTensor(sum);
    }

private:
    template <typename Queue>
    __aicore__ inline void Load(Queue& queue, __gm__ half* from)
    {
        AscendC::GlobalTensor<half> gm;
        gm.SetGlobalBuffer(from, SIDE * SIDE);
        AscendC::LocalTensor<half> local = queue.template AllocTensor<half>();
        AscendC::Nd2NzParams params;
        params.ndNum = 1;
        params.nValue = SIDE;
        params.dValue = SIDE;
        params.srcNdMatrixStride = 0;
        params.srcDValue = SIDE;
        params.dstNzC0Stride = SIDE;
        params.dstNzNStride = 1;
        params.dstNzMatrixStride = 0;
        AscendC::DataCopy(local, gm, params);
        queue.EnQue(local);
    }
    template <typename From, typename To>
    __aicore__ inline void Split(From& from, To& to, bool transpose)
    {
        AscendC::LocalTensor<half> l1 = from.template DeQue<half>();
        AscendC::LocalTensor<half> l0 = to.template AllocTensor<half>();
        for (uint16_t i = 0; i < FRACTALS; ++i) {
            AscendC::LoadData2DParams params;
            params.startIndex = i;
            params.repeatTimes = FRACTALS;
            params.srcStride = FRACTALS;
            params.ifTranspose = transpose;
            AscendC::LoadData(l0[i * FRACTALS * 256], l1, params);
        }
        to.EnQue(l0);
        from.FreeTensor(l1);
    }

    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::A1, 1> queueA1;
    AscendC::TQue<AscendC::TPosition::B1, 1> queueB1;
    AscendC::TQue<AscendC::TPosition::A2, 1> queueA2;
    AscendC::TQue<AscendC::TPosition::B2, 1> queueB2;
    AscendC::TQue<AscendC::TPosition::CO1, 1> queueC;
};

extern "C" __global__ __aicore__ void multiply(GM_ADDR a, GM_ADDR b, GM_ADDR c)
{
    uint32_t at = AscendC::GetBlockIdx() * SIDE * SIDE;
    KernelMatrix op;
    op.Init();
    op.Multiply((__gm__ half*)a + at, (__gm__ half*)b + at, (__gm__ float*)c + at);
}
