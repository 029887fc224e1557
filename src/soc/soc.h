// The chips as data: sizes, core counts, routes, alignments, positions and features.
//
// Code asks a Soc for a number or a feature; no other folder names a chip.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vinci/event.h"
#include "vinci/grid.h"
#include "vinci/position.h"

namespace vinci {

// Bytes of Space::kCells; core/registers.h says what they are.
inline constexpr uint32_t kCellBytes = 48;

// Generations of the architecture, one bit each, for support tables. The numbers are the
// documents' __NPU_ARCH__; 1000 stands for Ascend310, which has none.
using ArchSet = uint32_t;
inline constexpr ArchSet kArch1000 = 1;
inline constexpr ArchSet kArch1001 = 2;
inline constexpr ArchSet kArch2002 = 4;
inline constexpr ArchSet kArch2002Vector = 8;  // the Vector Core beside 2002's AI Core
inline constexpr ArchSet kArch2201 = 16;
inline constexpr ArchSet kArch3002 = 32;

enum class Feature : uint32_t {
  kFloatSaturates = 1,           // at start inf becomes the largest value, NaN 0 in half results
  kLoad2DDstGap = 2,             // LoadData 2D honours dstGap
  kLoad2DAddrMode = 4,           // LoadData 2D from GM to L1 honours addrMode
  kMaskZeroIsNop = 8,            // a continuous mask of 0 is legal and does nothing
  kGatherNarrowIndex = 16,       // gather indices of 8- and 16-bit elements have 16 bits
  kGatherStride8Bit = 32,        // gather's dstRepStride has 8 bits
  kBiasTable = 64,               // Mmad can start from the bias table
  kLoad3DListsBytesToB = 128,    // documents list bytes to L0B for LoadData 3Dv2 and say no more
  kFillBlocks = 256,             // Fill has blockNum and dstGap, and reaches L1 in blocks of 32 B
  kLoad3DRepeat64 = 512,         // SetLoadDataRepeat counts 64 B of a row, not 32 B
  kCountFillsMask = 1024,        // the count form of vector instructions leaves MASK all ones
  kDeqScale = 2048,              // int32 to half multiplies with the scale of SetDeqScale
  kControlBits = 4096,           // kernels write and read single bits of CTRL
  kReduceFillsEmpty = 8192,      // a block or pair without an enabled lane gets a result too
  kReduceMovesOn = 16384,        // reductions want a dst repeat stride of 1 at least
  kReduceSumInOrder = 32768,     // ReduceSum of n elements adds up the repeats one by one
  kCompareMask = 65536,          // Compare to UB honours its mask; CompareScalar orders integers
  kSelectFromUb = 131072,        // Select takes its bits from UB too, not from CMPMASK alone
  kGatherMaskTotal = 262144,     // GatherMask: Counter mode counts all repeats; no pattern 7
  kInitsMasks = 524288,          // InitSocState: MASK, its mode and 3D loads too, not atomics alone
  kReduceRegisters = 1048576,    // kernels read what reductions leave: a sum, an extreme, its index
  kReduceExtreme = 2097152,      // the same of an extreme alone
  kStoreAtomicConfig = 4194304,  // kernels read in which type copies to GM combine
  kFixpipeExtras = 8388608,      // DataCopy out of L0C clips, and adds a tensor of L1
  kAippRounds = 16777216,        // AIPP has dtcRoundMode, and no dtcMin
};
inline constexpr int kFeatures = 25;

struct Route {
  Space from, to;
  Pipe pipe;
};

// What makes one access come after another where the kernel does not say it.
enum class OrderedBy : uint8_t {
  kKernel,  // nothing: the kernel has to, with a barrier, a flag or a queue
  kHardware,
  kCompiler,  // the vendor's, which adds what is missing between tensors unless it is told not to
};

// What is in order on the cores of one generation. Sources and decisions: docs/spec/order.md.
struct Ordering {
  // By pipe: an instruction after the one before it on the same pipe. A pipe starts what it gets in
  // order; this is about their ends.
  OrderedBy within[kPipes];
  // By pipe: GetValue and SetValue of tensors after its instructions, and these after them.
  OrderedBy scalar[kPipes];
  // Two products of at least so many fractals are in order on the pipe M by hardware.
  uint32_t fractals_in_order;
};

// What the chips of one generation share.
struct Architecture {
  ArchSet bit;
  std::string_view name;  // as in `vinci list`
  int npu_arch;           // __NPU_ARCH__, 0: not defined
  int cce_aicore;         // __CCE_AICORE__
  std::string_view dav;   // __DAV_<dav>__
  std::string_view core_name;
  bool vector_core;  // the cores are the Vector Cores beside AI Cores
  bool split;        // the units for matrices and for vectors are cores of their own, AIC and AIV
  uint32_t features;
  int event_ids;
  std::span<const Route> routes;
  Ordering ordering;
  Space spaces[static_cast<int>(Position::MAX)];  // by Position
  // What matrix products take and give, in the words of the toolkit's platform files, which host
  // code reads: f32f16f16 is halves to floats. They lack what those lack, bfloat16 say.
  std::string_view mmad_types;
};

struct Soc {
  std::string_view name;
  std::string_view product;  // how the documents call it
  const Architecture* arch;
  int aic_cores;             // AI Cores; of a split chip its AICs, which have the cube unit
  int aiv_cores;             // of a split chip its AIVs; else the Vector Cores beside the AI Cores
  uint32_t bytes[kSpaces];   // size of each memory; GM: 0
  uint32_t usable_ub_bytes;  // what InitBuffer may hand out
  uint32_t usable_l1_bytes;
  int cube_mhz;

