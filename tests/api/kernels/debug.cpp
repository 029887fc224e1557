// printf, DumpTensor, assertions.
#include "kernel_operator.h"
#include "utils/debug/asc_assert.h"
#include "utils/debug/asc_dump.h"
#include "utils/debug/asc_printf.h"
#include "utils/debug/asc_time.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void speaks(GM_ADDR) {
  AscendC::printf("int %d, %i, unsigned %u\n", -5, int64_t(1) << 40, uint8_t(200));
  PRINTF("%x %lx %X|%5.1f|%-6d|%s %%\n", 255, uint64_t(0xABCDEF0123), -1, half(0.5f), 7, "text");
  AscendC::printf("%f %F %f\n", 3.14f, bfloat16_t(1.5f), half(-2));
  AscendC::printf("open ");
  AscendC::printf("and closed\ntwo\n");
  AscendC::printf("%d %q missing %d\n", 1);
  AscendC::printf("%*d|%c\n", 4, 42, 'x');
}
extern "C" __global__ __aicore__ void long_text(GM_ADDR, int32_t length) {
  AscendC::printf("%*d", length, 1);
}

extern "C" __global__ __aicore__ void dumps(GM_ADDR x) {
  GlobalTensor<half> gm;
  gm.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(x), 32);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  TBuf<TPosition::A1> l1;
  pipe.InitBuffer(buffer, 256);
  pipe.InitBuffer(l1, 64);
  LocalTensor<half> local = buffer.Get<half>();
  LocalTensor<int16_t> words = buffer.Get<int16_t>();
  DataCopy(local, gm, 32);
  DataCopy(l1.Get<half>(), gm, 32);
  DumpTensor(local, 5, 6);
  DumpTensor(words[16], 6, 2);
  DumpAccChkPoint(local, 56, 16, 3);
  DumpAccChkPoint(gm, 57, 16, 0);
  const uint32_t sizes[] = {2, 3};
  DumpTensor(local, 2, 6, ShapeInfo(2, sizes));
  DumpTensor(local, 3, 8, ShapeInfo(2, sizes));
  DumpTensor(local, 4, 4, ShapeInfo(2, sizes));
  const uint32_t deep[] = {2, 1, 2};
  DumpTensor(words, 7, 4, ShapeInfo(3, deep));
  asc_dump_ubuf(local.GetPhyAddr(16), 8, 2);
  asc_dump_ubuf(reinterpret_cast<__ubuf__ half*>(32), 9, 2);
  asc_dump(l1.Get<half>().GetPhyAddr(), 10, 2);
  asc_dump_l1buf(l1.Get<half>().GetPhyAddr(), 11, 1);
  LocalTensor<bool> flags = buffer.Get<bool>();
  flags.SetValue(0, true);
  DumpTensor(flags, 12, 1);
}
extern "C" __global__ __aicore__ void dump_much(GM_ADDR, uint32_t count) {
  LocalTensor<float> local(TPosition::VECCALC, 0, 16384);
  DumpTensor(local, 1, count);
}
extern "C" __global__ __aicore__ void dump_too_far(GM_ADDR) {
  LocalTensor<float> local(TPosition::VECCALC, 0, 8);
  DumpTensor(local, 1, 9);
}

static void check(int32_t way) {
  AscendC::printf("block %d\n", int(GetBlockIdx()));
  if (way == 0) assert(way != 0);
  if (way == 1) assert(way != 1, "way is %d.\n", way);
  if (way == 2) ascendc_assert(way != 2 && "no text");
  if (way == 3) ascendc_assert(way != 3, "%s %f", "value", half(1.5f));
  if (way == 4) Trap();
  if (way == 5) ASSERT(way != 5);
  if (way == 6) ASCENDC_ASSERT(way != 6, { KERNEL_LOG(KERNEL_ERROR, "way is %d", way); });
  AscendC::printf("goes on\n");
}
extern "C" __global__ __aicore__ void asserts(GM_ADDR, int32_t way) { check(way); }

extern "C" __global__ __aicore__ void clocks(GM_ADDR out) {
  GlobalTensor<int64_t> gm;
  gm.SetGlobalBuffer(reinterpret_cast<__gm__ int64_t*>(out), 4);
  uint32_t version = 0;
  GetArchVersion(version);
  const int64_t before = GetSystemCycle();
  PrintTimeStamp(65577);
  asc_time_stamp(65578);
  TRACE_START(1);
  MetricsProfStart();
  gm.SetValue(0, version);
  gm.SetValue(1, GetSystemCycle() >= before && before > 0);
  gm.SetValue(2, GetProgramCounter() != 0);
  gm.SetValue(3, GetUBSizeInBytes());
  MetricsProfStop();
  TRACE_STOP(1);
}

// As builds for the CPU print: by the toolkit's headers alone, and a row at a time.
extern "C" __global__ __aicore__ void rows(GM_ADDR) {
#ifdef __CCE_KT_TEST__
  using AscendC::ProcessLock;
  std::map<std::string, std::vector<int>> row{{"of", {int(AscendC::GetBlockIdx()), 255}}};
  ProcessLock::GetProcessLock()->Write();
  for (const auto& [name, values] : row) {
    std::cout << name << std::setw(4) << std::setfill('.') << std::hex << values[0];
    std::cout << std::setw(4) << values[1] << std::dec << std::endl;
  }
  ProcessLock::GetProcessLock()->Unlock();
#endif
}
