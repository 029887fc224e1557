// The table of chips. Sources: the platform descriptions' published figures, see docs/spec/soc.md.
#include "soc/soc.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace vinci {
namespace {

constexpr uint32_t kK = 1024;

// Routes of the coupled cores, where the vector unit reads L0C.
constexpr Route kCoupledRoutes[] = {
    {Space::kGm, Space::kUb, Pipe::kMte2},  {Space::kUb, Space::kGm, Pipe::kMte3},
    {Space::kGm, Space::kL1, Pipe::kMte2},  {Space::kGm, Space::kL0A, Pipe::kMte2},
    {Space::kGm, Space::kL0B, Pipe::kMte2}, {Space::kL1, Space::kL0A, Pipe::kMte1},
    {Space::kL1, Space::kL0B, Pipe::kMte1}, {Space::kL1, Space::kUb, Pipe::kMte1},
    {Space::kUb, Space::kL1, Pipe::kMte3},  {Space::kL0C, Space::kUb, Pipe::kV},
    {Space::kUb, Space::kL0C, Pipe::kV},    {Space::kUb, Space::kUb, Pipe::kV},
};
constexpr Route kVectorCoreRoutes[] = {
    {Space::kGm, Space::kUb, Pipe::kMte2},
    {Space::kUb, Space::kGm, Pipe::kMte3},
    {Space::kUb, Space::kUb, Pipe::kV},
};
constexpr Route k2201Routes[] = {
    {Space::kGm, Space::kUb, Pipe::kMte2},  {Space::kUb, Space::kGm, Pipe::kMte3},
    {Space::kGm, Space::kL1, Pipe::kMte2},  {Space::kGm, Space::kL0A, Pipe::kMte2},
    {Space::kGm, Space::kL0B, Pipe::kMte2}, {Space::kL1, Space::kL0A, Pipe::kMte1},
    {Space::kL1, Space::kL0B, Pipe::kMte1}, {Space::kL1, Space::kGm, Pipe::kMte3},
    {Space::kL1, Space::kBt, Pipe::kMte1},  {Space::kL1, Space::kFb, Pipe::kFix},
    {Space::kL0C, Space::kGm, Pipe::kFix},  {Space::kL0C, Space::kL1, Pipe::kFix},
    {Space::kUb, Space::kUb, Pipe::kV},
};
constexpr Route k3002Routes[] = {
    {Space::kGm, Space::kUb, Pipe::kMte2},  {Space::kUb, Space::kGm, Pipe::kMte3},
    {Space::kGm, Space::kL1, Pipe::kMte2},  {Space::kGm, Space::kL0A, Pipe::kMte2},
    {Space::kGm, Space::kL0B, Pipe::kMte2}, {Space::kL1, Space::kL0A, Pipe::kMte1},
    {Space::kL1, Space::kL0B, Pipe::kMte1}, {Space::kL1, Space::kUb, Pipe::kMte1},
    {Space::kUb, Space::kL1, Pipe::kMte3},  {Space::kL1, Space::kGm, Pipe::kMte3},
    {Space::kL1, Space::kBt, Pipe::kMte1},  {Space::kL1, Space::kFb, Pipe::kFix},
    {Space::kL0C, Space::kUb, Pipe::kFix},  {Space::kL0C, Space::kGm, Pipe::kFix},
    {Space::kL0C, Space::kL1, Pipe::kFix},  {Space::kUb, Space::kUb, Pipe::kV},
};

// By pipe: S, V, M, MTE1, MTE2, MTE3, (all), FIX, (none).
#define VINCI_BY_PIPE(s, v, m, mte1, mte2, mte3, fix) \
  { s, v, m, mte1, mte2, mte3, OrderedBy::kKernel, fix, OrderedBy::kKernel }

constexpr auto kByKernel = OrderedBy::kKernel, kByHardware = OrderedBy::kHardware,
               kByCompiler = OrderedBy::kCompiler;
constexpr Ordering kOrderingOf2201{
    .within = VINCI_BY_PIPE(kByHardware, kByCompiler, kByKernel, kByKernel, kByKernel, kByKernel,
                            kByKernel),
    .scalar = VINCI_BY_PIPE(kByHardware, kByCompiler, kByKernel, kByKernel, kByCompiler,
                            kByCompiler, kByKernel),
    .fractals_in_order = 10};
// Generations whose documents do not say it.
constexpr Ordering kOrderingWithoutSource = kOrderingOf2201;
#undef VINCI_BY_PIPE

constexpr uint32_t features(std::initializer_list<Feature> list) {
  uint32_t bits = 0;
  for (Feature feature : list) bits |= uint32_t(feature);
  return bits;
}

using enum Space;
// The memory behind GM, A1, A2, B1, B2, C1, C2, CO1, CO2, VECIN, VECOUT, VECCALC, SPM, TSCM,
// C2PIPE2GM, C2PIPE2LOCAL.
#define VINCI_COUPLED_SPACES \
  { kGm, kL1, kL0A, kL1, kL0B, kUb, kL0C, kL0C, kUb, kUb, kUb, kUb, kL1, kL1, kNone, kNone }
#define VINCI_VECTOR_SPACES                                                                   \
  {                                                                                           \
    kGm, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kUb, kUb, kUb, kNone, kNone, \
        kNone, kNone                                                                          \
  }

constexpr std::string_view kMmadTypes100x =
    "f162f16,f162f32,f16f16f16,f16f16u2,f16u2,f32f16f16,s32s8s8,s32u8s8,s8,u32u8u8,"
    "u8,u8s8";
constexpr std::string_view kMmadTypes2002 =
    "b8u2,f162f16,f162f32,f16f16f16,f16f16u2,f16u2,f32f16f16,s32s4s4,s32s8s8,s32u8s8,"
    "s32u8u2,s32u8u8,s4,s8,u32u8u8,u8,u8s8";
constexpr std::string_view kMmadTypes2201 =
    "f162f16,f162f32,f16f16f16,f16f16u2,f16u2,f322f32,f32f16f16,f32f32f32,h322f32,"
    "s32s8s8,s32u8s8,s8,u32u8u8,u8,u8s8";
constexpr std::string_view kMmadTypes3002 =
    "bf162f32,f162f32,f16f16f16,f16f16u2,f322f32,f32f16f16,h322f32,s32s4s4,s32s8s8,"
    "s32u8u2,s4,s8";

constexpr Architecture k1000{.bit = kArch1000,
                             .name = "1000",
                             .npu_arch = 0,
                             .cce_aicore = 100,
                             .dav = "M100",
                             .core_name = "AI Core",
                             .vector_core = false,
                             .split = false,
                             .features = features({Feature::kFloatSaturates, Feature::kDeqScale}),
                             .event_ids = 4,
                             .routes = kCoupledRoutes,
                             .ordering = kOrderingWithoutSource,
                             .spaces = VINCI_COUPLED_SPACES,
                             .mmad_types = kMmadTypes100x};
constexpr Architecture k1001{
    .bit = kArch1001,
    .name = "1001",
    .npu_arch = 1001,
    .cce_aicore = 100,
    .dav = "C100",
    .core_name = "AI Core",
    .vector_core = false,
    .split = false,
    .features = features({Feature::kFloatSaturates, Feature::kDeqScale, Feature::kReduceMovesOn}),
    .event_ids = 4,
    .routes = kCoupledRoutes,
    .ordering = kOrderingWithoutSource,
    .spaces = VINCI_COUPLED_SPACES,
    .mmad_types = kMmadTypes100x};
constexpr Architecture k2002{
    .bit = kArch2002,
    .name = "2002",
    .npu_arch = 2002,
    .cce_aicore = 200,
    .dav = "M200",
    .core_name = "AI Core",
    .vector_core = false,
    .split = false,
    .features =
        features({Feature::kFloatSaturates, Feature::kLoad2DDstGap, Feature::kLoad2DAddrMode,
                  Feature::kGatherStride8Bit, Feature::kLoad3DListsBytesToB,
                  Feature::kCountFillsMask, Feature::kDeqScale, Feature::kSelectFromUb,
                  Feature::kGatherMaskTotal, Feature::kReduceExtreme}),
    .event_ids = 8,
    .routes = kCoupledRoutes,
    .ordering = kOrderingWithoutSource,
    .spaces = VINCI_COUPLED_SPACES,
    .mmad_types = kMmadTypes2002};
constexpr Architecture k2002Vector{
    .bit = kArch2002Vector,
    .name = "2002 Vector Core",
    .npu_arch = 2002,
    .cce_aicore = 200,
    .dav = "M200_VEC",
    .core_name = "Vector Core",
    .vector_core = true,
    .split = false,
    .features =
        features({Feature::kCountFillsMask, Feature::kSelectFromUb, Feature::kGatherMaskTotal}),
    .event_ids = 8,
    .routes = kVectorCoreRoutes,
    .ordering = kOrderingWithoutSource,
    .spaces = VINCI_VECTOR_SPACES,
    .mmad_types = ""};
constexpr Architecture k2201{
    .bit = kArch2201,
    .name = "2201",
    .npu_arch = 2201,
    .cce_aicore = 220,
    .dav = "C220",
    .core_name = "AI Core",
    .vector_core = false,
    .split = true,
    .features = features({Feature::kLoad2DDstGap, Feature::kLoad2DAddrMode, Feature::kMaskZeroIsNop,
                          Feature::kBiasTable, Feature::kFillBlocks, Feature::kCountFillsMask,
                          Feature::kDeqScale, Feature::kControlBits, Feature::kReduceSumInOrder,
                          Feature::kSelectFromUb, Feature::kInitsMasks, Feature::kReduceRegisters,
                          Feature::kStoreAtomicConfig}),
    .event_ids = 8,
    .routes = k2201Routes,
    .ordering = kOrderingOf2201,
    .spaces = {kGm, kL1, kL0A, kL1, kL0B, kL1, kBt, kL0C, kGm, kUb, kUb, kUb, kGm, kL1, kFb, kNone},
    .mmad_types = kMmadTypes2201};
// The halves of a split chip's core.
constexpr Route k2201CubeRoutes[] = {
    {Space::kGm, Space::kL1, Pipe::kMte2},  {Space::kGm, Space::kL0A, Pipe::kMte2},
    {Space::kGm, Space::kL0B, Pipe::kMte2}, {Space::kL1, Space::kL0A, Pipe::kMte1},
    {Space::kL1, Space::kL0B, Pipe::kMte1}, {Space::kL1, Space::kGm, Pipe::kMte3},
    {Space::kL1, Space::kBt, Pipe::kMte1},  {Space::kL1, Space::kFb, Pipe::kFix},
    {Space::kL0C, Space::kGm, Pipe::kFix},  {Space::kL0C, Space::kL1, Pipe::kFix},
};
// What an AIV puts into TSCM for the AIC's Matmul, vinci keeps in a memory of the AIV's, as large
// as L1, until the Matmul takes it.
constexpr Route k2201VectorRoutes[] = {
    {Space::kGm, Space::kUb, Pipe::kMte2}, {Space::kUb, Space::kGm, Pipe::kMte3},
    {Space::kUb, Space::kUb, Pipe::kV},    {Space::kGm, Space::kL1, Pipe::kMte2},
    {Space::kUb, Space::kL1, Pipe::kMte3}, {Space::kL1, Space::kGm, Pipe::kMte3},
};
// The vendor's compiler adds nothing to the code of an AIC.
constexpr Ordering without_compiler(Ordering ordering) {
  for (OrderedBy& by : ordering.within) by = by == kByCompiler ? kByKernel : by;
  for (OrderedBy& by : ordering.scalar) by = by == kByCompiler ? kByKernel : by;
  return ordering;
}
constexpr Architecture half_of(Architecture arch, std::string_view core_name,
                               std::span<const Route> routes, bool has_ub) {
  arch.core_name = core_name;
  arch.routes = routes;
  if (!has_ub) arch.ordering = without_compiler(arch.ordering);
  for (Space& space : arch.spaces) {
    if (space != kGm && (space == kUb) != has_ub) space = kNone;
  }
  if (has_ub) arch.spaces[size_t(Position::TSCM)] = kL1;
  return arch;
}
constexpr Architecture k2201Cube = half_of(k2201, "AIC", k2201CubeRoutes, false);
constexpr Architecture k2201Vector = half_of(k2201, "AIV", k2201VectorRoutes, true);

constexpr Architecture k3002{
    .bit = kArch3002,
    .name = "3002",
    .npu_arch = 3002,
    .cce_aicore = 300,
    .dav = "M300",
    .core_name = "AI Core",
    .vector_core = false,
    .split = false,
    .features =
        features({Feature::kLoad2DDstGap, Feature::kLoad2DAddrMode, Feature::kGatherNarrowIndex,
                  Feature::kBiasTable, Feature::kFillBlocks, Feature::kLoad3DRepeat64,
                  Feature::kCountFillsMask, Feature::kReduceFillsEmpty, Feature::kCompareMask,
                  Feature::kSelectFromUb, Feature::kStoreAtomicConfig, Feature::kFixpipeExtras,
                  Feature::kAippRounds}),
    .event_ids = 8,
    .routes = k3002Routes,
    .ordering = kOrderingWithoutSource,
    .spaces = {kGm, kL1, kL0A, kL1, kL0B, kL1, kBt, kL0C, kGm, kUb, kUb, kUb, kNone, kL1, kFb,
               kNone},
    .mmad_types = kMmadTypes3002};

constexpr Soc make(std::string_view name, std::string_view product, const Architecture& arch,
                   int aic_cores, int aiv_cores, uint32_t l1, uint32_t l0c, uint32_t ub,
                   uint32_t usable_ub, uint32_t usable_l1, int cube_mhz, uint32_t bt = 0,
                   uint32_t fb = 0) {
  const uint32_t l0 = l1 == 0 ? 0 : 64 * kK;
  return {name,      product,   &arch,   aic_cores, aiv_cores, {0, l1, l0, l0, l0c, ub, bt, fb},
          usable_ub, usable_l1, cube_mhz};
}

constexpr Soc soc310(std::string_view name, int cores, int cube_mhz) {
  return make(name, "Atlas 200/300/500", k1000, cores, 0, 1024 * kK, 256 * kK, 248 * kK, 248 * kK,
              1024 * kK, cube_mhz);
}
constexpr Soc soc910(std::string_view name, int cores, int cube_mhz) {
  return make(name, "Atlas training series", k1001, cores, 0, 1024 * kK, 256 * kK, 256 * kK,
              248 * kK, 1024 * kK, cube_mhz);
}
constexpr Soc soc310p(std::string_view name, int ai_cores, int vector_cores, int cube_mhz) {
  return make(name, "Atlas inference series, AI Core", k2002, ai_cores, vector_cores, 1024 * kK,
              256 * kK, 256 * kK, 248 * kK, 1024 * kK, cube_mhz);
}
constexpr Soc soc310p_vector(std::string_view name, int ai_cores, int vector_cores, int cube_mhz) {
  return make(name, "Atlas inference series, Vector Core", k2002Vector, ai_cores, vector_cores, 0,
              0, 256 * kK, 248 * kK, 0, cube_mhz);
}
constexpr Soc soc_a2(std::string_view name, int aic_cores, int cube_mhz) {
  return make(name, "Atlas A2/A3", k2201, aic_cores, 2 * aic_cores, 512 * kK, 128 * kK, 192 * kK,
              192 * kK - 256, 512 * kK - 256, cube_mhz, 1 * kK, 7 * kK);
}
constexpr Soc soc310b(std::string_view name, int cube_mhz) {
  return make(name, "Atlas 200I/500 A2", k3002, 1, 1, 1024 * kK, 128 * kK, 248 * kK, 248 * kK,
              1024 * kK, cube_mhz, 1 * kK, 6 * kK);
}

constexpr Soc kSocs[] = {
    soc310("Ascend310", 2, 680),
    soc910("Ascend910A", 32, 1000),
    soc910("Ascend910B-C100", 30, 900),
    soc910("Ascend910ProA", 32, 1100),
    soc910("Ascend910ProB", 30, 1150),
    soc910("Ascend910PremiumA", 32, 1220),
    soc310p("Ascend310P1", 10, 8, 1060),
    soc310p("Ascend310P3", 8, 7, 1060),
    soc310p("Ascend310P5", 8, 7, 800),
    soc310p("Ascend310P7", 8, 7, 550),
    soc310p_vector("Ascend310P1-VectorCore", 10, 8, 1060),
    soc310p_vector("Ascend310P3-VectorCore", 8, 7, 1060),
    soc310p_vector("Ascend310P5-VectorCore", 8, 7, 800),
    soc310p_vector("Ascend310P7-VectorCore", 8, 7, 550),
    soc_a2("Ascend910B1", 24, 1850),
    soc_a2("Ascend910B2", 24, 1800),
    soc_a2("Ascend910B2C", 24, 1800),
    soc_a2("Ascend910B3", 20, 1800),
    soc_a2("Ascend910B4", 20, 1500),
    soc_a2("Ascend910B4-1", 20, 1500),
    soc_a2("Ascend910_9391", 24, 1850),
    soc_a2("Ascend910_9392", 24, 1850),
    soc_a2("Ascend910_9381", 24, 1800),
    soc_a2("Ascend910_9382", 24, 1800),
    soc_a2("Ascend910_9372", 20, 1800),
    soc_a2("Ascend910_9362", 20, 1500),
    soc310b("Ascend310B1", 1224),
    soc310b("Ascend310B2", 1224),
    soc310b("Ascend310B3", 1224),
    soc310b("Ascend310B4", 500),
};

constexpr Soc half_of(Soc soc, bool has_ub) {
  if (!soc.arch->split) return soc;
  soc.arch = has_ub ? &k2201Vector : &k2201Cube;
  for (int space = 1; space < kSpaces; ++space) {
    const bool is_own = (Space(space) == kUb) == has_ub || Space(space) == kL1;
    if (!is_own) soc.bytes[space] = 0;
  }
  if (!has_ub) soc.usable_ub_bytes = 0;
  return soc;
}
constexpr auto kAics = [] {
  std::array socs = std::to_array(kSocs);
  for (Soc& soc : socs) soc = half_of(soc, false);
  return socs;
}();
constexpr auto kAivs = [] {
  std::array socs = std::to_array(kSocs);
  for (Soc& soc : socs) soc = half_of(soc, true);
  return socs;
}();

// Ascend910B is the A2 family, as everybody writes it; the 30-core 910 that a platform file calls
// by the same name is Ascend910B-C100 here.
constexpr Family kFamilies[] = {
    {"Ascend910", "Ascend910A"},   {"Ascend310P", "Ascend310P3"},
    {"Ascend910B", "Ascend910B1"}, {"Ascend910_93", "Ascend910_9391"},
    {"Ascend310B", "Ascend310B1"}, {"Ascend310P-VectorCore", "Ascend310P3-VectorCore"},
};

// Where build files mean another chip than everybody else.
constexpr Family kToolkitNames[] = {{"Ascend910B", "Ascend910B-C100"}};

// What the toolkit's compiler calls the architectures, now and in older versions.
constexpr Family kCompilerWords[] = {
    {"dav-2201", "Ascend910B1"},     {"dav-2002", "Ascend310P3"}, {"dav-1001", "Ascend910A"},
    {"dav-3002", "Ascend310B1"},     {"dav-c220", "Ascend910B1"}, {"dav-c220-cube", "Ascend910B1"},
    {"dav-c220-vec", "Ascend910B1"}, {"dav-m200", "Ascend310P3"}, {"dav-m200-vec", "Ascend310P3"},
    {"dav-c100", "Ascend910A"},      {"dav-m300", "Ascend310B1"},
};

}  // namespace

