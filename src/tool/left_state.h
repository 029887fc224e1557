// Tool: registers that a kernel sets for some instructions are as it found them when it ends, and
// no other instruction works with what is in them by accident.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "vinci/tool.h"

namespace vinci {

class LeftState final : public ToolOf<LeftState> {
 public:
  std::string_view name() const override { return "left state"; }
  void on_block_begin(CoreView& core) override;
  void on_block_end(CoreView& core) override;
  void on_reset(CoreView&) override { taken_ids_.clear(); }
  [[gnu::hot]] void on_issue(CoreView& core, const Record& record,
                             std::span<const Region>) override;
  [[gnu::hot]] void before_run(CoreView& core, const Step& step) override;
  [[gnu::hot]] void on_registers(CoreView& core, const Record& record) override;
  void on_event_id(CoreView&, uint32_t event, int32_t id, bool taken) override;

 private:
  // What is followed.
  enum Item : uint8_t {
    kMask,
    kCounter,
    kAtomic,
    kFloats,
    kIntegers,
    kCasts,
    kHf32,
    kHf32Ties,
    kLoadBoundary,
    kPadding,
    kCopyPadding,
    kItems
  };
  struct Value {
    uint64_t low = 0, high = 0;

    friend bool operator==(const Value&, const Value&) = default;
  };
  struct Values {
    std::array<uint64_t, kItems> words{};
    uint64_t mask_high = 0;  // of 128 lanes

    Value operator[](size_t item) const { return {words[item], item == kMask ? mask_high : 0}; }
  };
  // What SetVectorMask said that its arguments are.
  enum class Meaning : uint8_t { kEither, kLanes, kNumber };
  // How an item's value came there.
  struct Writer {
    bool sets = false;  // a call that is there to do so; else the value is a by-product
    Meaning meaning = Meaning::kEither;
    std::string_view api;
    Origin origin{};
    bool was_set = false;  // in this block, by such a call: to `value`
    Value value;
  };

  template <class F>
  static void for_each_word(Values& values, const Registers& registers, F f);
  static Values values_of(const Registers& registers);
  [[gnu::hot]] bool is_as_before(const Registers& registers);
  // The item that the call is there to set; kItems: none.
  [[gnu::hot]] static Item set_by(const Record& record);
  static Meaning meaning_of(const Record& record);

  void judge_mask(CoreView& core);
  [[gnu::cold]] void judge_number(CoreView& core, const Record& record,
                                  std::span<const Region> regions);
  void judge_padding(CoreView& core, Item item, std::string_view setter, std::string_view own);
  void tell_taken(CoreView& core, std::string_view what, const Writer& writer, std::string legal);
  void tell_left(CoreView& core, Item item, std::string_view what, std::string legal);

  Values found_{}, values_{};
  std::array<Writer, kItems> writers_{};
  bool scale_is_set_ = false;  // by SetDeqScale, in this block
  // Identifiers of events that AllocEventID handed out, and where.
  std::map<std::pair<uint32_t, int32_t>, Origin> taken_ids_;
};

}  // namespace vinci
