// Faults that their user knows and does not want to hear of, from a file.
#pragma once

#include <string>
#include <vector>

#include "report/source_line.h"
#include "vinci/fault.h"

namespace vinci {

class Suppressions {
 public:
  // One a line: CODE PATH[:LINE] REASON, where PATH is a pattern of the shell; empty lines, and
  // those that begin with #, say nothing. Throws std::runtime_error that names the line that is
  // wrong, and what is legal.
  static Suppressions read(const std::string& file);

  // Gives the fault the reason of the first line that is for it. Its path is that of its innermost
  // line, as reports have it, or as it is; one without a line has an empty path.
  void apply(Fault& fault, const SourceLines& lines);

  // The lines that were for no fault, as "FILE:3: V4009 k.cpp:12".
  std::vector<std::string> unused() const;

 private:
  struct Line {
    std::string place;  // "FILE:3"
    Code code;
    std::string path;
    int line = 0;  // 0: any
    std::string reason;
    bool is_used = false;
  };
  static Line parse(const std::string& place, const std::string& text);

  std::vector<Line> lines_;
};

}  // namespace vinci
