#include "report/places.h"

namespace vinci {
namespace {

template <class T>
std::vector<SourceLine> places(const T& of, const SourceLines& lines) {
  std::vector<SourceLine> places = lines.kernel_lines(of.frames);
  if (of.line != 0) places.insert(places.begin(), {of.file, of.line, ""});
  return places;
}

}  // namespace

std::vector<SourceLine> places_of(const Fault& fault, const SourceLines& lines) {
  return places(fault, lines);
}
std::vector<SourceLine> places_of(const Fault::Place& place, const SourceLines& lines) {
  return places(place, lines);
}

}  // namespace vinci
