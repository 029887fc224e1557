#include "cli/draw.h"
namespace vinci::cli {
std::string picture_of_load_3d(const DrawOptions&, const Movement&) { return ""; }
std::string picture_of_format(const DrawOptions&, DType) {return "";}
std::string picture_of_mmad(const DrawOptions& , const Soc& , DType , int& ){return "";}
}
