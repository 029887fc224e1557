// The table of chips: published figures, names, and what every row must satisfy.
#include "soc/soc.h"

#include <gtest/gtest.h>

#include <set>

namespace vinci {
namespace {

TEST(Soc, HasThePublishedSizes) {
  struct Row {
    const char* name;
    int cores;
    uint32_t l1, l0a, l0b, l0c, ub;
  };
  const uint32_t k = 1024;
  const Row rows[] = {
      {"Ascend310", 2, 1024 * k, 64 * k, 64 * k, 256 * k, 248 * k},
      {"Ascend910A", 32, 1024 * k, 64 * k, 64 * k, 256 * k, 256 * k},
      {"Ascend910ProB", 30, 1024 * k, 64 * k, 64 * k, 256 * k, 256 * k},
      {"Ascend310P1", 10, 1024 * k, 64 * k, 64 * k, 256 * k, 256 * k},
      {"Ascend310P3", 8, 1024 * k, 64 * k, 64 * k, 256 * k, 256 * k},
      {"Ascend310P3-VectorCore", 7, 0, 0, 0, 0, 256 * k},
      {"Ascend910B1", 24, 512 * k, 64 * k, 64 * k, 128 * k, 192 * k},
      {"Ascend910B4-1", 20, 512 * k, 64 * k, 64 * k, 128 * k, 192 * k},
      {"Ascend910_9372", 20, 512 * k, 64 * k, 64 * k, 128 * k, 192 * k},
      {"Ascend310B4", 1, 1024 * k, 64 * k, 64 * k, 128 * k, 248 * k},
  };
  for (const Row& row : rows) {
    const Soc* soc = find_soc(row.name);
    ASSERT_NE(soc, nullptr) << row.name;
    EXPECT_EQ(soc->cores(), row.cores) << row.name;
    EXPECT_EQ(soc->size_of(Space::kL1), row.l1) << row.name;
    EXPECT_EQ(soc->size_of(Space::kL0A), row.l0a) << row.name;
    EXPECT_EQ(soc->size_of(Space::kL0B), row.l0b) << row.name;
    EXPECT_EQ(soc->size_of(Space::kL0C), row.l0c) << row.name;
    EXPECT_EQ(soc->size_of(Space::kUb), row.ub) << row.name;
  }
}

// Figures of the platform descriptions: AI Cores or AICs, Vector Cores or AIVs.
TEST(Soc, HasThePublishedCores) {
  struct Row {
    const char* name;
    int aic, aiv, aiv_per_aic, cores;
  };
  const Row rows[] = {
      {"Ascend310", 2, 0, 0, 2},
      {"Ascend910A", 32, 0, 0, 32},
      {"Ascend910B-C100", 30, 0, 0, 30},
      {"Ascend310P1", 10, 8, 0, 10},
      {"Ascend310P3", 8, 7, 0, 8},
      {"Ascend310P7", 8, 7, 0, 8},
      {"Ascend310P1-VectorCore", 10, 8, 0, 8},
      {"Ascend310P5-VectorCore", 8, 7, 0, 7},
      {"Ascend910B1", 24, 48, 2, 24},
      {"Ascend910B2C", 24, 48, 2, 24},
      {"Ascend910B3", 20, 40, 2, 20},
      {"Ascend910B4-1", 20, 40, 2, 20},
      {"Ascend910_9382", 24, 48, 2, 24},
      {"Ascend910_9362", 20, 40, 2, 20},
      {"Ascend310B4", 1, 1, 0, 1},
  };
  for (const Row& row : rows) {
    const Soc* soc = find_soc(row.name);
    ASSERT_NE(soc, nullptr) << row.name;
    EXPECT_EQ(soc->aic_cores, row.aic) << row.name;
    EXPECT_EQ(soc->aiv_cores, row.aiv) << row.name;
    EXPECT_EQ(soc->aiv_per_aic(), row.aiv_per_aic) << row.name;
    EXPECT_EQ(soc->cores(), row.cores) << row.name;
  }
}

TEST(Soc, FamilyNamesMeanAChipOfTheFamily) {
  EXPECT_EQ(find_soc("Ascend310P")->name, "Ascend310P3");
  EXPECT_EQ(find_soc("Ascend910")->name, "Ascend910A");
  EXPECT_EQ(find_soc("ascend910b")->name, "Ascend910B1");
  EXPECT_EQ(find_soc("Ascend310B")->name, "Ascend310B1");
  EXPECT_EQ(find_soc("Ascend910_93")->name, "Ascend910_9391");
  EXPECT_EQ(find_soc("Ascend910B-C100")->arch->npu_arch, 1001);
  EXPECT_EQ(find_soc("Ascend"), nullptr);
  EXPECT_EQ(find_soc(""), nullptr);
}

// The vendor's compiler compiles a kernel for each kind of core with these.
TEST(Soc, HasTheDocumentedMacrosOfEachPass) {
  using List = std::vector<std::string>;
  const auto of = [](const char* soc, CoreKind kind) { return find_soc(soc)->definitions(kind); };
  const List a2{"__NPU_ARCH__=2201", "__CCE_AICORE__=220"};
  const auto with = [](List list, const List& more) {
    list.insert(list.end(), more.begin(), more.end());
    return list;
  };
  EXPECT_EQ(of("Ascend910B1", CoreKind::kWhole), with(a2, {"__DAV_C220__=1"}));
  EXPECT_EQ(of("Ascend910B1", CoreKind::kAic), with(a2, {"__DAV_C220_CUBE__=1", "__DAV_CUBE__=1"}));
  EXPECT_EQ(of("Ascend910B1", CoreKind::kAiv), with(a2, {"__DAV_C220_VEC__=1", "__DAV_VEC__=1"}));
  EXPECT_EQ(of("Ascend310P3", CoreKind::kAiv),
            (List{"__NPU_ARCH__=2002", "__CCE_AICORE__=200", "__DAV_M200__=1"}));
}

TEST(Soc, EveryRowIsConsistent) {
  std::set<std::string_view> names;
  for (const Soc& soc : all_socs()) {
    EXPECT_TRUE(names.insert(soc.name).second) << soc.name;
    EXPECT_EQ(find_soc(soc.name), &soc);
    EXPECT_LE(soc.usable_ub_bytes, soc.size_of(Space::kUb)) << soc.name;
    EXPECT_LE(soc.usable_l1_bytes, soc.size_of(Space::kL1)) << soc.name;
    EXPECT_EQ(soc.usable_ub_bytes % 32, 0u) << soc.name;
    for (const Route& route : soc.arch->routes) {
      for (const Space space : {route.from, route.to}) {
        EXPECT_TRUE(space == Space::kGm || soc.size_of(space) != 0)
            << soc.name << " has a route to a memory it lacks: " << name_of(space);
      }
    }
  }
  for (const Family& family : soc_families()) {
    EXPECT_NE(find_soc(family.representative), nullptr) << family.name;
  }
}

TEST(Soc, FeaturesHaveNamesInTheirOrder) {
  std::set<std::string_view> names;
  for (int i = 0; i < kFeatures; ++i) {
    const std::string_view name = name_of(Feature(1u << i));
    EXPECT_FALSE(name.empty()) << i;
    EXPECT_TRUE(names.insert(name).second) << name;
  }
  EXPECT_EQ(name_of(Feature::kFloatSaturates), "float_saturates");
  EXPECT_EQ(name_of(Feature::kLoad3DListsBytesToB), "load_3d_lists_bytes_to_b");
  EXPECT_EQ(name_of(Feature::kCountFillsMask), "count_fills_mask");
  EXPECT_EQ(name_of(Feature::kSelectFromUb), "select_from_ub");
  EXPECT_EQ(name_of(Feature::kGatherMaskTotal), "gather_mask_total");
  EXPECT_EQ(name_of(Feature::kInitsMasks), "inits_masks");
  EXPECT_EQ(name_of(Feature::kReduceExtreme), "reduce_extreme");
  EXPECT_EQ(name_of(Feature::kStoreAtomicConfig), "store_atomic_config");
  EXPECT_EQ(name_of(Feature::kFixpipeExtras), "fixpipe_extras");
  EXPECT_EQ(name_of(Feature::kAippRounds), "aipp_rounds");
}

TEST(Soc, PositionsStandForTheDocumentedMemories) {
  const auto space = [](const char* soc, Position position) {
    return find_soc(soc)->space_of(position);
  };
  for (const Soc& soc : all_socs()) EXPECT_EQ(soc.space_of(Position::VECIN), Space::kUb);
  EXPECT_EQ(space("Ascend310P3", Position::CO2), Space::kUb);
  EXPECT_EQ(space("Ascend910B1", Position::CO2), Space::kGm);
  EXPECT_EQ(space("Ascend310P3", Position::C2), Space::kL0C);
  EXPECT_EQ(space("Ascend910B1", Position::C2), Space::kBt);
  EXPECT_EQ(space("Ascend910B1", Position::C2PIPE2GM), Space::kFb);
  EXPECT_EQ(space("Ascend910A", Position::C2PIPE2GM), Space::kNone);
  EXPECT_EQ(space("Ascend310P3-VectorCore", Position::A2), Space::kNone);
}

TEST(Soc, RoutesRunOnTheDocumentedPipes) {
  const auto pipe = [](const char* soc, Space from, Space to) {
    return find_soc(soc)->route(from, to);
  };
  EXPECT_EQ(pipe("Ascend310P3", Space::kGm, Space::kUb), Pipe::kMte2);
  EXPECT_EQ(pipe("Ascend310P3", Space::kUb, Space::kGm), Pipe::kMte3);
  EXPECT_EQ(pipe("Ascend310P3", Space::kL0C, Space::kUb), Pipe::kV);
  EXPECT_EQ(pipe("Ascend910B1", Space::kL0C, Space::kUb), Pipe::kNone);
  EXPECT_EQ(pipe("Ascend910B1", Space::kL0C, Space::kGm), Pipe::kFix);
  EXPECT_EQ(pipe("Ascend910B1", Space::kUb, Space::kL1), Pipe::kNone);
  EXPECT_EQ(pipe("Ascend310B1", Space::kL1, Space::kGm), Pipe::kMte3);
  EXPECT_EQ(pipe("Ascend910A", Space::kL1, Space::kGm), Pipe::kNone);
}

}  // namespace
}  // namespace vinci
