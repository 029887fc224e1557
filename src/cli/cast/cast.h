// What `vinci cast` was asked for. Names and defaults are those of its command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace vinci::cli {

struct CastOptions {
  std::string from, to;
  std::optional<std::string> mode;  // none: all modes
  std::string overflow;             // empty: the chip's default
  std::string soc;                  // empty: one that has the types
  bool json = false;
  std::vector<std::string> numbers;
};

CLI::App* add_cast(CLI::App& app, CastOptions& options);
// Prints what becomes of each number, and why. Nothing is printed if one of them is no number.
int cast(const CastOptions& options);

}  // namespace vinci::cli
