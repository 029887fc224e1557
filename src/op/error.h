// What goes wrong with an operator, told to whoever wants to run it.
#pragma once

#include <stdexcept>
#include <string>

namespace vinci::op {

class Error : public std::runtime_error {
 public:
  // Who has to act.
  enum class Kind {
    kDefinition,  // whoever wrote the definition
    kCall,        // whoever calls the operator
    kFunction,    // whoever wrote the tiling or inference function
    kLacks,       // vinci cannot do it
  };

  Error(Kind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

}  // namespace vinci::op
