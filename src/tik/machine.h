// Runs the commands of a program on one core.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/core.h"
#include "tik/program.h"

namespace vinci::tik {

// Where a GM buffer lies: its bytes, and up to where it may be touched.
struct GmArray {
  uint8_t* data = nullptr;
  uint64_t bytes = 0, reach = 0;
};
// By buffer; a list has several, others one or, on chip, none.
using GmArrays = std::vector<std::vector<GmArray>>;

constexpr int64_t kMostBlocks = 65535;

// Where a buffer on chip lies.
struct Place {
  uint64_t address = 0, bytes = 0;
};

class Machine;

// What a call touches of a tensor.
struct Reach {
  std::string_view field;   // of the statement
  int index = -1;           // in a list of tensors
  uint64_t bytes = 0;       // that the call needs from where its operand starts
  bool is_outside = false;  // some of them are not the tensor's
};

// Called back while statements run; empty ones are not.
struct Hooks {
  std::function<void(const Machine&, int id)> print;
  std::function<void(const Machine&, const Command&)> statement;
};

class Machine {
 public:
  enum class Pause : uint8_t { kEnd, kBlocks, kBarrier };

  // Whether it runs the body of the loop over blocks, of which `blocks` were launched; else it
  // pauses there, and what they say of their number is blocks().
  enum class Mode : uint8_t { kBlock, kCountsBlocks };

  Machine(const Program& program, const GmArrays& gm, Scalars scalars, Mode mode = Mode::kBlock);

  // Until the program ends, its blocks begin or they meet. Faults go to the core. Of what stands
  // outside of the loop over blocks, which each of them runs, the hooks see the first one's.
  Pause run(Core& core, const Hooks& hooks);

  // Of a program that is one call: what it touches of its tensors, unless it breaks other rules
  // (but that of overlap). Nothing runs.
  std::vector<Reach> reaches(Core& core);

  // After Pause::kBarrier: until all blocks have come as far.
  void meet_others();
  // After Pause::kBlocks: how many blocks.
  int64_t blocks() const { return blocks_; }

  Core& core() const { return *core_; }
  const GmArray& gm(int buffer) const { return gm_[size_t(buffer)].at(0); }
  const Place& place(int buffer) const { return places_[size_t(buffer)]; }
  const Scalars& scalars() const { return scalars_; }

 private:
  struct Loop {
    int scalar;
    int64_t next, end;
  };
  // What a command says of where to go on.
  enum class Go : uint8_t { kNext, kTarget, kPause };

  Go execute(const Command& command, const Hooks& hooks);
  Go begin_loop(const Command& command);
  Go next_of_loop();
  Go begin_blocks(const Command& command);
  void end_loop(int scalar);
  void forget(const Command& command);
  bool hooked() const { return in_blocks_ || core_->block_index() <= 0; }
  void tell_undefined(int scalar);
  void call(const CallCode& code);
  // `place` has room for any record; nullptr if a field is not legal, which is reported.
  Record* make_record(const CallCode& code, std::byte* place);
  // The field that a region is of, and its place in a list.
  const FieldCode* field_of(const CallCode& code, const Region& region, int& index);
  bool set_field(const FieldCode& code, Record& record);
  Lanes lanes_of(const MaskCode& code);
  // Behind the last element starts nothing, but a call without repeats may name the place.
  bool resolve(const OperandCode& code, std::string_view name, Operand& operand,
               bool may_be_behind = true);
  void place_late(int buffer);
  void check(const CheckCode& code);
  void keep_order(const Command& command);
  void flag(const Command& command);
  void load(const Command& command);
  void store(const Command& command);
  void copy(const Command& command);
  void read(const Command& command);
  bool resolve_list(const FieldCode& code, std::span<Operand> list);
  void leave_out();
  void* element(const OperandCode& code, uint32_t bytes, Access access);
  void assign(int scalar, Value value);
  Value value(int expression) const { return program_.expressions.evaluate(expression, scalars_); }
  int64_t number(int expression) const { return to_int64(value(expression)); }

  const Program& program_;
  const GmArrays& gm_;
  Scalars scalars_;
  std::vector<Place> places_;  // by buffer
  Core* core_ = nullptr;
  std::vector<Loop> loops_;
  int at_ = 0;
  Pause pause_ = Pause::kEnd;
  Mode mode_;
  int64_t blocks_ = 0;
  bool in_blocks_ = false;
};

}  // namespace vinci::tik
