// The table of fault codes.
#include "vinci/fault.h"

#include <algorithm>

#include <fmt/format.h>

namespace vinci {
namespace {

constexpr auto kKernel = FaultClass::kKernel;

}  // namespace

const std::vector<CodeEntry>& code_table() {
  // Never destroyed: reports are written at the very end of programs, too.
  static const auto& table = *new const std::vector<CodeEntry>{
      {Code::kOutOfTensor, kKernel, false, "access past the end of a tensor"},
      {Code::kOutOfBuffer, kKernel, false, "access outside the core's memory"},
      {Code::kOutOfGm, kKernel, false, "access outside every GM buffer"},
      {Code::kMisaligned, kKernel, false, "start address not aligned"},
      {Code::kPosition, kKernel, false, "operand in the wrong memory"},
      {Code::kOutOfSpace, kKernel, false, "InitBuffer: the memory is full"},
      {Code::kGmOverrun, kKernel, false, "scalar code wrote past a GM buffer"},
      {Code::kOverlap, kKernel, false, "source and destination overlap"},
      {Code::kUnallocated, kKernel, false, "memory that no InitBuffer handed out"},
      {Code::kLocalOverrun, kKernel, false, "a pointer wrote behind its tensor or memory"},
      {Code::kPastTensor, kKernel, true, "access past a tensor, inside its memory"},
      {Code::kRepeatFeedsNext, kKernel, true, "a repeat overwrites what a later one reads"},
      {Code::kUnwritten, kKernel, false, "memory that nobody has written"},
      {Code::kOutputUnwritten, kKernel, true, "output that no block has written"},
      {Code::kByPointer, kKernel, true, "bytes that no instruction has written"},
      {Code::kWiderInPlace, FaultClass::kUnverified, true, "wider result in its source's place"},
      {Code::kUnwrittenOnDevice, kKernel, true, "device memory that nobody has written"},
      {Code::kKeptBytes, kKernel, true, "buffer over bytes that the framework keeps"},
      {Code::kLeftBehind, kKernel, true, "what an earlier copy has left"},
      {Code::kRange, kKernel, false, "parameter out of range"},
      {Code::kMultiple, kKernel, false, "parameter not a multiple"},
      {Code::kMask, kKernel, false, "mask not legal"},
      {Code::kCombination, kKernel, false, "parameters that contradict each other"},
      {Code::kGatherOffset, kKernel, false, "gather offset not legal"},
      {Code::kPartialDatablock, kKernel, true, "count is not whole datablocks"},
      {Code::kGatherCountWraps, FaultClass::kUnverified, true,
       "gather count that wraps in the vendor's headers"},
      {Code::kNoEffect, kKernel, true, "parameter without effect"},
      {Code::kWrittenTwice, kKernel, true, "results on top of each other"},
      {Code::kScalarUnset, kKernel, false, "Scalar without a value"},
      {Code::kPartialFractal, kKernel, true, "rows that are not whole fractals"},
      {Code::kInitYReversed, FaultClass::kUnverified, true,
       "Conv2D or Gemm that adds as the running library does", true},
      {Code::kTypesBySize, FaultClass::kUnverified, true, "type that counts by its size alone"},
      {Code::kNotFinite, kKernel, true, "infinity or NaN from finite numbers"},
      {Code::kNarrowed, kKernel, true, "result that its type cannot hold"},
      {Code::kIntegerOverflow, kKernel, true, "integer overflow"},
      {Code::kByZero, kKernel, true, "division by zero"},
      {Code::kDrift, kKernel, true, "results that drift away from those of doubles"},
      {Code::kTransposed, FaultClass::kUnverified, true, "transposed without the type saying so"},
      {Code::kUnsorted, kKernel, false, "queues of a merge that are not sorted"},
      {Code::kOutsideDomain, kKernel, true, "number that a function is not documented for"},
      {Code::kQueueUninitialised, kKernel, false, "queue without InitBuffer"},
      {Code::kQueueNoBuffer, kKernel, false, "AllocTensor: no buffer is free"},
      {Code::kQueueTooDeep, kKernel, false, "EnQue beyond the queue's depth"},
      {Code::kQueueEnQue, kKernel, false, "EnQue of a tensor that is not in hand"},
      {Code::kQueueEmpty, kKernel, false, "DeQue from an empty queue"},
      {Code::kQueueFree, kKernel, false, "FreeTensor of a tensor that is not in hand"},
      {Code::kQueueLeak, kKernel, true, "tensor never freed"},
      {Code::kTensorNotOwned, kKernel, false, "tensor used after EnQue or FreeTensor"},
      {Code::kTwoPipes, kKernel, false, "second TPipe"},
      {Code::kTensorFreed, kKernel, true, "tensor used after FreeTensor", true},
      {Code::kFlagNotSet, kKernel, false, "WaitFlag without SetFlag"},
      {Code::kFlagSetTwice, kKernel, false, "SetFlag twice"},
      {Code::kFlagLeftSet, kKernel, false, "flag left set"},
      {Code::kEventId, kKernel, false, "event identifier not legal"},
      {Code::kBarrierAlone, kKernel, false, "barrier that some blocks never reach"},
      {Code::kDeadlock, kKernel, false, "core that waits for others for ever"},
      {Code::kCrossFlagCount, kKernel, false, "cross-core flag set too often"},
      {Code::kForeignCall, kKernel, true, "call for the other kind of core", true},
      {Code::kRace, kKernel, false, "instructions that nothing orders"},
      {Code::kBlockRace, kKernel, false, "cores that touch the same GM, which nothing orders"},
      {Code::kScalarLines, kKernel, false, "scalar writes of two cores in one cache line"},
      {Code::kUnstable, kKernel, false, "result that depends on when instructions run"},
      {Code::kStateLeft, kKernel, true, "register not as another part of the program needs it"},
      {Code::kScalarCache, kKernel, false, "GM that the scalar cache and copies see differently"},
      {Code::kSharedVariable, kKernel, true, "variable of the host that blocks share"},
      {Code::kEventTaken, kKernel, true, "event identifier that belongs to the framework"},
      {Code::kEarlyScales, FaultClass::kUnverified, true,
       "scales without a barrier of FIX behind their copy"},
      {Code::kScalarLinesOwn, kKernel, true, "cache line of which cores read back their own words"},
      {Code::kBadAddress, kKernel, false, "bad address in scalar code"},
      {Code::kDivideByZero, kKernel, false, "integer division by zero"},
      {Code::kStackOverflow, kKernel, false, "stack overflow"},
      {Code::kTimeout, kKernel, false, "time limit reached"},
      {Code::kException, kKernel, false, "C++ exception or abort"},
      {Code::kProcessEnded, kKernel, false, "the kernel ended the process"},
      {Code::kSignal, kKernel, false, "killed by a signal"},
      {Code::kAssertion, kKernel, false, "assertion that failed, or Trap"},
      {Code::kSystemCall, kKernel, false, "a call of the system, in a sandbox"},
      {Code::kTampered, kKernel, false, "the report was tampered with"},
      {Code::kSocInstruction, FaultClass::kSoc, false, "the chip lacks the instruction"},
      {Code::kSocTypes, FaultClass::kSoc, false, "the chip lacks the types"},
      {Code::kSocPosition, FaultClass::kSoc, false, "the chip lacks the position"},
      {Code::kSocRoute, FaultClass::kSoc, false, "the chip lacks the route"},
      {Code::kSocRound, FaultClass::kSoc, false, "the chip lacks the round mode"},
      {Code::kUnimplemented, FaultClass::kUnimplemented, false, "vinci lacks it"},
      {Code::kExpectation, kKernel, false, "output differs from the golden file"},
      {Code::kGolden, kKernel, false, "golden file cannot be used"},
      {Code::kTool, kKernel, false, "a tool of the program's own found something"},
      {Code::kHostCall, kKernel, false, "call of the host runtime that is wrong"},
      {Code::kOperator, kKernel, false, "host code of an operator that is wrong"},
      {Code::kOperatorDoubt, kKernel, true, "host code that a device may not bear"},
      {Code::kTilingKey, kKernel, false, "tiling key without a branch"},
      {Code::kTilingData, kKernel, false, "kernel and host disagree about the tiling data"},
      {Code::kInternal, FaultClass::kInternal, false, "vinci is wrong"},
  };
  return table;
}

const CodeEntry& entry_of(Code code) {
  const auto& table = code_table();
  return *std::ranges::find(table, code, &CodeEntry::code);
}

std::string_view name_of(FaultClass kind) {
  constexpr std::string_view kNames[] = {"kernel", "soc", "unimplemented", "unverified",
                                         "internal"};
  return kNames[static_cast<int>(kind)];
}

std::string to_string(Code code) { return fmt::format("V{}", int(code)); }

int exit_code(const std::vector<Fault>& faults) {
  constexpr int kByClass[] = {1, 4, 4, 0, 5};
  int worst = 0;
  for (const Fault& fault : faults) {
    if (!fault.entry().warning && fault.suppressed.empty()) {
      worst = std::max(worst, kByClass[static_cast<int>(fault.entry().kind)]);
    }
  }
  return worst;
}

bool FaultList::add(const Fault& fault) {
  // One call can break a rule with several operands: these are told apart by their messages. In
  // other calls at the same place messages may have other numbers.
  const auto find = [&](auto also) {
    return std::ranges::find_if(faults_, [&](const Fault& known) {
      return known.code == fault.code && known.frames == fault.frames &&
             known.other.frames == fault.other.frames && known.other.file == fault.other.file &&
             known.other.line == fault.other.line && known.file == fault.file &&
             known.line == fault.line && known.instruction == fault.instruction && also(known);
    });
  };
  auto same = fault.entry().once
                  ? std::ranges::find(faults_, fault.code, &Fault::code)
                  : find([&](const Fault& known) { return known.message == fault.message; });
  if (same == faults_.end()) {
    same = find([&](const Fault& known) {
      return known.serial != fault.serial || known.block != fault.block ||
             known.sub_block != fault.sub_block;
    });
  }
  const bool warning = fault.entry().warning;
  if (same != faults_.end()) {
    same->count += fault.count;
    return warning || same->count < kMostFaultTimes;
  }
  if (warning && faults_.size() - errors_ >= kMostFaultPlaces) return true;
  faults_.push_back(fault);
  errors_ += warning ? 0 : 1;
  return warning || errors_ < kMostFaultPlaces;
}

}  // namespace vinci
