// The command line of `vinci draw`: parameters spelled as the documents spell them.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/draw/draw.h"
#include "cli/error.h"
#include "report/nearest.h"

namespace vinci::cli {
namespace {

constexpr const char* k2D = "LoadData 2D";
constexpr const char* kMap = "LoadData 3D";
constexpr const char* kV1 = "LoadData 3Dv1";
constexpr const char* kV2 = "LoadData 3Dv2";

// An option that a field of the call holds; what the field cannot hold is no call at all.
void number(CLI::App& app, const char* group, const char* name, int& value, int low, int high,
            const char* help) {
  CLI::Option* option = app.add_option(name, value, help)->check(CLI::Range(low, high));
  option->group(group);
  if (value != kNotGiven) option->capture_default_str();
}

void flag(CLI::App& app, const char* group, const char* name, bool& value, const char* help) {
  app.add_flag(name, value, help)->group(group);
}

void add_common(CLI::App& app, DrawOptions& options) {
  app.add_option("-o", options.output, "The SVG file, - for stdout")->required();
  app.add_option("--type", options.type, "Element type: half, int8, int4, float, ...")
      ->capture_default_str();
  app.add_option("--excerpt", options.excerpt,
                 "Rows and columns of a fractal shown with numbers; 0: all")
      ->check(CLI::Range(0, 64));
  app.add_option("--most", options.most, "Fractals drawn at most")->check(CLI::Range(1, 256));
}

void add_call(CLI::App& app, DrawOptions& options) {
  add_common(app, options);
  app.add_option("--soc", options.soc, "Chip or family (vinci list); default: one that has it");
  app.add_option("--to", options.to, "Position of the destination")->capture_default_str();
  app.add_option("--from", options.from, "Position of the source; default: A1 for A2, B1 for B2");
}

void add_load_2d(CLI::App& app, Load2DOptions& load) {
  number(app, k2D, "--startIndex", load.start_index, 0, 65535, "First source fractal");
  number(app, k2D, "--repeatTimes", load.repeats, 0, 255, "Number of fractals");
  number(app, k2D, "--srcStride", load.src_stride, 0, 65535,
         "From one source fractal to the next, in fractals");
  number(app, k2D, "--dstGap", load.dst_gap, 0, 65535, "Fractals between two of the destination");
  flag(app, k2D, "--ifTranspose", load.transpose, "Transpose each fractal (16-bit elements)");
  number(app, k2D, "--addrMode", load.addr_mode, 0, 255,
         "1: the source walks downwards (to A1, B1)");
  number(app, k2D, "--sid", load.sid, 0, 255, "No effect: reserved");
}

void add_transpose(CLI::App& app, TransposeOptions& load) {
  const char* group = "LoadDataWithTranspose";
  number(app, group, "--startIndex", load.start_index, 0, 65535, "First source square");
  number(app, group, "--repeatTimes", load.repeats, 0, 255, "Number of squares");
  number(app, group, "--srcStride", load.src_stride, 0, 65535,
         "From one source square to the next, in squares");
  number(app, group, "--dstGap", load.dst_gap, 0, 65535,
         "Fractals between the first ones of two repeats; default: squares do not overlap");
  number(app, group, "--dstFracGap", load.dst_frac_gap, 0, 65535,
         "Fractals between two of a repeat");
}

void add_map(CLI::App& app, Load3DOptions& load) {
  app.add_option("--padList", load.pad, "Pads: left,right,top,bottom")
      ->delimiter(',')
      ->expected(1, 4)
      ->check(CLI::Range(0, 255))
      ->capture_default_str()
      ->group(kMap);
  number(app, kMap, "--l1H", load.l1_h, 0, 65535, "Height of the feature map");
  number(app, kMap, "--l1W", load.l1_w, 0, 65535, "Width of the feature map");
  number(app, kMap, "--strideW", load.stride_w, 0, 255, "Step of the filter along a line");
  number(app, kMap, "--strideH", load.stride_h, 0, 255, "Step of the filter from line to line");
  number(app, kMap, "--filterW", load.filter_w, 0, 255, "Width of the filter");
  number(app, kMap, "--filterH", load.filter_h, 0, 255, "Height of the filter");
  number(app, kMap, "--dilationFilterW", load.dilation_w, 0, 255, "Distance of points in a line");
  number(app, kMap, "--dilationFilterH", load.dilation_h, 0, 255, "Distance of the filter's lines");
  app.add_option("--padValue", load.pad_value, "What padding is filled with")
      ->check(CLI::Number)
      ->capture_default_str()
      ->group(kMap);
}

void add_v1(CLI::App& app, Load3DOptions& load) {
  number(app, kV1, "--c1Index", load.c1_index, 0, 65535, "First block of channels");
  number(app, kV1, "--fetchFilterW", load.fetch_filter_w, 0, 255, "First filter point, column");
  number(app, kV1, "--fetchFilterH", load.fetch_filter_h, 0, 255, "First filter point, line");
  number(app, kV1, "--leftTopW", load.left_top_w, -32768, 32767,
         "Column of the first window; default: minus the left pad");
  number(app, kV1, "--leftTopH", load.left_top_h, -32768, 32767,
         "Line of the first window; default: minus the top pad");
  number(app, kV1, "--jumpStride", load.jump_stride, 0, 255,
         "Fractals from one repeat to the next, repeatMode 1");
  number(app, kV1, "--repeatMode", load.repeat_mode, 0, 255,
         "0: repeats walk through the filter; 1: through the map");
  number(app, kV1, "--repeatTime", load.repeats, 0, 255, "Number of fractals");
  number(app, kV1, "--cSize", load.c_size, 0, 255, "1: small channels");
}

void add_v2(CLI::App& app, Load3DOptions& load) {
  number(app, kV2, "--channelSize", load.channels, 0, 65535, "Channels of the feature map");
  number(app, kV2, "--kExtension", load.k_extension, 0, 65535,
         "Columns; default: to the end of the matrix");
  number(app, kV2, "--mExtension", load.m_extension, 0, 65535,
         "Rows; default: to the end of the matrix");
  number(app, kV2, "--kStartPt", load.k_start, 0, 65535, "First column of the matrix");
  number(app, kV2, "--mStartPt", load.m_start, 0, 65535, "First row of the matrix");
  flag(app, kV2, "--enTranspose", load.transpose, "Transpose the block (to A2)");
  flag(app, kV2, "--enSmallK", load.small_k, "No effect: no chip has it any more");
  flag(app, kV2, "--fMatrixCtrl", load.right_fmatrix, "The map is described by FMATRIX_B");
  flag(app, kV2, "--filterSizeW", load.filter_size_w, "Add 256 to filterW");
  flag(app, kV2, "--filterSizeH", load.filter_size_h, "Add 256 to filterH");
}

// Which form of LoadData the given options belong to. 3Dv2 is what shared options mean.
std::string form_of(const CLI::App& app, const std::string& form) {
  std::string found = form == "2d"     ? "load_data_2d"
                      : form == "3dv1" ? "load_data_3d_v1"
                      : form == "3dv2" ? "load_data_3d_v2"
                                       : "";
  const auto given = [&](const char* group) {
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_group() == group && option->count() > 0) return option->get_name();
    }
    return std::string();
  };
  if (found.empty()) {
    found = !given(kV1).empty()                           ? "load_data_3d_v1"
            : !given(kV2).empty() || !given(kMap).empty() ? "load_data_3d_v2"
                                                          : "load_data_2d";
  }
  for (const char* group : {k2D, kMap, kV1, kV2}) {
    const std::string option = given(group);
    const bool fits = group == k2D    ? found == "load_data_2d"
                      : group == kMap ? found != "load_data_2d"
                      : group == kV1  ? found == "load_data_3d_v1"
                                      : found == "load_data_3d_v2";
    if (!option.empty() && !fits) {
      throw usage(fmt::format("{} is no parameter of {}", option, found));
    }
  }
  return found;
}

