// What an instruction is to the core: its name, its types per chip, and what it checks, touches
// and computes. Each lives in src/isa/<group>/<mnemonic>.cpp as a constant of that name.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/check.h"
#include "core/footprint.h"
#include "core/memory.h"
#include "core/state.h"
#include "soc/soc.h"
#include "vinci/record.h"
#include "vinci/record/vector.h"
#include "vinci/round.h"

namespace vinci {

class Core;

// Round modes as bits.
using RoundSet = uint16_t;
constexpr RoundSet set_of(Round mode) { return RoundSet(1u << std::min(unsigned(mode), 15u)); }

// The element types of a call, destination first; unused places are kNone. Conversions have round
// modes: a call one of them, a support table those that it allows.
struct Signature {
  std::array<DType, 3> types{DType::kNone, DType::kNone, DType::kNone};
  RoundSet modes = 0;

  constexpr Signature() = default;
  constexpr Signature(DType dst) : types{dst, DType::kNone, DType::kNone} {}
  constexpr Signature(DType dst, DType src) : types{dst, src, DType::kNone} {}
  constexpr Signature(DType dst, DType src0, DType src1) : types{dst, src0, src1} {}
  constexpr Signature(DType dst, DType src, RoundSet round)
      : types{dst, src, DType::kNone}, modes(round) {}
  friend constexpr bool operator==(const Signature&, const Signature&) = default;
};

// One type if both operands have it.
constexpr Signature types_of(DType dst, DType src) {
  return dst == src ? Signature(dst) : Signature(dst, src);
}

// "These chips take these types." A row that vinci cannot execute yet says so.
struct Support {
  ArchSet archs = 0;
  std::span<const Signature> signatures;
  bool implemented = true;
  FrontEnds front_ends = kAscendC | kTik;

  bool covers(ArchSet arch, FrontEnds front_end) const {
    return (archs & arch) != 0 && (front_ends & front_end) != 0;
  }
};

// What only the data of a step show, told with its place.
struct Finding {
  Code code;
  std::string text;  // without the instruction's name
  std::string legal;
};

// What `plan` made of a record, for the functions after it.
struct PlanRoom {
  static constexpr size_t kBytes = 384;
  alignas(16) std::byte bytes[kBytes];
};

// A register whose content a call takes as an earlier one left it, where it could bring its own.
enum class Taken : uint8_t { kNothing, kMask, kPadding, kCopyPadding };

template <class R>
Taken taken_by(const R& record, const Registers& registers) {
  const auto any = [](const auto& pads) {
    return std::ranges::any_of(pads, [](uint8_t pad) { return pad != 0; });
  };
  if constexpr (requires { record.lanes.set_mask; }) {
    return record.lanes.form != Lanes::Form::kCount && !record.lanes.set_mask ? Taken::kMask
                                                                              : Taken::kNothing;
  } else if constexpr (requires { record.set_padding; }) {
    const bool pads = record.set_fmatrix
                          ? any(record.pad)
                          : any(registers.fmatrix.pad) || any(registers.fmatrix_right.pad);
    return !record.set_padding && pads ? Taken::kPadding : Taken::kNothing;
  } else if constexpr (requires {
                         record.has_value;
                         record.left;
                         record.right;
                       }) {
    const bool pads = record.left != 0 || record.right != 0;
    return !record.has_value && pads ? Taken::kCopyPadding : Taken::kNothing;
  }
  return Taken::kNothing;
}

// Which elements a vector instruction works on; nullptr: the record does not say.
template <class R>
const Lanes* lanes_of(const R& record) {
  if constexpr (requires { record.lanes.set_mask; }) return &record.lanes;
  return nullptr;
}

struct Instruction {
  std::string_view mnemonic;  // file name, name in reports: "load_data_2d"
  std::string_view api;       // how messages call it: "LoadData (2D)"
  std::string_view page;      // what `vinci explain` is asked for: "LoadData"
  std::span<const Support> support;
  uint32_t record_bytes = 0;          // size of its record, to keep a copy
  const void* record_type = nullptr;  // &kRecordType of its record

