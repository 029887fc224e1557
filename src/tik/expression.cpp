// Decoding and evaluating expressions.
#include "tik/expression.h"

#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace vinci::tik {
namespace {

using nlohmann::json;

constexpr std::pair<const char*, DType> kNames[] = {
    {"int8", DType::kInt8},     {"uint8", DType::kUint8},   {"int16", DType::kInt16},
    {"uint16", DType::kUint16}, {"float16", DType::kHalf},  {"bfloat16", DType::kBfloat16},
    {"int32", DType::kInt32},   {"uint32", DType::kUint32}, {"float32", DType::kFloat},
    {"int64", DType::kInt64},   {"uint64", DType::kUint64}, {"bool", DType::kUint8},
    {"int4", DType::kInt4},
};

Round mode_of_letter(const std::string& letter) {
  static const std::map<std::string, Round> kModes = {
      {"", Round::kNone},   {"r", Round::kRint},  {"f", Round::kFloor}, {"c", Round::kCeil},
      {"a", Round::kRound}, {"z", Round::kTrunc}, {"o", Round::kOdd}};
  const auto found = kModes.find(letter);
  if (found == kModes.end()) throw BadStatements(fmt::format("round mode {}", letter));
  return found->second;
}

float float_named(const std::string& text) {
  if (text == "inf") return std::numeric_limits<float>::infinity();
  if (text == "-inf") return -std::numeric_limits<float>::infinity();
  if (text == "nan") return __builtin_nanf("");
  throw BadStatements(fmt::format("the number {}", text));
}

// The comparisons in the order of Expressions::Op.
template <class Integer>
bool compare_as(int which, Integer a, Integer b) {
  switch (which) {
    case 0: return a == b;
    case 1: return a != b;
    case 2: return a < b;
    case 3: return a <= b;
    case 4: return a > b;
    default: return a >= b;
  }
}

uint64_t divide(const Value& a, const Value& b, bool remainder) {
  if (b.bits == 0) throw DividedByZero();
  if (a.is_unsigned_64()) return remainder ? a.bits % b.bits : a.bits / b.bits;
  if (b.integer() == -1) return remainder ? 0 : 0 - a.bits;  // also of the least number
  return uint64_t(remainder ? a.integer() % b.integer() : a.integer() / b.integer());
}

uint64_t shifted(const Value& a, const Value& b, bool left) {
  const unsigned width = bits_of(a.type);
  const bool all = b.bits >= width;
  if (left) return all ? 0 : a.bits << b.bits;
  if (a.is_unsigned_64()) return all ? 0 : a.bits >> b.bits;
  return uint64_t(a.integer() >> (all ? 63 : b.bits));
}

// The integer part of the square root; 0 of what is negative. The double's may be one off.
uint64_t root_of(const Value& a) {
  if (!a.is_unsigned_64() && a.integer() < 0) return 0;
  auto root = uint64_t(std::sqrt(double(a.bits)));
  constexpr uint64_t kMost = 0xFFFFFFFF;  // whose square still fits
  root = std::min(root, kMost);
  while (root * root > a.bits) --root;
  while (root < kMost && (root + 1) * (root + 1) <= a.bits) ++root;
  return root;
}

}  // namespace

DType dtype_of_tik(const std::string& name) {
  for (const auto& [known, type] : kNames) {
    if (name == known) return type;
  }
  throw BadStatements(fmt::format("the type {}", name));
}

std::string tik_name_of(DType type) {
  for (const auto& [known, candidate] : kNames) {
    if (type == candidate) return known;
  }
  return "?";
}

int Expressions::add(const Node& node) {
  nodes_.push_back(node);
  return int(nodes_.size()) - 1;
}

int Expressions::add_limits(const json& json) {
  limits_.push_back({json.at(1), json.at(2), json.at(3)});
  return int(limits_.size()) - 1;
}

Value decode_number(DType type, const json& number) {
  if (number.is_string()) return value_of(type, float_named(number));
  if (number.is_number_float()) {
    // Rounded once: float16 is not made from a float32.
    const double exact = number.get<double>();
    if (!is_float(type)) return convert({DType::kInt64, uint64_t(int64_t(exact))}, type);
    return value_of(type, type == DType::kFloat ? float(exact) : float_of_double_odd(exact));
  }
  if (number.is_number_unsigned()) return convert({DType::kUint64, number.get<uint64_t>()}, type);
  return convert({DType::kInt64, uint64_t(number.get<int64_t>())}, type);
}

