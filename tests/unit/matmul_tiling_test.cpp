// The tiling of Matmul: each element of C once, each buffer held, no more cores than asked for.
#include "vinci/matmul_tiling.h"

#include <gtest/gtest.h>

#include <random>

#include "vinci/record/matmul.h"

namespace {

using vinci::MatmulTilingData;
using vinci::MatmulTilingRequest;

MatmulTilingRequest request(int m, int n, int k, int cores) {
  MatmulTilingRequest r;
  r.m = r.org_m = m;
  r.n = r.org_n = n;
  r.k = r.org_ka = r.org_kb = k;
  r.cores = cores;
  r.multi_core = true;
  r.c.bits = r.bias.bits = 32;
  r.l1 = 512 << 10;
  r.l0a = r.l0b = 64 << 10;
  r.l0c = 128 << 10;
  r.ub = 192 << 10;
  r.bias_table = 1024;
  return r;
}

int64_t parts(int64_t whole, int64_t part) { return (whole + part - 1) / part; }

void expect_valid(const MatmulTilingRequest& r, const MatmulTilingData& t) {
  EXPECT_EQ(t.usedCoreNum, parts(t.M, t.singleCoreM) * parts(t.N, t.singleCoreN) *
                               parts(t.Ka, t.singleCoreK));
  EXPECT_LE(t.usedCoreNum, r.cores);
  EXPECT_EQ(t.baseM % 16, 0);
  EXPECT_EQ(t.baseN % 16, 0);
  EXPECT_EQ(t.baseK * r.a.bits % 256, 0);
  EXPECT_EQ(t.baseK % 16, 0);
  const int64_t a = int64_t(t.baseM) * t.baseK * r.a.bits / 8;
  const int64_t b = int64_t(t.baseN) * t.baseK * r.b.bits / 8;
  EXPECT_LE(a * t.dbL0A, r.l0a);
  EXPECT_LE(b * t.dbL0B, r.l0b);
  EXPECT_LE(int64_t(t.baseM) * t.baseN * 4 * t.dbL0C, r.l0c);
  if (r.has_bias) {
    EXPECT_LE(t.baseN * 4, r.bias_table);
  }
  EXPECT_LE(t.depthA1 * a + t.depthB1 * b, r.l1);
  EXPECT_GE(t.depthA1, t.stepM * t.stepKa);
  EXPECT_GE(t.depthB1, t.stepN * t.stepKb);
  EXPECT_LE(t.shareL1Size, r.l1);
  EXPECT_LE(t.shareL0CSize, r.l0c);
  const int64_t rounds_a = parts(t.singleCoreK, int64_t(t.stepKa) * t.baseK);
  const int64_t rounds_b = parts(t.singleCoreK, int64_t(t.stepKb) * t.baseK);
  EXPECT_TRUE(rounds_a % rounds_b == 0 || rounds_b % rounds_a == 0);
}

TEST(MatmulTiling, FitsWhateverIsAskedFor) {
  std::mt19937 random(3);
  const auto below = [&](int most) { return int(random() % unsigned(most)) + 1; };
  constexpr int kBits[] = {4, 8, 16, 32};
  for (int i = 0; i < 3000; ++i) {
    const int most = i % 3 == 0 ? 40 : i % 3 == 1 ? 600 : 9000;
    MatmulTilingRequest r = request(below(most), below(most), below(most), below(48));
    r.a.bits = r.b.bits = kBits[random() % 4];
    r.a.transposed = random() % 2;
    r.b.transposed = random() % 2;
    r.has_bias = random() % 2;
    r.splits_k = random() % 4 == 0;
    MatmulTilingData t{};
    ASSERT_EQ(vinci::matmul_tiling(r, t), nullptr);
    SCOPED_TRACE(testing::Message() << r.m << " x " << r.n << " x " << r.k << ", " << r.cores
                                    << " cores, " << r.a.bits << " bits");
    expect_valid(r, t);
    if (HasFailure()) return;
  }
}

TEST(MatmulTiling, PartsAreAsAskedFor) {
  std::mt19937 random(5);
  const auto below = [&](int most) { return int(random() % unsigned(most)) + 1; };
  int made = 0;
  for (int i = 0; i < 2000; ++i) {
    MatmulTilingRequest r = request(below(2000), below(2000), below(500), below(48));
    if (random() % 2) r.part_m.align = 16 * below(8);
    if (random() % 2) r.part_n.align = below(100);
    if (random() % 2) r.part_m.most = below(1000);
    if (random() % 2) r.part_n.least = below(500);
    MatmulTilingData t{};
    if (vinci::matmul_tiling(r, t) != nullptr) continue;
    ++made;
    expect_valid(r, t);
    EXPECT_EQ(t.singleCoreM % std::max(r.part_m.align, 1), 0);
    EXPECT_EQ(t.singleCoreN % std::max(r.part_n.align, 1), 0);
    if (r.part_m.most > 0) {
      EXPECT_LE(t.singleCoreM, r.part_m.most);
    }
    EXPECT_GE(t.singleCoreN, r.part_n.least);
  }
  EXPECT_GT(made, 1000);
}

TEST(MatmulTiling, PartsThatCannotBeAreNone) {
  MatmulTilingData t{};
  MatmulTilingRequest r = request(1000, 64, 64, 3);
  r.part_m.most = 334;
  ASSERT_EQ(vinci::matmul_tiling(r, t), nullptr);
  EXPECT_EQ(t.singleCoreM, 334);
  r.part_m.most = 333;
  EXPECT_NE(vinci::matmul_tiling(r, t), nullptr);
}

TEST(MatmulTiling, MeetsWhatSamplesRelyOn) {
  MatmulTilingData t{};
  ASSERT_EQ(vinci::matmul_tiling(request(512, 512, 128, 2), t), nullptr);
  EXPECT_EQ(t.singleCoreM, 256);
  EXPECT_EQ(t.singleCoreN, 512);
  MatmulTilingRequest fixed = request(512, 128, 128, 2);
  fixed.base_m = 128;
  fixed.base_n = 64;
  fixed.base_k = 128;
  ASSERT_EQ(vinci::matmul_tiling(fixed, t), nullptr);
  EXPECT_EQ(t.singleCoreM, 512);
  EXPECT_EQ(t.singleCoreN, 64);
  EXPECT_EQ(t.iterateOrder, 0);
}

// Blocks of 16 x 16 up to the number of cores, as far as L0 holds the factors.
TEST(MatmulTiling, KeepsSmallProductsTogether) {
  MatmulTilingData t{};
  ASSERT_EQ(vinci::matmul_tiling(request(64, 64, 64, 16), t), nullptr);
  EXPECT_EQ(t.usedCoreNum, 1);
  ASSERT_EQ(vinci::matmul_tiling(request(64, 64, 64, 15), t), nullptr);
  EXPECT_GT(t.usedCoreNum, 1);
  ASSERT_EQ(vinci::matmul_tiling(request(64, 64, 512, 16), t), nullptr);
  EXPECT_EQ(t.usedCoreNum, 1);
  ASSERT_EQ(vinci::matmul_tiling(request(64, 64, 528, 16), t), nullptr);
  EXPECT_GT(t.usedCoreNum, 1);
}

TEST(MatmulTiling, SaysWhyThereIsNone) {
  MatmulTilingData t{};
  t.baseM = 7;
  MatmulTilingRequest r = request(64, 64, 64, 1);
  r.base_m = r.base_n = 256;
  EXPECT_NE(vinci::matmul_tiling(r, t), nullptr);
  EXPECT_EQ(t.baseM, 7);
}

// Every tile once, for all orders and groups.
TEST(MatmulTiles, GoThroughAllTiles) {
  for (int rows = 1; rows <= 5; ++rows) {
    for (int columns = 1; columns <= 5; ++columns) {
      for (int steps = 0; steps < 18; ++steps) {
        vinci::MatmulRecord r;
        r.m = rows;
        r.n = columns;
        r.base_m = r.base_n = 1;
        r.step_m = steps / 2 % 3 + 1;
        r.step_n = steps / 6 + 1;
        r.n_first = steps % 2 == 1;
        const vinci::MatmulTiles tiles(r);
        std::vector<int> seen(size_t(rows * columns));
        for (int64_t i = 0; i < tiles.total(); ++i) {
          const auto [row, column] = tiles.at(i);
          ASSERT_TRUE(row >= 0 && row < rows && column >= 0 && column < columns);
          ++seen[size_t(row * columns + column)];
        }
        for (const int times : seen) EXPECT_EQ(times, 1);
      }
    }
  }
}

TEST(MatmulTiling, FollowsTheSchedule) {
  using Schedule = MatmulTilingRequest::Schedule;
  auto r = request(128, 7680, 16, 1);
  r.schedule = Schedule::kOuter;
  for (const int traverse : {1, 2}) {
    r.traverse = traverse;
    MatmulTilingData t{};
    ASSERT_EQ(matmul_tiling(r, t), nullptr);
    expect_valid(r, t);
    EXPECT_EQ(t.stepN, traverse == 1 ? 2 : 1);
    EXPECT_EQ(t.stepM, traverse == 2 ? 2 : 1);
  }
  r = request(300, 512, 192, 1);
  r.schedule = Schedule::kNBuffer33;
  r.base_m = 128;
  r.base_n = 256;
  r.base_k = 64;
  MatmulTilingData t{};
  ASSERT_EQ(matmul_tiling(r, t), nullptr);
  expect_valid(r, t);
  EXPECT_EQ(t.stepM, 3);
  EXPECT_EQ(t.stepKa, 3);
  EXPECT_EQ(t.stepKb, 3);
  r.k = r.org_ka = r.org_kb = 193;
  EXPECT_STREQ(matmul_tiling(r, t), "N_BUFFER_33: more than 3 blocks of K");
}

}  // namespace
