// A statement file (docs/spec/tik_statements.md), decoded: flat commands that a Machine runs.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/core.h"
#include "report/source_line.h"
#include "tik/expression.h"
#include "tik/fields.h"

namespace vinci::tik {

// Expressions are numbers of Expressions; -1: there is none.
struct BufferInfo {
  enum class Role : uint8_t { kLocal, kInput, kOutput, kWorkspace, kInit };
  std::string name;
  Role role = Role::kLocal;
  bool cleared = false;  // GM: zeros that count as written
  Position position = Position::GM;
  DType dtype = DType::kNone;
  int elements = -1;        // GM
  bool list = false;        // GM: several arrays
  std::vector<Value> init;  // GM: what is there at the start
  uint64_t address = 0;     // on chip
  uint64_t bytes = 0;
  int address_code = -1, bytes_code = -1;  // on chip, if kPlace says where

  bool is_placed_late() const { return bytes_code >= 0; }
};

struct ScalarInfo {
  std::string name;
  DType dtype = DType::kInt64;
  bool input = false;
  bool loop = false;  // the variable of a for_range
};

struct OperandCode {
  int buffer = 0;
  int offset = -1;  // in elements of dtype
  DType dtype = DType::kNone;
  int index = -1;  // of the array in a list
};

// A register that an instruction leaves a count in.
enum class ReadRegister : uint8_t { kMerged0, kMerged1, kMerged2, kMerged3, kGathered };

struct MaskCode {
  enum class Form : uint8_t { kFirst, kBits, kCount, kElements };
  Form form = Form::kFirst;
  int low = -1, high = -1;  // all but kBits: the number is `low`
};

// A field of a call; which of the codes holds depends on the field's kind.
struct FieldCode {
  const Field* field = nullptr;
  int number = -1;
  OperandCode operand;
  MaskCode mask;
  std::vector<OperandCode> list;
};

struct CallCode {
  const Instruction* instruction = nullptr;
  const RecordType* type = nullptr;
  std::vector<FieldCode> fields;
};

struct Command {
  enum class Do : uint8_t {
    kCall,      // calls[a]
    kSet,       // scalar a = expression b
    kLoad,      // scalar a = bits at operands[b]
    kStore,     // operands[a] = low bits of expression b
    kCopy,      // operands[a] = operands[b], one element
    kRead,      // scalar a = ReadRegister b
    kLoop,      // scalar a from expression b to expression c; target: behind the loop
    kBlocks,    // the same, once for each block
    kNext,      // the innermost loop again, at target
    kUnless,    // to target if expression a is false
    kJump,      // to target
    kBreak,     // the innermost loop ends, to target
    kContinue,  // to target
    kReturn,
    kCheck,  // expression a in b..c of checks
    kPrint,  // a
    kBarrier,
    kFlag,      // of event a, with the identifier that is expression b: c: set, or waited for
    kPipes,     // pipe a has ended what it was given
    kPlace,     // buffer a, from here on
    kForget,    // buffer a, or else scalar b, is defined anew: nobody has written it
    kBlockEnd,  // of the body of kBlocks, whose scalar is a
    kEnd,
  };
  Do what = Do::kEnd;
  int a = -1, b = -1, c = -1;
  int target = -1;
  int file = -1;
  int callers = -1;       // in Program::callers: who called the function that it stands in
  bool own_sync = false;  // only the script's flags order its pipe
  Caller caller;          // views into the program's own strings
};

struct CheckCode {
  int value = -1, least = -1, most = -1;
  std::string what;
};

struct Program {
  // Throws BadStatements.
  explicit Program(const std::string& json);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  std::string kernel, soc;
  bool strict = false;         // what stays in a tensor's last datablock stays in the tensor
  std::string check;           // as --check says it
  bool orders_itself = false;  // some commands have own_sync
  std::vector<std::string> files;
  // Chains of lines in the script, each called from the next one.
  std::vector<std::vector<SourceLine>> callers;
  std::vector<BufferInfo> buffers;
  std::vector<ScalarInfo> scalars;
  Expressions expressions;
  std::vector<CallCode> calls;
  std::vector<OperandCode> operands;
  std::vector<CheckCode> checks;
  std::vector<Command> commands;

 private:
  std::set<std::string> names_;  // that callers view; its strings stay where they are
};

}  // namespace vinci::tik
