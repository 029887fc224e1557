// The subcommands of the program. Each returns the exit code; errors come as Error.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "soc/soc.h"

namespace vinci::cli {

struct Conv2dOptions;
struct MatmulOptions;

struct RunOptions {
  std::string file;
  std::string kernel;
  std::string soc{kDefaultSoc};
  int64_t blocks = 1;
  std::string cores = "auto";
  int threads = 0;  // 0: as many as the host runs at once
  std::string check = "full";
  bool drift = false;
  std::string schedule, auto_sync;  // empty: as the environment says
  int explore = 0;                  // schedules to try; 0: one
  std::string json, sarif;          // files for reports; empty: none
  std::string suppress;             // a file of suppressions; empty: none
  std::vector<std::string> arguments;
  std::vector<std::string> expectations;
  double timeout = 600;  // seconds for the compiler, and for the kernel; 0: none
  std::string sandbox = "off";  // or on, required
  bool no_cache = false;
  bool quiet = false;
  std::vector<std::string> compiler_options;
  bool strict_device = false;
};

int run(const RunOptions& options);
int cxx(const std::string& soc, const std::vector<std::string>& arguments);
// Takes the command line of the vendor's compiler driver.
int bisheng(const std::vector<std::string>& arguments);
// Takes that of the toolkit's generator of functions for operators.
int opbuild(const std::vector<std::string>& words);
// Takes that of the toolkit's compiler of kernels for packages, and compiles nothing.
int opc(const std::vector<std::string>& words);
// Takes that of the toolkit's converter of models, as far as single operators go.
int atc(const std::vector<std::string>& words);
// Takes that of the toolkit's generator of projects, as far as Ascend C goes.
int msopgen(const std::vector<std::string>& words);
int list(const std::string& soc);
// Public names of Ascend C that the headers lack, one a line.
int list_missing();
// Shell lines that make a project for the vendor's toolkit find vinci's drop-in tree.
int env();
// A line for each chip as projects spell it: the name, and the compiler's options for its kernels.
int env_chips();

// The whole program, from its command line to its exit code.
using Command = std::function<int(int argc, char** argv)>;

// Reads requests from stdin, one a line, and runs each as a process of its own that begins as a
// copy of this one: {"argv": ["vinci", "run", ...], "cwd": "...", "env": {"NAME": "value" or null},
// "stdout": "file", "stderr": "file"}. Answers each on stdout, with {"code": N}, or {"signal": N}
// if a signal ended it. Ends with its stdin.
int serve(const Command& command);
// Becomes Python with the package vinci.judging.
int judge(const std::vector<std::string>& arguments);
int explain(const std::string& topic, const std::string& soc);
// The tiling of GetConv2dTiling as a table and, if `output` is not empty, a picture.
int explain_tiling(const Conv2dOptions& options, const std::string& type,
                   const std::string& output);
// The same of a Matmul's GetTiling, on a chip; empty: a 910B.
int explain_tiling(const MatmulOptions& options, const std::string& type, const std::string& soc,
                   const std::string& output);

}  // namespace vinci::cli