  // See Functions. Those that an instruction does not need are nullptr.
  Signature (*signature)(const Record&) = nullptr;
  Pipe (*pipe)(const Record&, const Soc&) = nullptr;
  void (*plan)(const Record&, const State&, PlanRoom&) = nullptr;
  void (*check)(const Record&, const PlanRoom&, Check&) = nullptr;
  void (*footprint)(const Record&, const PlanRoom&, Footprint&) = nullptr;
  void (*inspect)(const Record&, const PlanRoom&, const State&, const Memory&,
                  std::vector<Finding>&) = nullptr;
  void (*run)(const Record&, const PlanRoom&, const State&, Memory&) = nullptr;
  void (*advance)(const Record&, const PlanRoom&, const Soc&, Registers&) = nullptr;
  bool (*ordered)(const Record&, const State&) = nullptr;
  void (*expand)(const Record&, Core&) = nullptr;
  void (*synchronise)(const Record&, Core&) = nullptr;
  bool (*unit_flag)(const Record&) = nullptr;
  Taken (*taken)(const Record&, const Registers&) = nullptr;
  const Lanes* (*lanes)(const Record&) = nullptr;
  bool moves = false;
};

// Its address tells a record's type where only the instruction is known.
template <class R>
inline constexpr char kRecordType = 0;

// A function that an instruction may have. Whether it does is a flag of its own: under the
// sanitizer for undefined behaviour g++ takes no function's address for a constant to compare with
// nullptr.
template <class F>
struct Optional {
  F* call = nullptr;
  bool given = false;

  constexpr Optional() = default;
  constexpr Optional(F* f) : call(f), given(true) {}
  template <class G>
  requires std::is_convertible_v<G, F*>
  constexpr Optional(G f) : call(f), given(true) {}
};

// The pipe that an instruction runs on: one and the same, or what a function of its record says.
template <class R>
struct PipeRule {
  Pipe pipe{};
  Optional<Pipe(const R&, const Soc&)> function{};
  bool given = false;

  constexpr PipeRule() = default;
  constexpr PipeRule(Pipe always) : pipe(always), given(true) {}
  template <class G>
  requires std::is_convertible_v<G, Pipe (*)(const R&, const Soc&)>
  constexpr PipeRule(G f) : function(f), given(true) {}
};

struct NoPlan {};

// The functions of an instruction, on its own record. The door calls them in this order; `plan`,
// whose result the others get, is called once. plan and run are called for unchecked records too.
template <class R, class P = NoPlan>
struct Functions {
  using Record = R;
  using Plan = P;

  // Its element types.
  Signature (*signature)(const R&) = nullptr;
  // The pipe that it runs on.
  PipeRule<R> pipe{};
  // What record and registers say together: lanes, extents. Trivially copyable; may point into the
  // record.
  P (*plan)(const R&, const State&) = nullptr;
  // The rules.
  Optional<void(const R&, const P&, Check&)> check{};
  // What it reads and writes. Only called when the check found nothing.
  Optional<void(const R&, const P&, Footprint&)> footprint{};
  // What only the data show. Called when its turn to run has come, before `run`; what it reads is
  // in the footprint.
  Optional<void(const R&, const P&, const State&, const Memory&, std::vector<Finding>&)> inspect{};
  // What it does to the memories: touches its footprint and nothing else. May be called long after
  // the others.
  Optional<void(const R&, const P&, const State&, Memory&)> run{};
  // What it does to the registers, in program order.
  Optional<void(const R&, const P&, const Soc&, Registers&)> advance{};
  // Whether it combines with what other blocks leave in GM, so that their order shows.
  Optional<bool(const R&, const State&)> ordered{};
  // An operator: issues other instructions instead of running.
  Optional<void(const R&, Core&)> expand{};
  // Makes pipes or cores wait, instead of running; in program order. Called for unchecked records
  // too.
  Optional<void(const R&, Core&)> synchronise{};
  // Whether it waits for, and sets, the unit flags of what it touches in L0C.
  Optional<bool(const R&)> unit_flag{};
  // Whether each byte that it writes is one that it reads, at another place, whatever bytes are
  // there; unless it combines.
  bool moves = false;
};

// For instructions without a plan.
template <class R>
struct Functions<R, NoPlan> {
  using Record = R;
  using Plan = NoPlan;

