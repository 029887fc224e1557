// Decoding the statement file.
#include "tik/program.h"

#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace vinci::tik {
namespace {

using nlohmann::json;
using Do = Command::Do;

Position position_of(const std::string& scope) {
  static const std::map<std::string, Position> kPositions = {
      {"global", Position::GM},    {"local.UB", Position::VECCALC},  {"local.L1", Position::A1},
      {"local.L0A", Position::A2}, {"local.L0B", Position::B2},      {"local.L0C", Position::CO1},
      {"local.BT", Position::C2},  {"local.FB", Position::C2PIPE2GM}};
  const auto found = kPositions.find(scope);
  if (found == kPositions.end()) throw BadStatements(fmt::format("the scope {}", scope));
  return found->second;
}

BufferInfo::Role role_of(const std::string& name) {
  static const std::map<std::string, BufferInfo::Role> kRoles = {
      {"input", BufferInfo::Role::kInput},
      {"output", BufferInfo::Role::kOutput},
      {"workspace", BufferInfo::Role::kWorkspace},
      {"init", BufferInfo::Role::kInit}};
  const auto found = kRoles.find(name);
  if (found == kRoles.end()) throw BadStatements(fmt::format("the role {}", name));
  return found->second;
}

ReadRegister register_named(const std::string& name) {
  static const std::map<std::string, ReadRegister> kRegisters = {
      {"merged0", ReadRegister::kMerged0},
      {"merged1", ReadRegister::kMerged1},
      {"merged2", ReadRegister::kMerged2},
      {"merged3", ReadRegister::kMerged3},
      {"gathered", ReadRegister::kGathered}};
  const auto found = kRegisters.find(name);
  if (found == kRegisters.end()) throw BadStatements(fmt::format("the register {}", name));
  return found->second;
}

Pipe pipe_named(const std::string& name) {
  for (int pipe = 0; pipe < kPipes; ++pipe) {
    if (name_of(Pipe(pipe)) == name) return Pipe(pipe);
  }
  throw BadStatements(fmt::format("the pipe {}", name));
}

const Instruction& instruction_named(const std::string& mnemonic) {
  static const auto* const kByName = [] {
    auto* map = new std::map<std::string_view, const Instruction*>;
    for (const Instruction* instruction : all_instructions()) {
      (*map)[instruction->mnemonic] = instruction;
    }
    return map;
  }();
  const auto found = kByName->find(mnemonic);
  if (found == kByName->end()) throw BadStatements(fmt::format("the instruction {}", mnemonic));
  return *found->second;
}

const std::string& file_of(const std::vector<std::string>& files, int number) {
  if (number < 0 || size_t(number) >= files.size()) {
    throw BadStatements(fmt::format("file {}", number));
  }
  return files[size_t(number)];
}

// Turns nested statements into commands.
class Decoder {
 public:
  Decoder(Program& program, std::set<std::string>& names) : program_(program), names_(names) {}

  void body(const json& statements) {
    for (const json& statement : statements) decode(statement);
  }
  int command(Do what, const json& statement, std::string_view api, int a = -1, int b = -1,
              int c = -1) {
    Command command;
    command.what = what;
    command.a = a;
    command.b = b;
    command.c = c;
    if (const auto at = statement.find("at"); at != statement.end()) {
      command.file = at->at(0);
      command.caller = {*names_.emplace(api).first, file_of(program_.files, command.file),
                        at->at(1).get<int>()};
      if (at->size() > 2) command.callers = at->at(2);
      if (command.callers < -1 || command.callers >= int(program_.callers.size())) {
        throw BadStatements(fmt::format("callers {}", command.callers));
      }
    } else {
      command.caller = {*names_.emplace(api).first, "", 0};
    }
    command.own_sync = statement.value("own_sync", false);
    program_.orders_itself |= command.own_sync;
    program_.commands.push_back(command);
    return int(program_.commands.size()) - 1;
  }

 private:
  struct Loop {
    std::vector<int> breaks, continues;
  };

  int here() const { return int(program_.commands.size()); }
  int expression(const json& json) { return program_.expressions.decode(json); }
  int scalar(const json& json) const {
    const int id = json;
    if (id < 0 || size_t(id) >= program_.scalars.size()) {
      throw BadStatements(fmt::format("scalar {}", id));
    }
    return id;
  }
  int buffer(const json& json) const {
    const int id = json;
    if (id < 0 || size_t(id) >= program_.buffers.size()) {
      throw BadStatements(fmt::format("buffer {}", id));
    }
    return id;
  }
  OperandCode operand(const json& json) {
    OperandCode code;
    code.buffer = buffer(json.at(0));
    code.offset = expression(json.at(1));
    code.dtype = dtype_of_tik(json.at(2));
    if (json.size() > 3) code.index = expression(json.at(3));
    return code;
  }
  std::vector<OperandCode> operands(const json& list, const Field& field) {
    if (int64_t(list.size()) < field.least || int64_t(list.size()) > field.most) {
      throw BadStatements(fmt::format("{} with {} operands", field.name, list.size()));
    }
    std::vector<OperandCode> codes;
    for (const json& one : list) codes.push_back(operand(one));
    return codes;
  }
  int add_operand(const json& json) {
    program_.operands.push_back(operand(json));
    return int(program_.operands.size()) - 1;
  }
  MaskCode mask(const json& json);
  int call(const json& statement);
  void loop(const json& statement);
  void condition(const json& statement);
  void check(const json& statement);
  void decode(const json& statement);

