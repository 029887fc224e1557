// What operators check of operands and tiles before they issue anything.
#include "isa/operator/tile.h"

#include <fmt/format.h>

#include "core/check.h"
#include "core/no_address.h"

namespace vinci::isa {

void check_extent(std::string_view name, const Operand& operand, uint64_t bytes,
                  std::string_view formula, Check& check) {
  const Space space = check.soc().space_of(operand.position);
  if (operand.bytes < bytes) {
    check.fail(Code::kOutOfTensor,
               fmt::format("{} takes {} bytes of a tensor of {} bytes in {}", name, bytes,
                           operand.bytes, name_of(operand.position)),
               fmt::format("{} elements: {}", bytes * 8 / bits_of(operand.dtype), formula));
  } else if (operand.address + bytes > check.soc().size_of(space)) {
    check.fail(Code::kOutOfBuffer,
               fmt::format("{} takes bytes {}..{} of {}, which has {} on {}", name, operand.address,
                           operand.address + bytes - 1, name_of(space), check.soc().size_of(space),
                           check.soc().name),
               fmt::format("bytes 0..{}", check.soc().size_of(space) - 1));
  }
}

void check_address(std::string_view name, const Operand& operand, Check& check) {
  if (check.soc().space_of(operand.position) != Space::kGm || !has_no_address(operand.address))
    return;
  check.fail(Code::kOutOfGm, fmt::format("{} is a GlobalTensor without an address", name),
             kGiveAddress);
}

void check_fits(std::string_view what, uint64_t bytes, Space space, const char* legal,
                Check& check) {
  if (bytes <= check.soc().size_of(space)) return;
  check.fail(Code::kOutOfBuffer,
             fmt::format("{} takes {} bytes of {}, which has {} on {}", what, bytes, name_of(space),
                         check.soc().size_of(space), check.soc().name),
             legal);
}

}  // namespace vinci::isa
