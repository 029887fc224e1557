#include "report/common_frames.h"

namespace vinci {

const CommonFrames::Frames& CommonFrames::of(
    const Frames& frames, const std::function<std::vector<SourceLine>()>& lines) {
  const auto [at, is_new] = known_.try_emplace(frames, frames);
  if (is_new && !frames.empty()) {
    const std::vector<SourceLine> place = lines();
    if (!place.empty()) at->second = by_lines_.try_emplace(place, frames).first->second;
  }
  return at->second;
}

std::vector<Fault> merged_by_line(const std::vector<Fault>& faults, const SourceLines& lines) {
  CommonFrames common;
  FaultList list;
  for (Fault fault : faults) {
    for (auto* frames : {&fault.frames, &fault.other.frames}) {
      *frames = common.of(*frames, [&] { return lines.kernel_lines(*frames); });
    }
    list.add(fault);
  }
  return list.faults();
}

}  // namespace vinci