  Program& program_;
  std::set<std::string>& names_;
  std::vector<Loop> loops_;
};

MaskCode Decoder::mask(const json& json) {
  MaskCode code;
  if (const auto bits = json.find("bits"); bits != json.end()) {
    if (bits->size() != 2) throw BadStatements(fmt::format("a mask of {} words", bits->size()));
    code.form = MaskCode::Form::kBits;
    code.high = expression(bits->at(0));
    code.low = expression(bits->at(1));
  } else if (const auto count = json.find("count"); count != json.end()) {
    code.form = MaskCode::Form::kCount;
    code.low = expression(*count);
  } else if (const auto elements = json.find("elements"); elements != json.end()) {
    code.form = MaskCode::Form::kElements;
    code.low = expression(*elements);
  } else {
    code.low = expression(json.at("first"));
  }
  return code;
}

int Decoder::call(const json& statement) {
  CallCode code;
  code.instruction = &instruction_named(statement.at("instruction"));
  code.type = record_type_of(*code.instruction);
  if (code.type == nullptr) {
    throw BadStatements(fmt::format("{} has no fields here", code.instruction->mnemonic));
  }
  for (const auto& [key, value] : statement.items()) {
    if (key == "do" || key == "at" || key == "as" || key == "instruction" || key == "own_sync") {
      continue;
    }
    FieldCode field;
    field.field = code.type->find(key);
    if (field.field == nullptr) {
      throw BadStatements(fmt::format("{} has no field {}", code.instruction->mnemonic, key));
    }
    switch (field.field->kind) {
      case Field::Kind::kNumber: field.number = expression(value); break;
      case Field::Kind::kOperand: field.operand = operand(value); break;
      case Field::Kind::kMask: field.mask = mask(value); break;
      case Field::Kind::kList: field.list = operands(value, *field.field); break;
    }
    code.fields.push_back(field);
  }
  program_.calls.push_back(std::move(code));
  return int(program_.calls.size()) - 1;
}

void Decoder::loop(const json& statement) {
  const bool blocks = statement.value("blocks", false);
  const int var = scalar(statement.at("var"));
  program_.scalars[size_t(var)].loop = true;
  const int start = command(blocks ? Do::kBlocks : Do::kLoop, statement, "for_range", var,
                            expression(statement.at("from")), expression(statement.at("to")));
  if (!blocks) loops_.emplace_back();
  body(statement.at("body"));
  const int next = command(blocks ? Do::kBlockEnd : Do::kNext, statement, "for_range", var);
  program_.commands[size_t(next)].target = start + 1;
  program_.commands[size_t(start)].target = here();
  if (blocks) return;
  for (const int at : loops_.back().breaks) program_.commands[size_t(at)].target = here();
  for (const int at : loops_.back().continues) program_.commands[size_t(at)].target = next;
  loops_.pop_back();
}

void Decoder::condition(const json& statement) {
  const int test = command(Do::kUnless, statement, "if_scope", expression(statement.at("when")));
  body(statement.at("then"));
  const auto otherwise = statement.find("else");
  if (otherwise == statement.end() || otherwise->empty()) {
    program_.commands[size_t(test)].target = here();
    return;
  }
  const int jump = command(Do::kJump, statement, "if_scope");
  program_.commands[size_t(test)].target = here();
  body(*otherwise);
  program_.commands[size_t(jump)].target = here();
}

void Decoder::check(const json& statement) {
  program_.checks.push_back({expression(statement.at("value")), expression(statement.at("least")),
                             expression(statement.at("most")), statement.at("what")});
  command(Do::kCheck, statement, statement.value("as", ""), int(program_.checks.size()) - 1);
}

void Decoder::decode(const json& statement) {
  const std::string what = statement.at("do");
  if (what == "call") {
    const std::string api = statement.at("as");
    command(Do::kCall, statement, api, call(statement));
  } else if (what == "set") {
    command(Do::kSet, statement, "set_as", scalar(statement.at("scalar")),
            expression(statement.at("value")));
  } else if (what == "load") {
    command(Do::kLoad, statement, "set_as", scalar(statement.at("scalar")),
            add_operand(statement.at("from")));
  } else if (what == "store") {
    command(Do::kStore, statement, "set_as", add_operand(statement.at("to")),
            expression(statement.at("value")));
  } else if (what == "copy") {
    const int to = add_operand(statement.at("to"));
    command(Do::kCopy, statement, "set_as", to, add_operand(statement.at("from")));
  } else if (what == "read") {
    command(Do::kRead, statement, statement.at("as").get<std::string>(),
            scalar(statement.at("scalar")), int(register_named(statement.at("register"))));
  } else if (what == "for") {
    loop(statement);
  } else if (what == "if") {
    condition(statement);
  } else if (what == "break" || what == "continue") {
    if (loops_.empty()) throw BadStatements(what + " outside a loop");
    const bool leaves = what == "break";
    const int at = command(leaves ? Do::kBreak : Do::kContinue, statement, "tik_" + what);
    (leaves ? loops_.back().breaks : loops_.back().continues).push_back(at);
  } else if (what == "return") {
    command(Do::kReturn, statement, "tik_return");
  } else if (what == "check") {
    check(statement);
  } else if (what == "print") {
    command(Do::kPrint, statement, "debug_print", statement.at("id").get<int>());
  } else if (what == "barrier") {
    command(Do::kBarrier, statement, "block_barrier");
  } else if (what == "flag") {
    const bool sets = statement.at("set");
    command(Do::kFlag, statement, sets ? "set_flag" : "wait_flag",
            int(event_between(pipe_named(statement.at("from")), pipe_named(statement.at("to")))),
            expression(statement.at("id")), sets);
  } else if (what == "pipes") {
    command(Do::kPipes, statement, "pipe_barrier", int(pipe_named(statement.at("pipe"))));
  } else if (what == "place") {
    const int id = buffer(statement.at("buffer"));
    if (!program_.buffers[size_t(id)].is_placed_late()) {
      throw BadStatements(fmt::format("place of buffer {}, which lies where it lies", id));
    }
    command(Do::kPlace, statement, "Tensor", id);
  } else if (what == "forget") {
    const bool tensor = statement.contains("buffer");
    const int id = tensor ? buffer(statement.at("buffer")) : scalar(statement.at("scalar"));
    command(Do::kForget, statement, tensor ? "Tensor" : "Scalar", tensor ? id : -1,
            tensor ? -1 : id);
  } else {
    throw BadStatements("the statement " + what);
  }
}

BufferInfo buffer_of(const json& json, Expressions& expressions) {
  BufferInfo info;
  info.name = json.at("name");
  info.position = position_of(json.at("scope"));
  info.dtype = dtype_of_tik(json.at("dtype"));
  if (info.position == Position::GM) {
    info.role = role_of(json.at("role"));
    info.elements = expressions.decode(json.at("elements"));
    info.list = json.value("list", false);
    info.cleared = json.value("cleared", false);
    if (info.role == BufferInfo::Role::kInit) {
      for (const auto& number : json.at("init")) {
        info.init.push_back(decode_number(info.dtype, number));
      }
    }
  } else {
    const auto& address = json.at("address");
    const auto& bytes = json.at("bytes");
    if (address.is_number_unsigned() && bytes.is_number_unsigned()) {
      info.address = address;
      info.bytes = bytes;
    } else {
      info.address_code = expressions.decode(address);
      info.bytes_code = expressions.decode(bytes);
    }
  }
  return info;
}

}  // namespace

Program::Program(const std::string& text) {
  try {
    const json file = json::parse(text);
    if (file.at("vinci_statements") != 1) throw BadStatements("a version that is not 1");
    kernel = file.at("kernel");
    soc = file.at("soc");
    strict = file.value("strict", false);
    check = file.value("check", "full");
    files = file.at("files").get<std::vector<std::string>>();
    for (const json& chain : file.value("callers", json::array())) {
      std::vector<SourceLine>& lines = callers.emplace_back();
      for (const json& at : chain) lines.push_back({file_of(files, at.at(0)), at.at(1), ""});
    }
    for (const json& scalar : file.at("scalars")) {
      scalars.push_back(
          {scalar.at("name"), dtype_of_tik(scalar.at("dtype")), scalar.value("input", false)});
    }
    expressions.set_scalars(scalars.size());
    for (const json& buffer : file.at("buffers")) {
      buffers.push_back(buffer_of(buffer, expressions));
    }
    Decoder decoder(*this, names_);
    decoder.body(file.at("body"));
    decoder.command(Do::kEnd, json::object(), "");
  } catch (const json::exception& error) {
    throw BadStatements(error.what());
  }
}

}  // namespace vinci::tik
