// vinci draw: runs one instruction and draws what it moved.
#include <fstream>
#include <set>

#include <fmt/format.h>

#include "launch/chip.h"
#include "cli/draw/draw.h"
#include "cli/draw/trace.h"
#include "cli/error.h"
#include "numeric/dtype.h"
#include "report/text.h"
#include "vinci/device.h"

namespace vinci::cli {
namespace {

// A chip that has the instruction and the type.
std::string default_chip(const DrawOptions& options) {
  const std::set<std::string> everywhere{"half", "int8", "uint8", "int16", "uint16"};
  const bool old = options.what != "load_data_with_transpose" && everywhere.contains(options.type);
  return std::string(old ? kDefaultSoc : kDefaultSplitSoc);
}

using MakePicture = std::string (*)(const DrawOptions&, const Movement&);

MakePicture picture_maker(const std::string& what) {
  if (what == "load_data_2d") return picture_of_load_2d;
  if (what == "load_data_with_transpose") return picture_of_transpose;
  return picture_of_load_3d;
}

// The picture of a load; empty if the call is faulty, which has been printed then.
std::string picture_of_load(DrawOptions& options, const Soc& soc, DType type, int& code) {
  // The tools follow buffers that InitBuffer hands out, and here are none.
  Device device(soc.name, Checks::kStrict);
  Movement movement = movement_of(options, soc, type);
  if (movement.src.position == Position::GM) {
    movement.src.address = uint64_t(device.allocate(movement.src.bytes, "source"));
  }
  set_call(options, movement);
  const auto run = [&](uint32_t pad) {
    movement.run(pad);
    finish_pipes();
  };
  device.run_inside([&] {
    run(0);
    code = exit_code(device.faults());
    if (code == kExitClean) movement.from = trace(movement.dst, movement.src, run);
  });
  code = exit_code(device.faults());
  print_faults(device);
  return code == kExitClean ? picture_maker(options.what)(options, movement) : std::string();
}

// The picture; empty if the call is faulty, which has been printed then.
std::string picture_of(DrawOptions& options, const Soc& soc, DType type, int& code) {
  if (options.what == "format") return picture_of_format(options, type);
  if (options.what == "conv2d_tiling") return picture_of_tiling(options.conv2d, type);
  if (options.what == "mmad") return picture_of_mmad(options, soc, type, code);
  return picture_of_load(options, soc, type, code);
}

}  // namespace

void write_picture(const std::string& path, const std::string& picture) {
  if (path == "-") {
    fmt::print("{}", picture);
    return;
  }
  std::ofstream file(path, std::ios::binary);
  file << picture;
  file.close();
  if (!file) throw usage(fmt::format("-o {}: cannot be written", path));
}

void print_faults(const Device& device) {
  const SourceLines lines = SourceLines::of_this_process();
  std::set<std::string> told;  // a picture takes several runs of the same call
  for (Fault fault : device.faults()) {
    fault.frames.clear();
    fault.block = -1;
    fault.serial = 0;
    fault.count = 1;
    const std::string text = text_of(fault, lines);
    if (told.insert(text).second) fmt::print(stderr, "{}\n", text);
  }
}

int draw(const DrawOptions& given) {
  DrawOptions options = given;
  const Soc& soc = launch::chip(options.soc.empty() ? default_chip(options) : options.soc);
  const auto type = dtype_named(options.type);
  if (!type || bits_of(*type) > 32) {
    throw usage(fmt::format("--type {}: no element type of a fractal; there are: {}", options.type,
                            "half, bfloat16, float, int4, int8, uint8, int16, uint16, int32, "
                            "uint32"));
  }
  int code = kExitClean;
  const std::string picture = picture_of(options, soc, *type, code);
  if (code == kExitClean) write_picture(options.output, picture);
  return code;
}

}  // namespace vinci::cli
