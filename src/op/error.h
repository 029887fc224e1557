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

  // `function`: the one of the package that went wrong; nullptr: it is not known.
  Error(Kind kind, const std::string& message, const void* function = nullptr)
      : std::runtime_error(message), kind_(kind), function_(function) {}
  Kind kind() const { return kind_; }
  const void* function() const { return function_; }

 private:
  Kind kind_;
  const void* function_;
};

}  // namespace vinci::op
