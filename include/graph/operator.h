// An operator of a graph, as far as plugins for frameworks speak of it. There are no graphs here, so
// nothing calls them: it holds nothing.
#pragma once

#include "graph/ascend_string.h"
#include "graph/types.h"

namespace ge {

class Operator {
 public:
  Operator() = default;
  explicit Operator(const char*) {}
  Operator(const char*, const char*) {}

  graphStatus GetName(AscendString&) const { return GRAPH_FAILED; }
  graphStatus GetOpType(AscendString&) const { return GRAPH_FAILED; }
  size_t GetInputsSize() const { return 0; }
  size_t GetOutputsSize() const { return 0; }
  template <typename Name, typename Value>
  graphStatus GetAttr(const Name&, Value&) const {
    return GRAPH_FAILED;
  }
  template <typename Name, typename Value>
  Operator& SetAttr(const Name&, const Value&) {
    return *this;
  }
};

}  // namespace ge
