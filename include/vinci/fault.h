// What vinci says about a kernel: codes, their classes, and one finding with its place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vinci {

// Who has to act. The class decides the exit code of `vinci run`.
enum class FaultClass : uint8_t {
  kKernel,         // the kernel is wrong
  kSoc,            // the chip lacks it
  kUnimplemented,  // vinci lacks it: it stops instead of guessing
  kUnverified,     // done, on weak evidence: a warning
  kInternal,       // vinci is wrong
};

// The number is what users see: kOutOfTensor is V1001. Each has a page in docs/fault/.
enum class Code : uint16_t {
  kOutOfTensor = 1001,
  kOutOfBuffer = 1002,
  kOutOfGm = 1003,
  kMisaligned = 1004,
  kPosition = 1005,
  kOutOfSpace = 1006,
  kGmOverrun = 1007,
  kOverlap = 1008,
  kUnallocated = 1009,
  kLocalOverrun = 1010,
  kPastTensor = 1011,
  kRepeatFeedsNext = 1012,
  kUnwritten = 1013,
  kOutputUnwritten = 1014,
  kByPointer = 1015,
  kWiderInPlace = 1016,
  kUnwrittenOnDevice = 1017,
  kKeptBytes = 1018,
  kLeftBehind = 1019,

  kRange = 2001,
  kMultiple = 2002,
  kMask = 2003,
  kCombination = 2004,
  kGatherOffset = 2005,
  kPartialDatablock = 2006,
  kGatherCountWraps = 2007,
  kNoEffect = 2008,
  kWrittenTwice = 2009,
  kScalarUnset = 2010,
  kPartialFractal = 2011,
  kInitYReversed = 2012,
  kTypesBySize = 2013,
  kNotFinite = 2014,
  kNarrowed = 2015,
  kIntegerOverflow = 2016,
  kByZero = 2017,
  kDrift = 2018,
  kTransposed = 2019,
  kUnsorted = 2020,
  kOutsideDomain = 2021,

  kQueueUninitialised = 3001,
  kQueueNoBuffer = 3002,
  kQueueTooDeep = 3003,
  kQueueEnQue = 3004,
  kQueueEmpty = 3005,
  kQueueFree = 3006,
  kQueueLeak = 3007,
  kTensorNotOwned = 3008,
  kTwoPipes = 3009,
  kTensorFreed = 3010,

  kFlagNotSet = 4001,
  kFlagSetTwice = 4002,
  kFlagLeftSet = 4003,
  kEventId = 4004,
  kBarrierAlone = 4005,
  kDeadlock = 4006,
  kCrossFlagCount = 4007,
  kForeignCall = 4008,
  kRace = 4009,
  kBlockRace = 4010,
  kScalarLines = 4011,
  kUnstable = 4012,
  kStateLeft = 4013,
  kScalarCache = 4014,
  kSharedVariable = 4015,
  kEventTaken = 4016,
  kEarlyScales = 4017,
  kScalarLinesOwn = 4018,

  kBadAddress = 5001,
  kDivideByZero = 5002,
  kStackOverflow = 5003,
  kTimeout = 5004,
  kException = 5005,
  kProcessEnded = 5006,
  kSignal = 5007,
  kAssertion = 5008,
  kSystemCall = 5009,
  kTampered = 5010,

  kSocInstruction = 6001,
  kSocTypes = 6002,
  kSocPosition = 6003,
  kSocRoute = 6004,
  kSocRound = 6005,

  kUnimplemented = 7001,

  kExpectation = 8001,
  kGolden = 8002,
  kTool = 8003,
  kHostCall = 8004,
  kOperator = 8005,
  kOperatorDoubt = 8006,
  kTilingKey = 8007,
  kTilingData = 8008,

  kInternal = 9001,
};

struct CodeEntry {
  Code code;
  FaultClass kind;
  bool warning;  // does not change the exit code
  std::string_view title;
  bool once = false;  // told at the first place only, and counted there
};

// All codes in ascending order.
const std::vector<CodeEntry>& code_table();
const CodeEntry& entry_of(Code code);
std::string_view name_of(FaultClass kind);
std::string to_string(Code code);  // "V1001"

// One finding. `frames` are return addresses, innermost first; they become source lines only when
// somebody reads the report. A script's statement has a file and a line instead.
struct Fault {
  Code code = Code::kInternal;
  std::string message;
  std::string legal;        // what would have been legal; may be empty
  int64_t block = -1;       // -1: not inside a block
  std::string core;         // "AI Core"
  int sub_block = -1;       // which AIV, where a block has several
  std::string pipe;         // "MTE1"; empty outside instructions
  std::string instruction;  // mnemonic; empty outside instructions
  uint64_t serial = 0;      // number of the instruction in its block, from 1
  uint64_t count = 1;       // how often it happened at this place
  std::vector<uint64_t> frames;
  std::string file;
  int line = 0;
  // A place that belongs to it, and what is there.
  struct Place {
    std::string what;
    std::vector<uint64_t> frames;
    std::string file;
    int line = 0;
  };
  Place other;  // none if nothing is there
  // More of them: what each pipe is at, where one waits for ever.
  std::vector<Place> also;
  // Why nobody wants to hear of it; empty: it counts.
  std::string suppressed;

  const CodeEntry& entry() const { return entry_of(code); }
};

// 0 clean, 1 the kernel is wrong, 4 vinci or the chip lacks something, 5 vinci is wrong.
int exit_code(const std::vector<Fault>& faults);

// A kernel that has errors in so many places is ended; of warnings no more places are kept.
inline constexpr size_t kMostFaultPlaces = 20;
// So is one that has an error so many times in one place: a loop that may have no end.
inline constexpr uint64_t kMostFaultTimes = 1'000'000;

// Collects faults: equal ones (same code, same call stack) are kept once, with the sum of their
// counts, and so are all of a code that is told once.
class FaultList {
 public:
  // False once there are errors in as many places, or as often in one, as the limits allow.
  bool add(const Fault& fault);
  const std::vector<Fault>& faults() const { return faults_; }

 private:
  std::vector<Fault> faults_;
  size_t errors_ = 0;
};

}  // namespace vinci
