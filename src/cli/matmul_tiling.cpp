// vinci explain GetTiling with a shape: the tiling of a Matmul as a table, and as a picture.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.h"
#include "cli/draw/draw.h"
#include "cli/error.h"
#include "launch/chip.h"
#include "numeric/dtype.h"
#include "vinci/matmul_tiling.h"

namespace vinci::cli {
namespace {

struct Row {
  const char* name;
  int32_t value;
  const char* meaning;
};

void print_table(const MatmulTilingData& t) {
  const Row rows[] = {{"usedCoreNum", t.usedCoreNum, "cores"},
                      {"M", t.M, "rows of A and C"},
                      {"N", t.N, "columns of B and C"},
                      {"Ka", t.Ka, "columns of A"},
                      {"Kb", t.Kb, "rows of B"},
                      {"singleCoreM", t.singleCoreM, "rows of C of one core"},
                      {"singleCoreN", t.singleCoreN, "columns of C of one core"},
                      {"singleCoreK", t.singleCoreK, "elements of K of one core"},
                      {"baseM", t.baseM, "rows of a tile"},
                      {"baseN", t.baseN, "columns of a tile"},
                      {"baseK", t.baseK, "elements of K of one Mmad"},
                      {"stepM", t.stepM, "tiles in L1 along M"},
                      {"stepN", t.stepN, "tiles in L1 along N"},
                      {"stepKa", t.stepKa, "blocks of A in L1 along K"},
                      {"stepKb", t.stepKb, "blocks of B in L1 along K"},
                      {"depthA1", t.depthA1, "blocks of A that L1 holds"},
                      {"depthB1", t.depthB1, "blocks of B that L1 holds"},
                      {"dbL0A", t.dbL0A, "blocks of A that L0A holds"},
                      {"dbL0B", t.dbL0B, "blocks of B that L0B holds"},
                      {"dbL0C", t.dbL0C, "tiles that L0C holds"},
                      {"iterateOrder", t.iterateOrder, "tiles go along M first (0), or N (1)"},
                      {"isBias", t.isBias, "with a bias"},
                      {"shareL1Size", t.shareL1Size, "bytes of L1"},
                      {"shareL0CSize", t.shareL0CSize, "bytes of L0C"},
                      {"shareUbSize", t.shareUbSize, "bytes of UB"},
                      {"transLength", t.transLength, "bytes of the largest block that UB gets"}};
  for (const Row& row : rows) fmt::print("  {:<12} {:>8}   {}\n", row.name, row.value, row.meaning);
  fmt::print("\nThe other numbers are 0.\n");
}

}  // namespace

int explain_tiling(const MatmulOptions& options, const std::string& type_name,
                   const std::string& soc_name, const std::string& output) {
  const auto type = dtype_named(type_name);
  if (!type) throw usage(fmt::format("--type {}: no element type", type_name));
  if (options.shape.empty()) throw usage("explain GetTiling: --shape M,N,K is missing");
  const Soc& soc = launch::chip(soc_name.empty() ? "Ascend910B1" : soc_name);
  const MatmulTilingData tiling = tiling_of(options, *type, soc);
  if (output != "-") {
    fmt::print("GetTiling: {}\n\n", fmt::join(parameters_of(options, *type, soc), ", "));
    print_table(tiling);
  }
  if (!output.empty()) write_picture(output, picture_of_tiling(options, *type, soc));
  return kExitClean;
}

}  // namespace vinci::cli