int Expressions::decode(const json& json) {
  if (json.is_number_integer()) return add_number(DType::kInt64, json);
  if (!json.is_array() || json.size() < 2 || !json[0].is_string()) {
    throw BadStatements(fmt::format("the expression {}", json.dump()));
  }
  static const std::map<std::string, Op> kBinary = {
      {"+", Op::kAdd},        {"-", Op::kSub},        {"*", Op::kMul},
      {"/", Op::kDiv},        {"%", Op::kMod},        {"min", Op::kMin},
      {"max", Op::kMax},      {"&", Op::kBitAnd},     {"|", Op::kBitOr},
      {"^", Op::kBitXor},     {"<<", Op::kShiftLeft}, {">>", Op::kShiftRight},
      {"==", Op::kEqual},     {"!=", Op::kUnequal},   {"<", Op::kLess},
      {"<=", Op::kLessEqual}, {">", Op::kGreater},    {">=", Op::kGreaterEqual}};
  static const std::map<std::string, Op> kUnary = {
      {"neg", Op::kNegate},          {"abs", Op::kAbs},
      {"sqrt", Op::kSqrt},           {"~", Op::kInvert},
      {"countbit0", Op::kCountBit0}, {"countbit1", Op::kCountBit1},
      {"cast", Op::kCast},           {"countleading0", Op::kCountLeading0}};
  static const std::map<std::string, Op> kLogic = {
      {"and", Op::kAnd}, {"or", Op::kOr}, {"not", Op::kNot}};

  const std::string op = json[0];
  Node node;
  if (op == "scalar") {
    node.op = Op::kScalar;
    node.a = json[1].get<int>();
    if (node.a < 0 || size_t(node.a) >= scalars_) {
      throw BadStatements(fmt::format("scalar {}", node.a));
    }
  } else if (const auto logic = kLogic.find(op); logic != kLogic.end()) {
    node.op = logic->second;
    node.a = decode(json.at(1));
    if (node.op != Op::kNot) node.b = decode(json.at(2));
  } else if (const auto binary = kBinary.find(op); binary != kBinary.end()) {
    node.op = binary->second;
    node.number.type = dtype_of_tik(json.at(1));
    node.a = decode(json.at(2));
    node.b = decode(json.at(3));
  } else if (const auto unary = kUnary.find(op); unary != kUnary.end()) {
    node.op = unary->second;
    node.number.type = dtype_of_tik(json.at(1));
    node.a = decode(json.at(2));
  } else if (op == "round") {
    node.op = Op::kRound;
    node.number.type = dtype_of_tik(json.at(1));
    node.mode = mode_of_letter(json.at(2));
    node.a = decode(json.at(3));
  } else if (op == "within") {
    node.op = Op::kWithin;
    node.b = add_limits(json);
    node.a = decode(json.at(4));
  } else {
    return add_number(dtype_of_tik(op), json[1]);
  }
  return add(node);
}

Value Expressions::evaluate(int expression, const Scalars& scalars) const {
  const Node& node = nodes_[size_t(expression)];
  if (node.op == Op::kNumber) return node.number;
  if (node.op == Op::kScalar) {
    if (!scalars.known[size_t(node.a)]) throw Undefined{node.a};
    return scalars.values[size_t(node.a)];
  }
  const Value a = evaluate(node.a, scalars);
  const DType type = node.number.type;
  switch (node.op) {
    case Op::kCast: return convert(a, type);
    case Op::kRound: return convert(a, type, node.mode, Overflow::kSaturate);
    case Op::kAnd: return truth(is_true(a) && is_true(evaluate(node.b, scalars)));
    case Op::kOr: return truth(is_true(a) || is_true(evaluate(node.b, scalars)));
    case Op::kNot: return truth(!is_true(a));
    case Op::kWithin: {
      const Limits& limits = limits_[size_t(node.b)];
      if (!lies_within(a, limits.least, limits.most)) throw OutOfRange{limits, a};
      return a;
    }
    default: break;
  }
  if (node.b < 0) return unary(node.op, convert(a, type));
  return binary(node.op, convert(a, type), convert(evaluate(node.b, scalars), type));
}

bool Expressions::compare(Op op, const Value& a, const Value& b) {
  const int which = int(op) - int(Op::kEqual);
  if (is_float(a.type)) return compare_as(which, float_of(a), float_of(b));
  if (a.is_unsigned_64()) return compare_as(which, a.bits, b.bits);
  return compare_as(which, a.integer(), b.integer());
}

Value Expressions::binary(Op op, const Value& a, const Value& b) {
  if (op >= Op::kEqual && op <= Op::kGreaterEqual) return truth(compare(op, a, b));
  if (op == Op::kMin) return compare(Op::kLess, b, a) ? b : a;
  if (op == Op::kMax) return compare(Op::kLess, a, b) ? b : a;
  if (is_float(a.type)) {
    const float x = float_of(a), y = float_of(b);
    switch (op) {
      case Op::kAdd: return value_of(a.type, x + y);
      case Op::kSub: return value_of(a.type, x - y);
      case Op::kMul: return value_of(a.type, x * y);
      case Op::kDiv: return value_of(a.type, x / y);
      default: return value_of(a.type, std::fmod(x, y));
    }
  }
  switch (op) {
    case Op::kAdd: return integer(a.type, a.bits + b.bits);
    case Op::kSub: return integer(a.type, a.bits - b.bits);
    case Op::kMul: return integer(a.type, a.bits * b.bits);
    case Op::kDiv: return integer(a.type, divide(a, b, false));
    case Op::kMod: return integer(a.type, divide(a, b, true));
    case Op::kBitAnd: return integer(a.type, a.bits & b.bits);
    case Op::kBitOr: return integer(a.type, a.bits | b.bits);
    case Op::kBitXor: return integer(a.type, a.bits ^ b.bits);
    case Op::kShiftLeft: return integer(a.type, shifted(a, b, true));
    default: return integer(a.type, shifted(a, b, false));
  }
}

Value Expressions::unary(Op op, const Value& a) {
  const unsigned width = bits_of(a.type);
  const uint64_t bits = width == 64 ? a.bits : a.bits & ((uint64_t{1} << width) - 1);
  switch (op) {
    case Op::kCountBit1: return integer(a.type, uint64_t(std::popcount(bits)));
    case Op::kCountBit0: return integer(a.type, width - unsigned(std::popcount(bits)));
    case Op::kCountLeading0:
      return integer(a.type, unsigned(std::countl_zero(bits)) - (64 - width));
    case Op::kInvert: return integer(a.type, ~a.bits);
    default: break;
  }
  if (is_float(a.type)) {
    const float x = float_of(a);
    return value_of(a.type, op == Op::kSqrt ? std::sqrt(x) : op == Op::kAbs ? std::fabs(x) : -x);
  }
  if (op == Op::kSqrt) return integer(a.type, root_of(a));
  if (op == Op::kAbs && (a.integer() >= 0 || a.is_unsigned_64())) return a;
  return integer(a.type, 0 - a.bits);
}

}  // namespace vinci::tik
