// How a field of a statement is put into a record: one maker for each kind of field.
#pragma once

#include <cstdint>
#include <limits>
#include <new>
#include <string_view>
#include <type_traits>

#include "tik/fields.h"

namespace vinci::tik {

// record.*a.*b..., or an element of an array at its end.
template <auto first, auto... rest, class R>
constexpr auto& reach(R& record) {
  if constexpr (sizeof...(rest) == 0) {
    return record.*first;
  } else {
    return reach<rest...>(record.*first);
  }
}

template <class T>
struct RangeOf {
  static constexpr int64_t kLeast = int64_t(std::numeric_limits<T>::min());
  static constexpr int64_t kMost =
      sizeof(T) == 8 ? INT64_MAX : int64_t(std::numeric_limits<T>::max());
};

template <class T>
constexpr auto underlying() {
  if constexpr (std::is_enum_v<T>) {
    return std::underlying_type_t<T>{};
  } else {
    return T{};
  }
}

template <class R, class T>
constexpr Field number_field(std::string_view name, void (*set)(Record&, const Argument&)) {
  using Integer = decltype(underlying<T>());
  return {name, Field::Kind::kNumber, RangeOf<Integer>::kLeast, RangeOf<Integer>::kMost, set};
}

// A number at record.*path.
template <class R, auto... path>
constexpr Field number(std::string_view name) {
  using T = std::remove_reference_t<decltype(reach<path...>(*static_cast<R*>(nullptr)))>;
  return number_field<R, T>(name, [](Record& record, const Argument& argument) {
    reach<path...>(static_cast<R&>(record)) = T(argument.number.integer());
  });
}

// A number at record.*member[index].
template <class R, auto member, size_t index>
constexpr Field number_at(std::string_view name) {
  using T = std::remove_reference_t<decltype((static_cast<R*>(nullptr)->*member)[0])>;
  return number_field<R, T>(name, [](Record& record, const Argument& argument) {
    (static_cast<R&>(record).*member)[index] = T(argument.number.integer());
  });
}

template <class R, auto... path>
constexpr Field operand(std::string_view name) {
  return {name, Field::Kind::kOperand, 0, 0, [](Record& record, const Argument& argument) {
            reach<path...>(static_cast<R&>(record)) = argument.operand;
          }};
}

// Operands at record.*member, an array; those that the list does not have stay as they are.
template <class R, auto member>
constexpr Field operands(std::string_view name, int64_t least) {
  constexpr auto kMost =
      int64_t(std::extent_v<std::remove_reference_t<decltype(static_cast<R*>(nullptr)->*member)>>);
  static_assert(kMost <= int64_t(kMostOperands));
  return {name, Field::Kind::kList, least, kMost, [](Record& record, const Argument& argument) {
            std::ranges::copy(argument.list, static_cast<R&>(record).*member);
          }};
}

template <class R>
constexpr Field mask() {
  return {"mask", Field::Kind::kMask, 0, 0, [](Record& record, const Argument& argument) {
            Lanes& lanes = static_cast<R&>(record).lanes;
            const auto repeats = lanes.repeats;
            lanes = argument.lanes;
            lanes.repeats = repeats;
          }};
}

template <class R>
constexpr Field repeats() {
  return number<R, &R::lanes, &Lanes::repeats>("repeats");
}

// A number's bits, whatever its type.
template <class R, auto... path>
constexpr Field bits(std::string_view name) {
  return {name, Field::Kind::kNumber, INT64_MIN, INT64_MAX,
          [](Record& record, const Argument& argument) {
            auto& number = reach<path...>(static_cast<R&>(record));
            number = std::remove_reference_t<decltype(number)>(argument.number.bits);
          }};
}

// The type of a number, whatever its value: ["float16", 0].
template <class R, auto member>
constexpr Field dtype(std::string_view name) {
  return {name, Field::Kind::kNumber, INT64_MIN, INT64_MAX,
          [](Record& record, const Argument& argument) {
            static_cast<R&>(record).*member = argument.number.type;
          }};
}

template <class R>
constexpr Field scalar() {
  return {"scalar", Field::Kind::kNumber, INT64_MIN, INT64_MAX,
          [](Record& record, const Argument& argument) {
            auto& elementwise = static_cast<R&>(record);
            elementwise.scalar = argument.number.bits;
            elementwise.scalar_dtype = argument.number.type;
          }};
}

template <class R>
constexpr RecordType type(std::span<const Field> fields) {
  return {&kRecordType<R>, sizeof(R),
          [](void* place, const Instruction& instruction) {
            new (place) R{};
            static_cast<R*>(place)->instruction = &instruction;
          },
          fields};
}

}  // namespace vinci::tik
