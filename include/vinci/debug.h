// What kernels say about themselves: lines of text, contents of tensors, assertions. Not for
// kernels; the names that they use stand in ascendc/debug.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vinci/record.h"

namespace vinci {

// An argument of a printing call. Its own type decides how it is read, not the letters l and h of
// the format.
struct PrintValue {
  enum class Kind : uint8_t { kSigned, kUnsigned, kFloat, kText, kPointer };
  Kind kind = Kind::kSigned;
  uint8_t bytes = 8;  // of an integer as the kernel has it
  union {
    int64_t number = 0;
    double real;
    const char* text;
    const void* pointer;
  };
};

// As the chip prints: each line begins with the core's kind and block, %x shows 64 bits, and text
// of more than 30 KB is dropped. Returns the bytes printed.
int print_from_chip(const char* format, const PrintValue* values, size_t count);

// `count` elements from the first of `tensor` on, after a line that describes them. `dims` sizes
// make brackets; none of them: one list. `type` replaces the name of the element type; or nullptr.
VINCI_OWN_LINE void dump_tensor(const Operand& tensor, uint32_t desc, uint32_t count,
                                const uint32_t* sizes, uint32_t dims, const char* type);
// Of the CPU twin alone: `count` elements, a datablock each line; all bytes into a file, 0 if that
// has worked.
VINCI_OWN_LINE void print_tensor(const Operand& tensor, uint32_t count);
VINCI_OWN_LINE int32_t save_tensor(const Operand& tensor, const char* file);
// A tensor where a pointer points: into this core's memories, into GM, or, if `position` is another
// than GM, at an offset into its memory.
Operand tensor_at(const void* pointer, Position position, DType type);

// Ends the kernel, or a program outside of one.
[[noreturn]] VINCI_OWN_LINE void assertion_failed(const char* expression, const char* file,
                                                  int line);
// The same with a message of the kernel's, which is printed behind the expression.
[[noreturn]] VINCI_OWN_LINE void assertion_failed(const char* expression, const char* file,
                                                  int line, const char* format,
                                                  const PrintValue* values, size_t count);
[[noreturn]] VINCI_OWN_LINE void trap();

// A line of a kernel's log with its level and place.
void log_line(const char* level, const char* file, int line, const char* function,
              const char* format, const PrintValue* values, size_t count);

// Waits until all that cores before this one print in this round has been printed; true at once
// outside a kernel. False: the launch has ended without this core.
bool await_turn();

// The host's clock in units of 20 ns; now, and when the kernel began on this core.
int64_t system_cycle();
int64_t entry_cycle();
// Where the kernel is.
__attribute__((noinline)) int64_t program_counter();
// The generation of the chip, its number read as hexadecimal digits.
uint32_t arch_version();

}  // namespace vinci
