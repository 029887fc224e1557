// The commands of a program, one by one.
#include "tik/machine.h"

#include <cstring>

#include <fmt/format.h>

#include "core/instruction.h"
#include "core/last_datablock.h"

namespace vinci::isa {
extern const Instruction block_barrier;
}

namespace vinci::tik {
namespace {

using Do = Command::Do;

constexpr size_t kMostRecordBytes = 4096;

// The statement that a fault belongs to, while it runs.
class CallerScope {
 public:
  CallerScope(Core& core, const Caller& caller) : core_(core) { core_.set_caller(&caller); }
  ~CallerScope() { core_.set_caller(nullptr); }

 private:
  Core& core_;
};

uint64_t register_value(const Cells& cells, ReadRegister which) {
  switch (which) {
    case ReadRegister::kMerged0: return cells.merged[0];
    case ReadRegister::kMerged1: return cells.merged[1];
    case ReadRegister::kMerged2: return cells.merged[2];
    case ReadRegister::kMerged3: return cells.merged[3];
    case ReadRegister::kGathered: return cells.gathered;
  }
  return 0;
}

}  // namespace

Machine::Machine(const Program& program, const GmArrays& gm, Scalars scalars, Mode mode)
    : program_(program), gm_(gm), scalars_(std::move(scalars)), mode_(mode) {
  for (const BufferInfo& info : program.buffers) places_.push_back({info.address, info.bytes});
}

Machine::Pause Machine::run(Core& core, const Hooks& hooks) {
  core_ = &core;
  for (;;) {
    const Command& command = program_.commands[size_t(at_)];
    const CallerScope caller(core, command.caller);
    const bool shown = command.caller.line != 0 && command.what != Do::kForget;
    if (hooks.statement && shown && hooked()) hooks.statement(*this, command);
    if (program_.orders_itself) keep_order(command);
    Go go = Go::kNext;
    try {
      go = execute(command, hooks);
    } catch (const Undefined& undefined) {
      leave_out();
      tell_undefined(undefined.scalar);
      go = command.target >= 0 && command.what != Do::kNext ? Go::kTarget : Go::kNext;
    } catch (const OutOfRange& wrong) {
      leave_out();
      core.report(Code::kRange,
                  fmt::format("{}: {} is {}", core.who(), wrong.limits.what, text_of(wrong.got)),
                  fmt::format("{}..{}", wrong.limits.least, wrong.limits.most));
    } catch (const DividedByZero&) {
      leave_out();
      core.report(Code::kDivideByZero, fmt::format("{}: division by zero", core.who()), "");
      go = command.target >= 0 && command.what != Do::kNext ? Go::kTarget : Go::kNext;
    }
    if (go == Go::kTarget) {
      at_ = command.target;
    } else {
      ++at_;
    }
    if (go == Go::kPause) return pause_;
  }
}

void Machine::meet_others() {
  const CallerScope caller(*core_, program_.commands[size_t(at_ - 1)].caller);
  core_->issue({&isa::block_barrier});
}

void Machine::tell_undefined(int scalar) {
  const ScalarInfo& info = program_.scalars[size_t(scalar)];
  if (info.loop) {
    core_->report(Code::kScalarUnset,
                  fmt::format("{}: {} is the variable of a for_range, and has no value outside of "
                              "its body",
                              core_->who(), info.name),
                  "a Scalar that is set to it in the body");
  } else {
    core_->report(Code::kScalarUnset,
                  fmt::format("{}: Scalar {} has no value", core_->who(), info.name),
                  "a Scalar with an init_value, or after set_as");
  }
}

Machine::Go Machine::execute(const Command& command, const Hooks& hooks) {
  switch (command.what) {
    case Do::kCall: call(program_.calls[size_t(command.a)]); return Go::kNext;
    case Do::kSet: assign(command.a, value(command.b)); return Go::kNext;
    case Do::kLoad: load(command); return Go::kNext;
    case Do::kStore: store(command); return Go::kNext;
    case Do::kCopy: copy(command); return Go::kNext;
    case Do::kRead: read(command); return Go::kNext;
    case Do::kLoop: return begin_loop(command);
    case Do::kNext: return next_of_loop();
    case Do::kBlocks: return begin_blocks(command);
    case Do::kUnless: return is_true(value(command.a)) ? Go::kNext : Go::kTarget;
    case Do::kJump:
    case Do::kContinue: return Go::kTarget;
    case Do::kBreak: end_loop(loops_.back().scalar); return Go::kTarget;
    case Do::kCheck: check(program_.checks[size_t(command.a)]); return Go::kNext;
    case Do::kPrint:
      if (hooks.print && hooked()) hooks.print(*this, command.a);
      return Go::kNext;
    case Do::kBarrier: pause_ = Pause::kBarrier; return Go::kPause;
    case Do::kFlag: flag(command); return Go::kNext;
    case Do::kPipes: core_->pipe_barrier(uint32_t(command.a)); return Go::kNext;
    case Do::kPlace: place_late(command.a); return Go::kNext;
    case Do::kForget: forget(command); return Go::kNext;
    case Do::kBlockEnd:
      in_blocks_ = false;
      scalars_.known[size_t(command.a)] = 0;
      return Go::kNext;
    case Do::kReturn:
    case Do::kEnd: pause_ = Pause::kEnd; return Go::kPause;
  }
  return Go::kNext;
}

// TIK's compiler lets a statement wait for all that it needs, unless the script says that it does.
void Machine::keep_order(const Command& command) {
  switch (command.what) {
    case Do::kCall:
    case Do::kLoad:
    case Do::kStore:
    case Do::kCopy:
    case Do::kBarrier:
      if (!command.own_sync) core_->pipe_barrier(uint32_t(Pipe::kAll));
      return;
    default: return;
  }
}

// For the tools alone: statements run in order. Between pipes for which vinci has no event, all
// wait.
void Machine::flag(const Command& command) {
  const auto event = uint32_t(command.a);
  const bool sets = command.c != 0;
  if (event == kHardEvents) {
    if (!sets) core_->pipe_barrier(uint32_t(Pipe::kAll));
    return;
  }
  const auto id = int32_t(number(command.b));
  for (Tool* tool : core_->tools()) tool->on_flag(*core_, event, id, sets);
}

Machine::Go Machine::begin_loop(const Command& command) {
  const int64_t from = number(command.b), to = number(command.c);
  if (from > to) {
    core_->report(Code::kNoEffect, fmt::format("for_range: from {} to {}, so never", from, to),
                  fmt::format("endt >= {}", from));
  }
  if (from >= to) return Go::kTarget;
  // A bound that has wrapped: what it counts is an int32.
  constexpr int64_t kMost = INT32_MAX;
  if (to > kMost) {
    core_->report(Code::kRange, fmt::format("for_range: endt is {}", to),
                  fmt::format("up to {}", kMost));
    return Go::kTarget;
  }
  loops_.push_back({command.a, from, to});
  assign(command.a, {DType::kInt64, uint64_t(from)});
  return Go::kNext;
}

Machine::Go Machine::next_of_loop() {
  Loop& loop = loops_.back();
  if (++loop.next >= loop.end) {
    end_loop(loop.scalar);
    return Go::kNext;
  }
  assign(loop.scalar, {DType::kInt64, uint64_t(loop.next)});
  return Go::kTarget;
}

void Machine::end_loop(int scalar) {
  loops_.pop_back();
  scalars_.known[size_t(scalar)] = 0;
}

// Blocks that the loop has none for go on behind it.
Machine::Go Machine::begin_blocks(const Command& command) {
  blocks_ = number(command.c);
  if (mode_ == Mode::kCountsBlocks) {
    pause_ = Pause::kBlocks;
    return Go::kPause;
  }
  const bool legal = blocks_ >= 1 && blocks_ <= kMostBlocks;
  if (!legal || blocks_ > core_->block_count()) {
    core_->report(Code::kRange,
                  fmt::format("for_range: block_num is {}", blocks_) +
                      (legal ? fmt::format(", but the kernel runs on {} blocks, as its first loop "
                                           "over blocks says",
                                           core_->block_count())
                             : ""),
                  fmt::format("1..{}", legal ? core_->block_count() : kMostBlocks));
    return Go::kTarget;
  }
  if (core_->block_index() >= blocks_) return Go::kTarget;
  assign(command.a, {DType::kInt64, uint64_t(core_->block_index())});
  in_blocks_ = true;
  return Go::kNext;
}

void Machine::forget(const Command& command) {
  if (command.a < 0) {
    scalars_.known[size_t(command.b)] = 0;
    return;
  }
  const Place& at = place(command.a);
  core_->forget(program_.buffers[size_t(command.a)].position, {at.address, at.address + at.bytes});
}

void Machine::assign(int scalar, Value value) {
  scalars_.values[size_t(scalar)] = convert(value, program_.scalars[size_t(scalar)].dtype);
  scalars_.known[size_t(scalar)] = 1;
}

void Machine::call(const CallCode& code) {
  alignas(16) std::byte place[kMostRecordBytes];
  const Record* record = make_record(code, place);
  if (record == nullptr) return leave_out();
  core_->issue(*record);
}

Record* Machine::make_record(const CallCode& code, std::byte* place) {
  code.type->construct(place, *code.instruction);
  auto* record = std::launder(reinterpret_cast<Record*>(place));
  bool legal = true;
  for (const FieldCode& field : code.fields) legal &= set_field(field, *record);
  return legal ? record : nullptr;
}

std::vector<Reach> Machine::reaches(Core& core) {
  core_ = &core;
  const CallCode& code = program_.calls.at(0);
  const CallerScope caller(core, program_.commands.at(0).caller);
  alignas(16) std::byte place[kMostRecordBytes];
  const Record* record = make_record(code, place);
  std::vector<Reach> list;
  if (record == nullptr) return list;
  for (const Region& region : core.resolve(*record)) {
    if (!region.within_tensor) continue;
    const uint64_t bytes = region.end() - region.operand.address;
    const bool is_outside = bytes > region.operand.bytes &&
                            // Else it is told when the call runs.
                            (program_.strict || !ends_in_last_datablock(region));
    int index = -1;
    const FieldCode* field = field_of(code, region, index);
    if (field != nullptr) list.push_back({field->field->name, index, bytes, is_outside});
  }
  return list;
}

const FieldCode* Machine::field_of(const CallCode& code, const Region& region, int& index) {
  const FieldCode* found = nullptr;
  // Where several fields are the same tensor the name tells, or the access: results come first.
  const auto is_better = [&](const FieldCode& field) {
    if (found == nullptr) return true;
    if (found == &field) return false;
    if (field.field->name == region.name) return true;
    return found->field->name != region.name && region.access == Access::kRead;
  };
  const auto look = [&](const FieldCode& field, const OperandCode& operand, int at) {
    Operand one;
    if (!resolve(operand, field.field->name, one) || one.position != region.operand.position ||
        one.address != region.operand.address) {
      return;
    }
    if (!is_better(field)) return;
    found = &field;
    index = at;
  };
  for (const FieldCode& field : code.fields) {
    if (field.field->kind == Field::Kind::kOperand) look(field, field.operand, -1);
    for (size_t i = 0; i < field.list.size(); ++i) look(field, field.list[i], int(i));
  }
  return found;
}

bool Machine::set_field(const FieldCode& code, Record& record) {
  const Field& field = *code.field;
  Argument argument;
  Operand list[kMostOperands];
  switch (field.kind) {
    case Field::Kind::kMask: argument.lanes = lanes_of(code.mask); break;
    case Field::Kind::kOperand:
      if (!resolve(code.operand, field.name, argument.operand)) return false;
      break;
    case Field::Kind::kList:
      argument.list = {list, code.list.size()};
      if (!resolve_list(code, list)) return false;
      break;
    case Field::Kind::kNumber: {
      argument.number = value(code.number);
      if (field.least == INT64_MIN) break;  // the number's bits count
      argument.number = convert(argument.number, DType::kInt64);
      const int64_t got = argument.number.integer();
      if (got >= field.least && got <= field.most) break;
      core_->report(Code::kRange, fmt::format("{}: {} is {}", core_->who(), field.name, got),
                    fmt::format("{}..{}", field.least, field.most));
      return false;
    }
  }
  field.set(record, argument);
  return true;
}

bool Machine::resolve_list(const FieldCode& code, std::span<Operand> list) {
  for (size_t i = 0; i < code.list.size(); ++i) {
    if (!resolve(code.list[i], code.field->name, list[i])) return false;
  }
  return true;
}

Lanes Machine::lanes_of(const MaskCode& code) {
  const auto lanes = [&] {
    if (code.form == MaskCode::Form::kBits) {
      const uint64_t bits[2] = {value(code.low).bits, value(code.high).bits};
      return lanes_bits(bits, 0);
    }
    const auto number_of_lanes = uint64_t(number(code.low));
    return code.form == MaskCode::Form::kElements ? lanes_count(number_of_lanes)
                                                  : lanes_continuous(number_of_lanes, 0);
  };
  Lanes of_call = lanes();
  const bool counts = code.form == MaskCode::Form::kCount;
  of_call.counter = counts ? Lanes::Counter::kOn : Lanes::Counter::kOff;
  return of_call;
}

bool Machine::resolve(const OperandCode& code, std::string_view name, Operand& operand,
                      bool may_be_behind) {
  const BufferInfo& buffer = program_.buffers[size_t(code.buffer)];
  operand.position = buffer.position;
  operand.dtype = code.dtype;
  operand.address = place(code.buffer).address;
  uint64_t bytes = place(code.buffer).bytes;
  if (buffer.position == Position::GM) {
    const auto& arrays = gm_[size_t(code.buffer)];
    const int64_t index = code.index < 0 ? 0 : number(code.index);
    if (index < 0 || uint64_t(index) >= arrays.size()) {
      core_->report(Code::kOutOfTensor,
                    fmt::format("{}: {} is array {} of {}, which has {}", core_->who(), name, index,
                                buffer.name, arrays.size()),
                    fmt::format("0..{}", int64_t(arrays.size()) - 1));
      return false;
    }
    operand.address = uint64_t(reinterpret_cast<uintptr_t>(arrays[size_t(index)].data));
    bytes = arrays[size_t(index)].reach;
  }
  const int64_t offset = number(code.offset);
  const auto elements = int64_t(bytes * 8 / bits_of(code.dtype));
  if (offset < 0 || offset > elements || (offset == elements && !may_be_behind)) {
    core_->report(Code::kOutOfTensor,
                  fmt::format("{}: {} starts at element {} of {}, which has {}", core_->who(), name,
                              offset, buffer.name, elements),
                  elements == 0 ? std::string("nothing: the tensor is empty")
                                : fmt::format("elements 0..{}", elements - 1));
    return false;
  }
  const uint64_t start = bytes_of(code.dtype, uint64_t(offset));
  operand.address += start;
  operand.bytes = bytes - start;
  return true;
}

// A tensor whose size or place Scalars say. One that does not fit has no room at all.
void Machine::place_late(int buffer) {
  const BufferInfo& info = program_.buffers[size_t(buffer)];
  const uint64_t address = uint64_t(number(info.address_code));
  const int64_t bytes = number(info.bytes_code);
  const Space space = core_->soc().space_of(info.position);
  const uint64_t size = core_->soc().size_of(space);
  const uint64_t room = address < size ? size - address : 0;
  const bool fits = bytes >= 0 && uint64_t(bytes) <= room;
  places_[size_t(buffer)] = {fits ? address : 0, fits ? uint64_t(bytes) : 0};
  if (fits) return;
  core_->report(Code::kRange,
                fmt::format("Tensor {} needs {} bytes of {}", info.name, bytes, name_of(space)),
                fmt::format("0..{}", room));
}

void Machine::check(const CheckCode& code) {
  const Value got = value(code.value);
  const int64_t least = number(code.least), most = number(code.most);
  if (lies_within(got, least, most)) return;
  const std::string who = core_->who().empty() ? "" : fmt::format("{}: ", core_->who());
  core_->report(Code::kRange, fmt::format("{}{} is {}", who, code.what, text_of(got)),
                fmt::format("{}..{}", least, most));
}

// What the statement should have written is not known.
void Machine::leave_out() {
  for (Tool* tool : core_->tools()) tool->on_left_out(*core_, Record{}, {});
}

void* Machine::element(const OperandCode& code, uint32_t bytes, Access access) {
  Operand operand;
  if (!resolve(code, "the tensor", operand, false)) {
    leave_out();
    return nullptr;
  }
  return core_->scalar_access(operand, 0, bytes, access);
}

void Machine::load(const Command& command) {
  const DType type = program_.scalars[size_t(command.a)].dtype;
  const uint32_t bytes = bits_of(type) / 8;
  const void* from = element(program_.operands[size_t(command.b)], bytes, Access::kRead);
  if (from == nullptr) return;
  uint64_t bits = 0;
  std::memcpy(&bits, from, bytes);
  assign(command.a, is_float(type) ? Value{type, bits} : integer(type, bits));
}

void Machine::store(const Command& command) {
  const OperandCode& to = program_.operands[size_t(command.a)];
  const uint64_t bits = value(command.b).bits;
  const uint32_t bytes = bits_of(to.dtype) / 8;
  if (void* place = element(to, bytes, Access::kWrite)) std::memcpy(place, &bits, bytes);
}

void Machine::copy(const Command& command) {
  const OperandCode& to = program_.operands[size_t(command.a)];
  const uint32_t bytes = bits_of(to.dtype) / 8;
  const void* from = element(program_.operands[size_t(command.b)], bytes, Access::kRead);
  if (from == nullptr) return;
  uint64_t bits = 0;
  std::memcpy(&bits, from, bytes);
  if (void* place = element(to, bytes, Access::kWrite)) std::memcpy(place, &bits, bytes);
}

void Machine::read(const Command& command) {
  assign(command.a, {DType::kInt64, register_value(core_->cells(), ReadRegister(command.b))});
}

}  // namespace vinci::tik
