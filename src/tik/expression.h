// Expressions of the statement file (docs/spec/tik_statements.md): decoded once, evaluated often.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tik/value.h"

namespace vinci::tik {

// What the expressions of one block read: scalars and loop variables.
struct Scalars {
  std::vector<Value> values;
  std::vector<uint8_t> known;  // nobody has set the others
};

// What stops a statement: told at its line.
struct Undefined {
  int scalar;
};
struct DividedByZero {};
// An integer parameter of a call and its legal numbers.
struct Limits {
  int64_t least = 0, most = 0;
  std::string what;  // as the script calls it
};
struct OutOfRange {
  const Limits& limits;
  Value got;
};

// A statement file that breaks its own rules.
struct BadStatements : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// "float16" and so on, as TIK calls the types. Throws BadStatements.
DType dtype_of_tik(const std::string& name);
std::string tik_name_of(DType type);

// A number of the file as a number of a type. Throws BadStatements.
Value decode_number(DType type, const nlohmann::json& json);

// All expressions of a program; one is its number.
class Expressions {
 public:
  // How many scalars there are, before any expression is decoded.
  void set_scalars(size_t count) { scalars_ = count; }
  // Throws BadStatements.
  int decode(const nlohmann::json& json);
  // Throws Undefined, DividedByZero or OutOfRange, which refers to this.
  Value evaluate(int expression, const Scalars& scalars) const;

 private:
  enum class Op : uint8_t {
    kNumber,
    kScalar,
    kCast,
    kRound,
    kAdd,
    kSub,
    kMul,
    kDiv,
    kMod,
    kMin,
    kMax,
    kBitAnd,
    kBitOr,
    kBitXor,
    kShiftLeft,
    kShiftRight,
    kEqual,
    kUnequal,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kAnd,
    kOr,
    kNot,
    kNegate,
    kAbs,
    kSqrt,
    kInvert,
    kCountBit0,
    kCountBit1,
    kCountLeading0,
    kWithin,  // b is a number of limits_
  };
  struct Node {
    Op op = Op::kNumber;
    Value number;  // its type is the operation's
    int a = -1, b = -1;
    Round mode = Round::kTrunc;
  };

  int add(const Node& node);
  int add_limits(const nlohmann::json& json);
  int add_number(DType type, const nlohmann::json& json) {
    Node node;
    node.number = decode_number(type, json);
    return add(node);
  }
  static Value binary(Op op, const Value& a, const Value& b);
  static Value unary(Op op, const Value& a);
  static bool compare(Op op, const Value& a, const Value& b);

  size_t scalars_ = 0;
  std::vector<Node> nodes_;
  std::vector<Limits> limits_;
};

}  // namespace vinci::tik
