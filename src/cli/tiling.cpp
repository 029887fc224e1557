// vinci explain GetConv2dTiling with parameters: the tiling as a table, and as a picture.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.h"
#include "cli/draw/draw.h"
#include "cli/error.h"
#include "isa/operator/conv2d_tiling.h"
#include "numeric/dtype.h"

namespace vinci::cli {
namespace {

struct Row {
  const char* name;
  uint32_t value;
  const char* meaning;
};

void print_rows(std::initializer_list<Row> rows) {
  for (const Row& row : rows) {
    fmt::print("  {:<12} {:>6}   {}\n", row.name, row.value, row.meaning);
  }
}

void print_table(const Conv2dTilling& t) {
  print_rows({{"blockSize", t.blockSize, "rows of a block of M, columns of a block of N"},
              {"loopMode", uint32_t(t.loopMode), "MODE_NM: the loops go through K, then N, then M"},
              {"c0Size", t.c0Size, "elements in 32 bytes: a block of K"},
              {"dTypeSize", t.dTypeSize, "bytes of an element"},
              {"strideH", t.strideH, "stride[0]"},
              {"strideW", t.strideW, "stride[1]"},
              {"dilationH", t.dilationH, "dilation[0]"},
              {"dilationW", t.dilationW, "dilation[1]"},
              {"hi", t.hi, "lines of the feature map"},
              {"wi", t.wi, "columns of the feature map"},
              {"ho", t.ho, "lines of the result"},
              {"wo", t.wo, "columns of the result"},
              {"height", t.height, "lines of the kernel"},
              {"width", t.width, "columns of the kernel"},
              {"howo", t.howo, "ho * wo"}});
  print_rows({{"mNum", t.mNum, "M: howo"},
              {"nNum", t.nNum, "N: cout"},
              {"kNum", t.kNum, "K: cin * height * width"},
              {"mBlockNum", t.mBlockNum, "blocks of M"},
              {"kBlockNum", t.kBlockNum, "blocks of K"},
              {"nBlockNum", t.nBlockNum, "blocks of N"},
              {"roundM", t.roundM, "M in whole blocks"},
              {"roundN", t.roundN, "N in whole blocks"},
              {"roundK", t.roundK, "K in whole blocks"},
              {"mTileBlock", t.mTileBlock, "blocks of M in a tile: all"},
              {"nTileBlock", t.nTileBlock, "blocks of N in a tile: all"},
              {"kTileBlock", t.kTileBlock, "blocks of K in a tile: what half of L0A or L0B holds"},
              {"mIterNum", t.mIterNum, "tiles of M"},
              {"nIterNum", t.nIterNum, "tiles of N"},
              {"kIterNum", t.kIterNum, "tiles of K"}});
  print_rows({{"mTileNums", t.mTileNums, "rows in a tile of M"},
              {"mHasTail", t.mHasTail, "M ends inside a block"},
              {"nHasTail", t.nHasTail, "N is not a number of whole tiles"},
              {"kHasTail", t.kHasTail, "the last tile of K is smaller"},
              {"kTailBlock", t.kTailBlock, "blocks of K in the last tile"},
              {"mTailBlock", t.mTailBlock, "blocks of M in the last tile"},
              {"nTailBlock", t.nTailBlock, "blocks of N in the last tile"},
              {"mTailNums", t.mTailNums, "howo"}});
}

}  // namespace

int explain_tiling(const Conv2dOptions& options, const std::string& type_name,
                   const std::string& output) {
  const auto type = dtype_named(type_name);
  if (!type) throw usage(fmt::format("--type {}: no element type", type_name));
  const Conv2dTilling tiling = tiling_of(options, *type);
  const product::Tiling tiles = product::tiling_from(tiling);
  const std::string picture = output.empty() ? "" : picture_of_tiling(options, *type);
  if (output != "-") {
    fmt::print("GetConv2dTiling: {}\n\n", fmt::join(parameters_of(options, *type), ", "));
    print_table(tiling);
    fmt::print("\nA tile takes {} of {} bytes of L0A and {} of L0B: {}.\n", tiles.a_tile_bytes(),
               product::kL0Bytes, tiles.b_tile_bytes(),
               tiles.has_two_buffers() ? "two at once, which take turns" : "one at a time");
  }
  if (!output.empty()) write_picture(output, picture);
  return kExitClean;
}

}  // namespace vinci::cli