// A subcommand whose name becomes options.what when it is called.
CLI::App* add(CLI::App& draw, DrawOptions& options, const char* name, const char* help) {
  CLI::App* command = draw.add_subcommand(name, help);
  command->final_callback([&options, name] { options.what = name; });
  return command;
}

void add_format(CLI::App& app, DrawOptions& options) {
  add_common(app, options);
  FormatOptions& format = options.format;
  app.add_option("--name", format.name, "zZ, zN, nZ, nN or ND")
      ->check(CLI::IsMember({"zZ", "zN", "nZ", "nN", "ND"}))
      ->capture_default_str();
  number(app, "Format", "--rows", format.rows, 1, 65535, "Rows of the matrix");
  number(app, "Format", "--columns", format.columns, 1, 65535, "Columns of the matrix");
  app.add_option("--element", format.element, "The element to mark: row,column")
      ->delimiter(',')
      ->expected(1, 2)
      ->capture_default_str();
}

void add_mmad(CLI::App& app, DrawOptions& options) {
  add_common(app, options);
  MmadOptions& mmad = options.mmad;
  app.add_option("--soc", options.soc, "Chip or family (vinci list)");
  number(app, "Mmad", "--m", mmad.m, 0, 65535, "Rows of A and C");
  number(app, "Mmad", "--n", mmad.n, 0, 65535, "Columns of B and C");
  number(app, "Mmad", "--k", mmad.k, 0, 65535, "Columns of A, rows of B");
  app.add_option("--result", mmad.result, "Element type of C")->capture_default_str();
  app.add_option("--element", mmad.element, "The element of C to mark: row,column")
      ->delimiter(',')
      ->expected(1, 2)
      ->capture_default_str();
}

