// What a kernel says about itself: printf, DumpTensor, assertions, time stamps.
//
// ASCENDC_DUMP=0 leaves all of it out, NDEBUG the assertions.
#pragma once

#include <cstdio>

#include "ascendc/print.h"
#include "ascendc/sync.h"
#include "ascendc/tensor.h"

#if (defined(ASCENDC_DUMP) && ASCENDC_DUMP == 0)
#define VINCI_SAYS 0
#else
#define VINCI_SAYS 1
#endif

namespace AscendC {

// Where a kernel's prints would go: here they go to standard output.
inline void InitDump(bool, __gm__ uint8_t*, uint32_t) {}

namespace in_api {

template <class T>
inline constexpr const char* shown_type = nullptr;
template <>
inline constexpr const char* shown_type<bool> = "bool";

template <class T>
void dump(vinci::Operand operand, uint32_t desc, uint32_t count, const ShapeInfo* shape = nullptr) {
#if VINCI_SAYS
  vinci::dump_tensor(operand, desc, count, shape == nullptr ? nullptr : shape->shape,
                     shape == nullptr ? 0 : shape->shapeDim, shown_type<T>);
#else
  (void)operand, (void)desc, (void)count, (void)shape;
#endif
}
template <class T>
void dump_at(const T* pointer, TPosition position, uint32_t desc, uint32_t count) {
#if VINCI_SAYS
  dump<T>(vinci::tensor_at(pointer, position, vinci::dtype_of<T>), desc, count);
#else
  (void)pointer, (void)position, (void)desc, (void)count;
#endif
}

}  // namespace in_api

// `dumpSize` elements on the standard output; desc tells one dump from another. With a shape in its
// brackets. A call with more than 30 KB shows nothing.
template <class T>
void DumpTensor(const LocalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize) {
  in_api::dump<T>(tensor.operand(), desc, dumpSize);
}
template <class T>
void DumpTensor(const GlobalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize) {
  in_api::dump<T>(tensor.operand(), desc, dumpSize);
}
template <class T>
void DumpTensor(const LocalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize,
                const ShapeInfo& shapeInfo) {
  in_api::dump<T>(tensor.operand(), desc, dumpSize, &shapeInfo);
}
template <class T>
void DumpTensor(const GlobalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize,
                const ShapeInfo& shapeInfo) {
  in_api::dump<T>(tensor.operand(), desc, dumpSize, &shapeInfo);
}
// From element countOff on.
template <class T>
void DumpAccChkPoint(const LocalTensor<T>& tensor, uint32_t index, uint32_t countOff,
                     uint32_t dumpSize) {
  in_api::dump<T>(tensor[countOff].operand(), index, dumpSize);
}
template <class T>
void DumpAccChkPoint(const GlobalTensor<T>& tensor, uint32_t index, uint32_t countOff,
                     uint32_t dumpSize) {
  in_api::dump<T>(tensor[countOff].operand(), index, dumpSize);
}

// Ends the kernel.
[[noreturn]] inline void Trap() { vinci::trap(); }

// A line with the clock, if ASCENDC_TIME_STAMP_ON is defined.
inline void PrintTimeStamp(uint32_t descId) {
#if defined(ASCENDC_TIME_STAMP_ON) && VINCI_SAYS
  in_api::say("descId is %u, rsv is 0, timeStamp is %lu, pcPtr is %lu, entry is %lu.\n", descId,
              uint64_t(vinci::system_cycle()), uint64_t(vinci::program_counter()),
              uint64_t(vinci::entry_cycle()));
#else
  (void)descId;
#endif
}

// Units of 20 ns. Two runs differ.
inline int64_t GetSystemCycle() { return vinci::system_cycle(); }
inline int64_t GetProgramCounter() { return vinci::program_counter(); }
inline void GetArchVersion(uint32_t& coreVersion) { coreVersion = vinci::arch_version(); }

// Marks for profilers, which vinci is none of.
inline void MetricsProfStart() {}
inline void MetricsProfStop() {}
template <pipe_t pipe, uint16_t index>
void MarkStamp() {}
template <pipe_t pipe>
void MarkStamp(uint16_t) {}

}  // namespace AscendC

#define TRACE_START(...) ((void)0)
#define TRACE_STOP(...) ((void)0)

#if VINCI_SAYS && !defined(NDEBUG)
#define VINCI_ASSERT(failed, expr, text, ...) \
  ((expr) ? (void)0 : AscendC::in_api::failed(text, __FILE__, __LINE__, ##__VA_ARGS__))
#else
#define VINCI_ASSERT(failed, expr, text, ...) ((void)0)
#endif
#define ascendc_assert(expr, ...) VINCI_ASSERT(failed_with, expr, #expr, ##__VA_ARGS__)
#undef assert
#define assert(expr, ...) VINCI_ASSERT(failed, expr, #expr, ##__VA_ARGS__)

// Checks of builds for the CPU, which the chip leaves out.
#if defined(ASCENDC_CPU_DEBUG) && VINCI_SAYS
#define ASCENDC_ASSERT(cond, ...)                              \
  do {                                                         \
    if (!(cond)) {                                             \
      __VA_ARGS__;                                             \
      AscendC::in_api::failed_with(#cond, __FILE__, __LINE__); \
    }                                                          \
  } while (0)
#define KERNEL_LOG(level, ...) \
  AscendC::in_api::log(#level, __FILE__, __LINE__, __func__, __VA_ARGS__)
#define ASSERT(expr) assert(expr)
#else
#define ASCENDC_ASSERT(cond, ...) ((void)0)
#define KERNEL_LOG(level, ...) ((void)0)
#define ASSERT(expr) ((void)0)
#endif

// The same for pointers. Where one points says which memory is meant.
template <class T>
void asc_dump_gm(__gm__ T* input, uint32_t desc, uint32_t dump_size) {
  AscendC::in_api::dump_at(input, AscendC::TPosition::GM, desc, dump_size);
}
template <class T>
void asc_dump_ubuf(__ubuf__ T* input, uint32_t desc, uint32_t dump_size) {
  AscendC::in_api::dump_at(input, AscendC::TPosition::VECCALC, desc, dump_size);
}
template <class T>
void asc_dump_l1buf(__cbuf__ T* input, uint32_t desc, uint32_t dump_size) {
  AscendC::in_api::dump_at(input, AscendC::TPosition::A1, desc, dump_size);
}
template <class T>
void asc_dump_cbuf(__cc__ T* input, uint32_t desc, uint32_t dump_size) {
  AscendC::in_api::dump_at(input, AscendC::TPosition::CO1, desc, dump_size);
}
template <class T>
void asc_dump(T* input, uint32_t desc, uint32_t dump_size) {
  AscendC::in_api::dump_at(input, AscendC::TPosition::GM, desc, dump_size);
}
inline void asc_time_stamp(uint32_t desc_id) { AscendC::PrintTimeStamp(desc_id); }
inline void asc_prof_start() {}
inline void asc_prof_stop() {}
template <pipe_t pipe = PIPE_S>
void asc_mark_stamp(uint16_t) {}
template <pipe_t pipe, uint16_t idx>
void asc_mark_stamp() {}
[[noreturn]] inline void trap() { vinci::trap(); }
[[noreturn]] inline void __trap() { vinci::trap(); }
