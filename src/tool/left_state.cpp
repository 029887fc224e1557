// Follows the registers that outlive the instruction they were set for.
#include "tool/left_state.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/instruction.h"
#include "core/registers.h"
#include "vinci/dtype.h"
#include "vinci/record/vector.h"

namespace vinci {

// f(word, what the registers have for it)
template <class F>
void LeftState::for_each_word(Values& values, const Registers& registers, F f) {
  auto& words = values.words;
  f(words[kMask], registers.mask.bits[0]);
  f(values.mask_high, registers.mask.bits[1]);
  f(words[kCounter], registers.mask.counter);
  f(words[kAtomic], uint64_t(registers.atomic.op));
  f(words[kFloats], registers.control.at(ControlRegister::kFloats));
  f(words[kIntegers], registers.control.at(ControlRegister::kIntegers));
  f(words[kCasts], registers.control.at(ControlRegister::kCasts));
  f(words[kHf32], registers.hf32.on);
  f(words[kHf32Ties], registers.hf32.ties_away);
  f(words[kLoadBoundary], registers.load_boundary);
  f(words[kPadding], registers.padding);
  f(words[kCopyPadding], registers.copy_padding);
}

LeftState::Values LeftState::values_of(const Registers& registers) {
  Values values;
  for_each_word(values, registers, [](uint64_t& word, uint64_t now) { word = now; });
  return values;
}

bool LeftState::is_as_before(const Registers& registers) {
  bool same = true;
  for_each_word(values_, registers, [&](uint64_t& word, uint64_t now) { same &= word == now; });
  return same;
}

LeftState::Item LeftState::set_by(const Record& record) {
  static constexpr std::pair<std::string_view, Item> kSetters[] = {
      {"set_vector_mask", kMask},
      {"reset_mask", kMask},
      {"init_soc_state", kMask},
      {"set_load_data_padding_value", kPadding},
      {"set_pad_value", kCopyPadding}};
  if (record.instruction->run != nullptr) return kItems;
  for (const auto& [mnemonic, item] : kSetters) {
    if (record.instruction->mnemonic == mnemonic) return item;
  }
  return kItems;
}

// Two words may be either: public kernels give a number so in Counter mode.
LeftState::Meaning LeftState::meaning_of(const Record& record) {
  if (record.instruction->record_type != &kRecordType<SetVectorMaskRecord>) return Meaning::kEither;
  const Lanes& lanes = static_cast<const SetVectorMaskRecord&>(record).lanes;
  if (lanes.form == Lanes::Form::kCount) return Meaning::kNumber;
  return lanes.form == Lanes::Form::kContinuous ? Meaning::kLanes : Meaning::kEither;
}

void LeftState::on_block_begin(CoreView& core) {
  found_ = values_ = values_of(core.registers());
  writers_.fill({});
  scale_is_set_ = false;
  taken_ids_.clear();
}

void LeftState::on_registers(CoreView& core, const Record& record) {
  scale_is_set_ |= record.instruction->record_type == &kRecordType<SetDeqScaleRecord>;
  const Item set = set_by(record);
  // Lanes of a call's own are what it leaves, even if an earlier call had left the same.
  const Lanes* lanes = record.instruction->lanes(record);
  const bool masks = lanes != nullptr && lanes->form != Lanes::Form::kCount && lanes->set_mask;
  if (set == kItems && !masks && is_as_before(core.registers())) return;
  const Values values = values_of(core.registers());
  for (size_t item = 0; item < kItems; ++item) {
    Writer& writer = writers_[item];
    const bool masks_again = masks && item == kMask && !writer.sets;
    if (item != set && !masks_again && values[item] == values_[item]) continue;
    writer.sets = item == set;
    writer.meaning = writer.sets ? meaning_of(record) : Meaning::kEither;
    writer.api = core.who();
    writer.origin = core.origin();
    if (!writer.sets) continue;
    writer.was_set = true;
    writer.value = values[item];
  }
  values_ = values;
}

void LeftState::on_issue(CoreView& core, const Record& record, std::span<const Region> regions) {
  if (values_.words[kCounter] != 0) judge_number(core, record, regions);
  switch (record.instruction->taken(record, core.registers())) {
    case Taken::kNothing: return;
    // Operators take care of what they issue.
    case Taken::kMask:
      if (!core.order_of(record, regions).in_operator) judge_mask(core);
      return;
    case Taken::kPadding:
      return judge_padding(core, kPadding, "SetLoadDataPaddingValue", "isSetPadding");
    case Taken::kCopyPadding: return judge_padding(core, kCopyPadding, "SetPadValue", "isPad");
  }
}

// int32 to half takes a scale, of which no document says what it is before SetDeqScale.
void LeftState::before_run(CoreView& core, const Step& step) {
  const Record& record = step.record;
  if (scale_is_set_ || !step.soc.has(Feature::kDeqScale)) return;
  static constexpr std::string_view kScaled[] = {"cast", "vec_conv", "cast_dequant",
                                                 "add_deq_relu"};
  if (std::ranges::find(kScaled, record.instruction->mnemonic) == std::end(kScaled)) return;
  const Signature types = record.instruction->signature(record);
  if (types.types[0] != DType::kHalf || types.types[1] != DType::kInt32) return;
  core.note(Code::kStateLeft,
            fmt::format("{}: takes a scale, which SetDeqScale has not set: 1.0", core.who()),
            "SetDeqScale(half) before it");
}

void LeftState::judge_mask(CoreView& core) {
  const Writer& writer = writers_[kMask];
  const bool counter = values_[kCounter].low != 0;
  if (writer.meaning == Meaning::kNumber && !counter) {
    tell_taken(core, "lanes in MASK, which holds a number of elements", writer,
               "ResetMask() after SetMaskNorm(), or SetVectorMask with MaskMode::NORMAL");
  } else if (writer.meaning == Meaning::kLanes && counter) {
    tell_taken(core, "a number of elements in MASK, which holds lanes", writer,
               "SetVectorMask with MaskMode::COUNTER after SetMaskCount()");
  }
  const Value expected = writer.was_set ? writer.value : found_[kMask];
  if (!writer.sets && values_[kMask] != expected) {
    tell_taken(core, "MASK, which a call with a mask of its own has left", writer,
               "SetVectorMask or ResetMask after that call");
  }
}

// A mask of one repeat's lanes beside several repeats is meant for Normal mode.
void LeftState::judge_number(CoreView& core, const Record& record,
                             std::span<const Region> regions) {
  const Lanes* lanes = record.instruction->lanes(record);
  if (lanes == nullptr || lanes->counter != Lanes::Counter::kOfRegister) return;
  if (lanes->form != Lanes::Form::kContinuous || !lanes->set_mask || lanes->repeats < 2) return;
  uint64_t bits = 8;
  for (const DType type : record.instruction->signature(record).types) {
    bits = std::max<uint64_t>(bits, bits_of(type));
  }
  if (lanes->mask[0] > 2048 / bits || core.order_of(record, regions).in_operator) return;
  tell_taken(
      core,
      fmt::format("mask {} as the number of all elements, and not repeatTimes {}: the core is "
                  "in Counter mode",
                  lanes->mask[0], lanes->repeats),
      writers_[kCounter], "SetMaskNorm() before it, or the number of all elements as mask");
}

// Only where a kernel has set the value itself does it count on it.
void LeftState::judge_padding(CoreView& core, Item item, std::string_view setter,
                              std::string_view own) {
  const Writer& writer = writers_[item];
  if (writer.sets || !writer.was_set || values_[item] == writer.value) return;
  tell_taken(core, fmt::format("the padding value, which a call with {} = true has left", own),
             writer, fmt::format("{} after that call", setter));
}

void LeftState::tell_taken(CoreView& core, std::string_view what, const Writer& writer,
                           std::string legal) {
  core.note_pair(Code::kStateLeft, fmt::format("{}: takes {}", core.who(), what), std::move(legal),
                 std::string(writer.api), writer.origin);
}

void LeftState::on_event_id(CoreView&, uint32_t event, int32_t id, bool taken) {
  if (taken) {
    taken_ids_[{event, id}] = call_origin();
  } else {
    taken_ids_.erase({event, id});
  }
}

void LeftState::tell_left(CoreView& core, Item item, std::string_view what, std::string legal) {
  if (values_[item] == found_[item]) return;
  const Writer& writer = writers_[item];
  Fault fault = core.fault_here(Code::kStateLeft);
  fault.message = fmt::format("{}: when the block ends, {}", writer.api, what);
  fault.legal = std::move(legal);
  const Fault::Place place = core.place_of("", writer.origin);
  fault.frames = place.frames;
  fault.file = place.file;
  fault.line = place.line;
  core.tell(fault);
}

void LeftState::on_block_end(CoreView& core) {
  if (writers_[kMask].sets) {
    tell_left(core, kMask, "MASK is not all lanes as at its start",
              "ResetMask() after the last call with isSetMask = false");
  }
  tell_left(core, kCounter, "vector calls are still in Counter mode",
            "SetMaskNorm() after the last call in Counter mode");
  tell_left(core, kAtomic, "copies into GM still combine with what is there",
            "SetAtomicNone(), or DisableDmaAtomic(), after the last copy that combines");
  for (const auto& [item, results] : {std::pair{kFloats, "half and bfloat16 results"},
                                      std::pair{kIntegers, "results of integer arithmetic"},
                                      std::pair{kCasts, "conversions to integers"}}) {
    tell_left(core, item,
              fmt::format("{} saturate, or do not, otherwise than at its start", results),
              "the mode as it was, after the last instruction that needs another");
  }
  tell_left(core, kHf32, "products of floats are still in HF32", "SetHF32Mode(false)");
  tell_left(core, kHf32Ties, "HF32 still rounds ties away from 0", "SetHF32TransMode(false)");
  tell_left(core, kLoadBoundary, "3D loads still read L1 as a ring", "SetLoadDataBoundary(0)");
  for (const auto& [id, origin] : taken_ids_) {
    core.note(Code::kStateLeft,
              fmt::format("AllocEventID: when the block ends, identifier {} of {} is still taken",
                          id.second, kEvents[id.first].name),
              "one ReleaseEventID for each AllocEventID", &origin);
  }
  taken_ids_.clear();
}

}  // namespace vinci