// Two or four numbers; what is legal the tiling itself says.
void list_of(CLI::App& app, const char* name, std::vector<int>& list, const char* help) {
  app.add_option(name, list, help)
      ->delimiter(',')
      ->expected(int(list.size()))
      ->check(CLI::Range(0, 65535))
      ->capture_default_str()
      ->group("Conv2D");
}

// CLI11's own message does not say what there is.
void refuse_extras(const CLI::App& draw) {
  const std::vector<std::string> extras = draw.remaining(true);
  if (!draw.get_subcommands().empty() && extras.empty()) return;
  if (!draw.get_subcommands().empty()) throw usage(extras[0] + ": not expected here");
  std::string list;
  std::vector<std::string_view> names;
  for (const CLI::App* command : draw.get_subcommands(nullptr)) {
    list += " " + command->get_name();
    names.push_back(command->get_name());
  }
  throw usage(fmt::format("draw {}: it draws{}{}", extras.empty() ? "what?" : extras[0], list,
                          extras.empty() ? "" : did_you_mean(extras[0], names)));
}

}  // namespace

void add_conv2d(CLI::App& app, Conv2dOptions& options) {
  list_of(app, "--imgShape", options.img, "The feature map: H,W");
  list_of(app, "--kernelShape", options.kernel, "The kernel: Kh,Kw");
  list_of(app, "--stride", options.stride, "Steps of the kernel: along H, along W");
  list_of(app, "--padList", options.pad, "Pads: left,right,top,bottom");
  list_of(app, "--dilation", options.dilation, "Distance of the kernel's points: along H, along W");
  number(app, "Conv2D", "--cin", options.cin, 0, 65535, "Channels of the feature map");
  number(app, "Conv2D", "--cout", options.cout, 0, 65535, "Kernels");
}

void add_matmul(CLI::App& app, MatmulOptions& options) {
  const auto sizes = [&](const char* name, std::vector<int>& list, const char* help) {
    app.add_option(name, list, help)
        ->delimiter(',')
        ->expected(3)
        ->check(CLI::Range(1, 1 << 30))
        ->group("Matmul");
  };
  sizes("--shape", options.shape, "M,N,K");
  sizes("--fixSplit", options.base, "baseM,baseN,baseK, as SetFixSplit says them");
  app.add_option("--cores", options.cores, "Of SetDim; all of the chip if not given")
      ->check(CLI::Range(1, 65535))
      ->group("Matmul");
  flag(app, "Matmul", "--isBias", options.bias, "With a bias");
  flag(app, "Matmul", "--isTransA", options.trans_a, "A lies as K x M");
  flag(app, "Matmul", "--isTransB", options.trans_b, "B lies as N x K");
}

void add_draw(CLI::App& app, DrawOptions& options) {
  CLI::App* draw = app.add_subcommand("draw", "Run one instruction and draw what it moves, as SVG");
  draw->require_subcommand(0, 1)->allow_extras();
  draw->final_callback([draw] { refuse_extras(*draw); });
  CLI::App* load_2d = add(*draw, options, "load_data_2d", "LoadData, 2D form");
  add_call(*load_2d, options);
  add_load_2d(*load_2d, options.load_2d);
  CLI::App* v1 = add(*draw, options, "load_data_3d_v1", "LoadData, 3Dv1 form");
  add_call(*v1, options);
  add_map(*v1, options.load_3d);
  add_v1(*v1, options.load_3d);
  CLI::App* v2 = add(*draw, options, "load_data_3d_v2", "LoadData, 3Dv2 form");
  add_call(*v2, options);
  add_map(*v2, options.load_3d);
  add_v2(*v2, options.load_3d);
  CLI::App* transpose = add(*draw, options, "load_data_with_transpose", "LoadDataWithTranspose");
  add_call(*transpose, options);
  add_transpose(*transpose, options.transpose);
  CLI::App* load =
      draw->add_subcommand("load_data", "LoadData, in the form that its parameters belong to");
  add_call(*load, options);
  load->add_option("--form", options.form, "2d, 3dv1, 3dv2")
      ->check(CLI::IsMember({"2d", "3dv1", "3dv2"}));
  add_load_2d(*load, options.load_2d);
  add_map(*load, options.load_3d);
  add_v1(*load, options.load_3d);
  add_v2(*load, options.load_3d);
  load->final_callback([&options, load] { options.what = form_of(*load, options.form); });
  add_format(*add(*draw, options, "format", "The order of elements in a fractal format"), options);
  add_mmad(*add(*draw, options, "mmad", "The operands of Mmad"), options);
  CLI::App* tiling = add(*draw, options, "conv2d_tiling", "How GetConv2dTiling cuts a Conv2D");
  add_common(*tiling, options);
  add_conv2d(*tiling, options.conv2d);
}

}  // namespace vinci::cli
