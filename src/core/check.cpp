// Wording of the rules that many instructions share.
#include "core/check.h"

#include <fmt/format.h>

#include "core/core.h"
#include "core/instruction.h"
#include "numeric/dtype.h"

namespace vinci {

bool Check::in_tik() const { return core_.front_end() == kTik; }

void Check::fail(Code code, std::string text, std::string legal) {
  ok_ = false;
  breaks_others_ |= code != Code::kOverlap;
  core_.report(code, fmt::format("{}: {}", core_.who(), text), std::move(legal));
}

void Check::unimplemented(std::string text, std::string legal) {
  fail(Code::kUnimplemented, std::move(text), std::move(legal));
}

void Check::warn(Code code, std::string text, std::string advice) {
  core_.report(code, fmt::format("{}: {}", core_.who(), text), std::move(advice));
}

void Check::out_of_range(std::string_view parameter, int64_t value, int64_t lo, int64_t hi) {
  // Where hi is another parameter, that may leave no value: then it is the one to mend.
  fail(Code::kRange, fmt::format("{} {} is not legal on {}", parameter, value, soc().name),
       lo == hi  ? fmt::format("{}", lo)
       : lo > hi ? fmt::format("none: at least {}, and what it is a part of has {}", lo, hi)
                 : fmt::format("{}..{}", lo, hi));
}

void Check::not_multiple(std::string_view parameter, int64_t value, int64_t of) {
  fail(Code::kMultiple, fmt::format("{} {} is not legal on {}", parameter, value, soc().name),
       fmt::format("a multiple of {}", of));
}

void Check::not_in_space(std::string_view name, const Operand& operand, Space space) {
  const Space actual = soc().space_of(operand.position);
  if (operand.position == Position::GM && operand.address == 0 && operand.bytes == 0) {
    fail(Code::kPosition, fmt::format("{} is a LocalTensor that was never set to a buffer", name),
         "what AllocTensor, DeQue or TBuf::Get gives");
    return;
  }
  if (actual == Space::kNone) {
    fail(
        Code::kSocPosition,
        fmt::format("{} has no memory behind {} ({})", soc().name, name_of(operand.position), name),
        "");
    return;
  }
  fail(Code::kPosition,
       fmt::format("{} is in {} ({}), and must be in {}", name, name_of(operand.position),
                   name_of(actual), name_of(space)),
       positions_in(soc(), space));
}

void Check::not_aligned(std::string_view name, const Operand& operand, uint64_t bytes) {
  const Space space = soc().space_of(operand.position);
  const std::string address = space == Space::kGm ? fmt::format("{:#x}", operand.address)
                                                  : fmt::format("{}", operand.address);
  fail(Code::kMisaligned, fmt::format("{} starts at byte {} of {}", name, address, name_of(space)),
       fmt::format("a multiple of {} bytes", bytes));
}

void Check::route(const Operand& src, const Operand& dst) {
  const Space from = soc().space_of(src.position);
  const Space to = soc().space_of(dst.position);
  if (soc().route(from, to) != Pipe::kNone) return;
  std::string legal;
  for (const Route& route : soc().arch->routes) {
    if (!legal.empty()) legal += ", ";
    legal += fmt::format("{} -> {}", name_of(route.from), name_of(route.to));
  }
  fail(Code::kSocRoute,
       fmt::format("{} has no route from {} ({}) to {} ({})", soc().name, name_of(src.position),
                   name_of(from), name_of(dst.position), name_of(to)),
       legal);
}

}  // namespace vinci
