// What `vinci draw` was asked for. Names and defaults are those of its command line.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cli/draw/parts.h"
#include "soc/soc.h"
#include "vinci/matmul_tiling.h"
#include "vinci/record.h"
#include "vinci/record/conv2d.h"

namespace CLI {
class App;
}

namespace vinci {
class Device;
}

namespace vinci::cli {

// For an option whose default follows from the others.
inline constexpr int kNotGiven = INT32_MIN;

struct Load2DOptions {
  int start_index = 1, repeats = 3, src_stride = 2, dst_gap = 1, addr_mode = 0, sid = 0;
  bool transpose = false;
};

struct TransposeOptions {
  int start_index = 0, repeats = 2, src_stride = 1, dst_frac_gap = 0;
  int dst_gap = kNotGiven;  // so that squares follow each other
};

// Of both 3D loads.
struct Load3DOptions {
  std::vector<int> pad{1, 1, 1, 1};  // left, right, top, bottom
  int l1_h = 4, l1_w = 4;
  int stride_w = 1, stride_h = 1, filter_w = 3, filter_h = 3, dilation_w = 1, dilation_h = 1;
  std::string pad_value = "0";
  // v1
  int c1_index = 0, fetch_filter_w = 0, fetch_filter_h = 0;
  int left_top_w = kNotGiven, left_top_h = kNotGiven;  // -left pad, -top pad
  int jump_stride = 1, repeat_mode = 0, repeats = 3, c_size = 0;
  // v2
  int channels = 4;
  int k_extension = kNotGiven, m_extension = kNotGiven;  // up to the end of the matrix
  int k_start = 0, m_start = 0;
  bool transpose = false, small_k = false;
  bool filter_size_w = false, filter_size_h = false, right_fmatrix = false;
};

struct FormatOptions {
  std::string name = "zZ";
  int rows = 32, columns = 48;
  std::vector<int> element{3, 20};
};

struct MmadOptions {
  int m = 20, n = 40, k = 36;
  std::string result;  // empty: float, or int32 for integers
  std::vector<int> element{3, 20};
};

// Of Conv2D; the lists in the documents' order.
struct Conv2dOptions {
  std::vector<int> img{16, 16}, kernel{3, 3}, stride{1, 1}, pad{1, 1, 1, 1}, dilation{1, 1};
  int cin = 64, cout = 64;
};

// Of a Matmul, as host code says it to MultiCoreMatmulTiling.
struct MatmulOptions {
  std::vector<int> shape;  // M, N, K
  std::vector<int> base;   // of SetFixSplit; empty: GetTiling's choice
  int cores = 0;           // 0: all of the chip
  bool bias = false, trans_a = false, trans_b = false;
};

struct DrawOptions {
  std::string what;  // load_data_2d, ..., format, mmad
  std::string form;  // of load_data: 2d, 3dv1, 3dv2, or empty
  std::string output;
  std::string soc;  // empty: one that has the instruction
  std::string type = "half";
  std::string from;  // empty: what fits `to`
  std::string to = "A2";
  int excerpt = kNotGiven;
  int most = kNotGiven;  // fractals drawn
  Load2DOptions load_2d;
  TransposeOptions transpose;
  Load3DOptions load_3d;
  FormatOptions format;
  MmadOptions mmad;
  Conv2dOptions conv2d;

  int most_or(int usual) const { return most == kNotGiven ? usual : most; }
  int excerpt_or(int usual) const { return excerpt == kNotGiven ? usual : excerpt; }
};

void add_draw(CLI::App& app, DrawOptions& options);
void add_conv2d(CLI::App& app, Conv2dOptions& options);
void add_matmul(CLI::App& app, MatmulOptions& options);
// Writes the picture. Returns the exit code; a call with faults prints them and writes nothing.
int draw(const DrawOptions& options);

// The file at `path`, - for stdout.
void write_picture(const std::string& path, const std::string& picture);

// Of a call that stands on no line of a kernel.
void print_faults(const Device& device);

// A call that moves elements: the operands, and what each destination element holds after it.
struct Movement {
  const Soc& soc;
  Operand dst, src;
  std::vector<std::string> parameters;  // as a reader of the picture wants them
  std::function<void(uint32_t pad_bits)> run;
  std::vector<int64_t> from;  // as of trace()

  unsigned row_elements() const { return 256 / bits_of(dst.dtype); }
  unsigned fractal_elements() const { return 16 * row_elements(); }
};

// The operands of a call, of the largest tensors that the memories hold. Throws Error (usage) for
// positions that the call does not know.
Movement movement_of(DrawOptions& options, const Soc& soc, DType type);
// Parameters and run(), once the operands have their addresses. Completes the options.
void set_call(DrawOptions& options, Movement& movement);

// The tiling of GetConv2dTiling. Throws Error (usage) with the broken rule.
Conv2dTilling tiling_of(const Conv2dOptions& options, DType type);
// "imgShape 16,16", ...
std::vector<std::string> parameters_of(const Conv2dOptions& options, DType type);

// The same of a Matmul's GetTiling, on a chip.
MatmulTilingData tiling_of(const MatmulOptions& options, DType type, const Soc& soc);
std::vector<std::string> parameters_of(const MatmulOptions& options, DType type, const Soc& soc);

// The pictures.
std::string picture_of_tiling(const MatmulOptions& options, DType type, const Soc& soc);
std::string picture_of_tiling(const Conv2dOptions& options, DType type);
std::string picture_of_load_2d(const DrawOptions& options, const Movement& movement);
std::string picture_of_transpose(const DrawOptions& options, const Movement& movement);
std::string picture_of_load_3d(const DrawOptions& options, const Movement& movement);
std::string picture_of_format(const DrawOptions& options, DType type);
// Runs the multiplication; with faults it prints them and sets the exit code.
std::string picture_of_mmad(const DrawOptions& options, const Soc& soc, DType type, int& code);

}  // namespace vinci::cli