  Signature (*signature)(const R&) = nullptr;
  PipeRule<R> pipe{};
  Optional<void(const R&, Check&)> check{};
  Optional<void(const R&, Footprint&)> footprint{};
  Optional<void(const R&, const State&, const Memory&, std::vector<Finding>&)> inspect{};
  Optional<void(const R&, const State&, Memory&)> run{};
  Optional<void(const R&, const Soc&, Registers&)> advance{};
  Optional<bool(const R&, const State&)> ordered{};
  Optional<void(const R&, Core&)> expand{};
  Optional<void(const R&, Core&)> synchronise{};
  Optional<bool(const R&)> unit_flag{};
  bool moves = false;
};

// Calls a function with the plan between the record and the rest, if there is one.
template <class P, class R, class F, class... More>
void call_with_plan(F f, const Record& record, const PlanRoom& room, More&&... more) {
  if constexpr (std::is_same_v<P, NoPlan>) {
    f(static_cast<const R&>(record), more...);
  } else {
    f(static_cast<const R&>(record), *reinterpret_cast<const P*>(room.bytes), more...);
  }
}

// `f` is the instruction's Functions, a constant.
template <const auto& f>
constexpr Instruction make_instruction(std::string_view mnemonic, std::string_view api,
                                       std::string_view page, std::span<const Support> support) {
  using R = typename std::remove_cvref_t<decltype(f)>::Record;
  using P = typename std::remove_cvref_t<decltype(f)>::Plan;
  static_assert(sizeof(P) <= PlanRoom::kBytes && std::is_trivially_copyable_v<P>);
  Instruction made{mnemonic, api, page, support, sizeof(R), &kRecordType<R>};
  made.signature = [](const Record& r) { return f.signature(static_cast<const R&>(r)); };
  static_assert(f.pipe.given);
  made.pipe = []([[maybe_unused]] const Record& r, [[maybe_unused]] const Soc& soc) {
    if constexpr (f.pipe.function.given) {
      return f.pipe.function.call(static_cast<const R&>(r), soc);
    } else {
      return f.pipe.pipe;
    }
  };
  if constexpr (!std::is_same_v<P, NoPlan>) {
    made.plan = [](const Record& r, const State& state, PlanRoom& room) {
      new (room.bytes) P(f.plan(static_cast<const R&>(r), state));
    };
  }
  if constexpr (f.check.given) {
    made.check = [](const Record& r, const PlanRoom& room, Check& check) {
      call_with_plan<P, R>(f.check.call, r, room, check);
    };
  }
  if constexpr (f.footprint.given) {
    made.footprint = [](const Record& r, const PlanRoom& room, Footprint& footprint) {
      call_with_plan<P, R>(f.footprint.call, r, room, footprint);
    };
  }
  if constexpr (f.inspect.given) {
    made.inspect = [](const Record& r, const PlanRoom& room, const State& state,
                      const Memory& memory, std::vector<Finding>& findings) {
      call_with_plan<P, R>(f.inspect.call, r, room, state, memory, findings);
    };
  }
  if constexpr (f.run.given) {
    made.run = [](const Record& r, const PlanRoom& room, const State& state, Memory& memory) {
      call_with_plan<P, R>(f.run.call, r, room, state, memory);
    };
  }
  if constexpr (f.advance.given) {
    made.advance = [](const Record& r, const PlanRoom& room, const Soc& soc, Registers& registers) {
      call_with_plan<P, R>(f.advance.call, r, room, soc, registers);
    };
  }
  if constexpr (f.ordered.given) {
    made.ordered = [](const Record& r, const State& state) {
      return f.ordered.call(static_cast<const R&>(r), state);
    };
  }
  if constexpr (f.expand.given) {
    made.expand = [](const Record& r, Core& core) {
      f.expand.call(static_cast<const R&>(r), core);
    };
  }
  if constexpr (f.synchronise.given) {
    made.synchronise = [](const Record& r, Core& core) {
      f.synchronise.call(static_cast<const R&>(r), core);
    };
  }
  if constexpr (f.unit_flag.given) {
    made.unit_flag = [](const Record& r) { return f.unit_flag.call(static_cast<const R&>(r)); };
  }
  made.taken = [](const Record& r, const Registers& registers) {
    return taken_by(static_cast<const R&>(r), registers);
  };
  made.lanes = [](const Record& r) { return lanes_of(static_cast<const R&>(r)); };
  made.moves = f.moves;
  return made;
}

// The instructions of src/isa, in the order of their files' names.
std::span<const Instruction* const> all_instructions();
// The folder of src/isa that an instruction lies in: "cube", "vector", ...; "" for no instruction.
std::string_view folder_of(std::string_view mnemonic);
// The name of its page in docs/spec: its file's.
std::string_view page_of(std::string_view mnemonic);

}  // namespace vinci