  // How many there are of the core that runs kernels here: AI Cores, AICs or Vector Cores.
  int cores() const { return arch->vector_core ? aiv_cores : aic_cores; }
  // AIVs beside each AIC; 0: the chip is not split, a core has all units that there are.
  int aiv_per_aic() const { return arch->split ? aiv_cores / aic_cores : 0; }
  bool has(Feature feature) const { return (arch->features & uint32_t(feature)) != 0; }
  uint32_t size_of(Space space) const {
    switch (space) {
      case Space::kSparse: return size_of(Space::kL0B) / 4;
      case Space::kCells: return kCellBytes;
      case Space::kNone: return 0;
      default: return bytes[static_cast<int>(space)];
    }
  }
  uint32_t usable_bytes(Space space) const;
  Space space_of(Position position) const {
    return position < Position::MAX ? arch->spaces[static_cast<int>(position)] : Space::kNone;
  }
  // The pipe that moves data along a route, or kNone if the chip lacks the route.
  Pipe route(Space from, Space to) const;
  // Compile definitions that kernels test: "__NPU_ARCH__=2002", ... A chip that is not split has
  // those of a whole core for every kind.
  std::vector<std::string> definitions(CoreKind kind = CoreKind::kWhole) const;
};

// Alignment in bytes of an operand's start address in each memory. Source: docs/spec/memory.md.
inline constexpr uint32_t kAlignments[kAllSpaces + 1] = {1, 32, 512, 512, 64, 32, 64, 64, 1, 1, 1};
constexpr uint32_t alignment_of(Space space) { return kAlignments[static_cast<int>(space)]; }

std::string_view name_of(Feature feature);  // "select_from_ub"
// "CO1"-like names of all positions behind a memory on this chip, for messages.
std::string positions_in(const Soc& soc, Space space);

std::span<const Soc> all_socs();
// The chip of whoever names none, and the one of generation 2201 for what it lacks.
inline constexpr std::string_view kDefaultSoc = "Ascend310P3";
inline constexpr std::string_view kDefaultSplitSoc = "Ascend910B1";
// The chip as a core of this kind sees it: with its memories and routes alone. Chips that are not
// split have whole cores only, and are returned as they are. `soc` may be such a half itself.
const Soc& core_of(const Soc& soc, CoreKind kind);
// A chip by full name (Ascend310P3) or family name (Ascend310P); nullptr if there is none.
const Soc* find_soc(std::string_view name);
// "Ascend310P -> Ascend310P3", ... for help texts.
struct Family {
  std::string_view name, representative;
};
std::span<const Family> soc_families();

// A chip by the name that build files of projects give it (SOC_VERSION), which is its own or its
// family's but for Ascend910B: there it is the older chip. Any case; nullptr if there is none.
const Soc* find_toolkit_soc(std::string_view spelling);
// All such names.
struct ToolkitName {
  std::string_view spelling;
  const Soc* soc;
};
std::vector<ToolkitName> toolkit_names();
// A chip of the architecture that an option of the toolkit's compiler names: "dav-2201",
// "dav-c220".
const Soc* find_compiler_soc(std::string_view word);
// All such words, each after a blank.
std::string compiler_words();

}  // namespace vinci
