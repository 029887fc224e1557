// Prototypes of operators for graphs, REG_OP(Add).INPUT(...)...OP_END_FACTORY_REG(Add): there are
// no graphs here, so what they say is taken and dropped.
#pragma once

#include "graph/operator.h"
#include "graph/tensor.h"

namespace vinci::op {
struct Prototype {
  Prototype& said() { return *this; }
};
}  // namespace vinci::op

#define REG_OP(type) \
  __attribute__((unused)) static const auto g_##type##_prototype = ::vinci::op::Prototype()
#define INPUT(...) said()
#define OPTIONAL_INPUT(...) said()
#define DYNAMIC_INPUT(...) said()
#define OUTPUT(...) said()
#define DYNAMIC_OUTPUT(...) said()
#define REQUIRED_ATTR(...) said()
#define ATTR(...) said()
#define DATATYPE(...) said()
#define GRAPH(...) said()
#define DYNAMIC_GRAPH(...) said()
#define INFER_SHAPE_AND_TYPE() said()
#define OP_END_FACTORY_REG(type) said()
