// What goes wrong around a kernel: a kind, which says who has to act, and a message for the user.
#pragma once

#include <stdexcept>
#include <string>

namespace vinci::launch {

class Error : public std::runtime_error {
 public:
  enum class Kind {
    kUsage,     // whoever calls vinci
    kCompile,   // whoever wrote the source, or set up the compiler
    kLacks,     // vinci or the chip cannot do it
    kInternal,  // the host has no process, no pipe; or vinci is wrong
  };

  Error(Kind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

inline Error usage(const std::string& message) { return {Error::Kind::kUsage, message}; }

}  // namespace vinci::launch
