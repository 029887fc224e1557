#include "cli/draw.h"
namespace vinci::cli {
std::string picture_of_format(const DrawOptions&, DType) { return ""; }
std::string picture_of_mmad(const DrawOptions&, const Soc&, DType, int&) { return ""; }
}  // namespace vinci::cli