std::vector<ToolkitName> toolkit_names() {
  std::vector<ToolkitName> names;
  for (const Family& name : kToolkitNames) {
    names.push_back({name.name, find_soc(name.representative)});
  }
  for (const Soc& soc : kSocs) names.push_back({soc.name, &soc});
  for (const Family& family : kFamilies) {
    const auto same = [&](const ToolkitName& name) { return name.spelling == family.name; };
    if (std::ranges::any_of(names, same)) continue;
    names.push_back({family.name, find_soc(family.representative)});
  }
  return names;
}

const Soc* find_compiler_soc(std::string_view word) {
  const auto* found = std::ranges::find(kCompilerWords, word, &Family::name);
  return found == std::end(kCompilerWords) ? nullptr : find_soc(found->representative);
}

std::string compiler_words() {
  std::string words;
  for (const Family& word : kCompilerWords) words.append(1, ' ').append(word.name);
  return words;
}

std::span<const Soc> all_socs() { return kSocs; }

const Soc& core_of(const Soc& soc, CoreKind kind) {
  for (size_t i = 0; i < std::size(kSocs); ++i) {
    if (kSocs[i].name != soc.name) continue;
    if (kind == CoreKind::kWhole) return kSocs[i];
    return kind == CoreKind::kAic ? kAics[i] : kAivs[i];
  }
  return soc;
}

std::span<const Family> soc_families() { return kFamilies; }

}  // namespace vinci
