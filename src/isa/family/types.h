// The C++ types behind a table of types. A table of Support, or of Signatures, is the only place
// that says an instruction's types: the door judges calls by it, `vinci list` shows it, and the
// loops below are compiled for what it names. A type that it names and no loop can take does not
// compile.
#pragma once

#include <span>

#include "core/instruction.h"

namespace vinci::vector {

// Whether rule(signature) holds for each signature of a table.
template <class Rule>
constexpr bool each_signature(std::span<const Signature> table, Rule rule) {
  return std::all_of(table.begin(), table.end(), rule);
}
template <class Rule>
constexpr bool each_signature(std::span<const Support> table, Rule rule) {
  return std::all_of(table.begin(), table.end(),
                     [&](const Support& row) { return each_signature(row.signatures, rule); });
}

// The type of an operand, 0 for dst. Of signatures of one type all operands have it.
constexpr DType type_at(const Signature& signature, unsigned place) {
  const DType type = signature.types[place];
  return type == DType::kNone ? signature.types[0] : type;
}

// Whether a table has a call with this type, or one so wide, as an operand.
template <class Table>
constexpr bool names_type(const Table& table, DType type, unsigned place = 0) {
  return !each_signature(table, [&](const Signature& s) { return type_at(s, place) != type; });
}
template <class Table>
constexpr bool names_width(const Table& table, unsigned bits, unsigned place = 0) {
  return !each_signature(table,
                         [&](const Signature& s) { return bits_of(type_at(s, place)) != bits; });
}

// Whether all calls of a table have types that `known` names in the same place.
template <class Table, class Known>
constexpr bool names_only(const Table& table, const Known& known, unsigned place = 0) {
  return each_signature(
      table, [&](const Signature& s) { return names_type(known, type_at(s, place), place); });
}

// Calls f.operator()<T>() for the type T of an operand, one of those that the table names there.
template <const auto& table, unsigned place = 0, class F>
void with_type(DType type, F f) {
  const auto try_one = [&]<class T>() {
    if constexpr (names_type(table, dtype_of<T>, place)) {
      if (type == dtype_of<T>) f.template operator()<T>();
    }
  };
  const auto try_all = [&]<class... Ts>() {
    static_assert(
        each_signature(
            table, [](const Signature& s) { return (... || (type_at(s, place) == dtype_of<Ts>)); }),
        "a type without lanes of whole bytes");
    (try_one.template operator()<Ts>(), ...);
  };
  try_all.template operator()<half, bfloat16_t, float, int8_t, uint8_t, int16_t, uint16_t, int32_t,
                              uint32_t, int64_t, uint64_t>();
}

// Calls f.operator()<To, From>() for the types of dst and src0.
template <const auto& table, class R, class F>
void with_types(const R& record, F f) {
  with_type<table>(record.dst.dtype, [&]<class To>() {
    with_type<table, 1>(record.src0.dtype, [&]<class From>() {
      constexpr auto kOther = [](const Signature& s) {
        return type_at(s, 0) != dtype_of<To> || type_at(s, 1) != dtype_of<From>;
      };
      if constexpr (!each_signature(table, kOther)) f.template operator()<To, From>();
    });
  });
}

// Calls f.operator()<U>() for the unsigned integer U as wide as the type.
template <const auto& table, unsigned place = 0, class F>
void with_width(DType type, F f) {
  const auto try_one = [&]<class U>() {
    if constexpr (names_width(table, 8 * sizeof(U), place)) {
      if (bits_of(type) == 8 * sizeof(U)) f.template operator()<U>();
    }
  };
  static_assert(!names_width(table, 4, place), "4 bits have no unsigned integer of their width");
  try_one.template operator()<uint8_t>();
  try_one.template operator()<uint16_t>();
  try_one.template operator()<uint32_t>();
  try_one.template operator()<uint64_t>();
}

}  // namespace vinci::vector
