#include "report/places.h"

namespace vinci {

std::vector<SourceLine> places_of(const Fault& fault, const SourceLines& lines) {
  std::vector<SourceLine> places = lines.kernel_lines(fault.frames);
  if (fault.line != 0) places.insert(places.begin(), {fault.file, fault.line, ""});
  return places;
}

}  // namespace vinci
