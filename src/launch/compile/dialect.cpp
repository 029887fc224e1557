#include "launch/compile/dialect.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "launch/compile/token_source.h"

namespace vinci::launch {
namespace {

class Translator {
 public:
  Translator(std::string_view text, Pass pass, DeviceBodies bodies)
      : text_(text), source_(text), pass_(pass), leaves_out_(bodies == DeviceBodies::kLeftOut) {}

  Translation translate() {
    read_kernels();
    const bool prints = pass_ != Pass::kHost && text_.find("namespace AscendC") != text_.npos;
    for (size_t at = 0; at < source_.size(); ++at) {
      const std::string_view word = source_.word(at);
      if (leaves_out_ && is_one_of(word, {"__global__", "__aicore__"})) body_ = body_behind(at);
      if (leaves_out_ && at == body_) {
        at = leave_out_body(at);
      } else if (word == "__global__") {
        replace(at, at + 1, kAttributes[size_t(pass_)]);
      } else if (word == "__aicore__") {
        replace(at, at + 1, "");
      } else if (word == "__vector__" || word == "__cube__") {
        replace(at, at + 1, "");
      } else if (word == "__mix__" && source_.is(at + 1, '(')) {
        const size_t end = source_.behind_brackets(at + 1).value_or(at + 1);
        replace(at, end, "");
        at = end - 1;
      } else if (const auto position = position_of(word); !position.empty()) {
        at = local_variable(at, position);
      } else if (prints && word == "printf" && calls_unqualified(at)) {
        replace(at, at + 1, "::AscendC::printf");
      } else if (source_.is_angles(at, '<')) {
        at = launch(at);
      }
      if (const auto kernel = ends_.find(at); kernel != ends_.end()) add_entry(at, kernel->second);
    }
    result_.text += text_.substr(copied_);
    return std::move(result_);
  }

 private:
  // By the section `vinci run` knows kernels.
  static constexpr std::string_view kAttributes[] = {
      "__attribute__((unused))", "__attribute__((used))",
      "__attribute__((used, visibility(\"default\"), section(\"vinci_kernel\")))"};

  void read_kernels() {
    for (FoundKernel& kernel : kernels_of(source_)) {
      const bool can_be_found = kernel.text.is_defined && !kernel.text.is_template;
      if (can_be_found && pass_ != Pass::kFile) ends_[kernel.end] = result_.kernels.size();
      result_.kernels.push_back(std::move(kernel.text));
    }
  }

  void replace(size_t begin, size_t end, std::string_view by) {
    result_.text += text_.substr(copied_, source_.token(begin).begin - copied_);
    result_.text += by;
    copied_ = source_.token(end - 1).end;
  }

  // Of a word for one of the core's memories; empty for other words.
  static std::string_view position_of(std::string_view word) {
    constexpr std::pair<std::string_view, std::string_view> kMemories[] = {
        {"__ubuf__", "VECCALC"}, {"__cbuf__", "A1"},    {"__ca__", "A2"},         {"__cb__", "B2"},
        {"__cc__", "CO1"},       {"__biasbuf__", "C2"}, {"__fbuf__", "C2PIPE2GM"}};
    for (const auto& [memory, position] : kMemories) {
      if (memory == word) return position;
    }
    return {};
  }

  // `__ubuf__ type name[length], ...;` declares references to what the core has in that memory, and
  // so does `__ubuf__ type name{};`. Elsewhere the word means nothing.
  size_t local_variable(size_t at, std::string_view position) {
    size_t name = at + 1;
    while (source_.is_name(name + 1) || source_.is(name + 1, ':')) ++name;
    const std::string type(source_.text(at + 1, name));
    size_t end = name;
    std::string made;
    while (source_.is_name(end)) {
      const size_t lengths = end + 1;
      made += fmt::format("{} ", made.empty() ? type : ",");
      for (end = lengths; source_.is(end, '[');)
        end = source_.behind_brackets(end).value_or(end + 1);
      const std::string_view length = source_.text(lengths, end);
      std::string whole = fmt::format("{} {}", type, length);
      std::ranges::replace(whole, '\n', ' ');
      made += fmt::format(
          "(&{}){} = ::vinci::local_variable<::vinci::Position::{}, {}>"
          "([] {{ static const char vinci_here = 0; return &vinci_here; }}())",
          source_.word(lengths - 1), length, position, whole);
      if (source_.is(end, '{') && source_.is(end + 1, '}')) end += 2;
      if (!source_.is(end, ',')) break;
      ++end;
    }
    if (type.empty() || !source_.is(end, ';') || (at > 0 && source_.word(at - 1) == "extern")) {
      replace(at, at + 1, "");
      return at;
    }
    replace(at > 0 && source_.word(at - 1) == "static" ? at - 1 : at, end, made);
    return end - 1;
  }

  // Behind the body that ends at `at`: what makes the kernel one that a program can find.
  void add_entry(size_t at, size_t index) {
    const KernelText& kernel = result_.kernels[index];
    const auto is_namesake = [&](const KernelText& other) {
      return other.is_defined && other.name == kernel.name && &other != &kernel;
    };
    std::string name = "&" + kernel.name;
    if (std::ranges::any_of(result_.kernels, is_namesake)) {
      std::vector<std::string> types;
      for (const auto& parameter : kernel.parameters) types.push_back(parameter.type);
      name = fmt::format("static_cast<void (*)({})>({})", fmt::join(types, ", "), name);
      std::ranges::replace(name, '\n', ' ');
    }
    result_.text += text_.substr(copied_, source_.token(at).end - copied_);
    result_.text += fmt::format(
        " __attribute__((unused)) static const bool vinci_kernel_{} = "
        "::vinci::host::Kernel<{}>::add(\"{}\");",
        index, name, kernel.type);
    copied_ = source_.token(at).end;
  }

  // The { of the body of the function whose qualifier is at `at`; nothing: there is none, or the
  // function gives something that the host may want to know.
  std::optional<size_t> body_behind(size_t at) const {
    bool gives_nothing = at > 0 && source_.word(at - 1) == "void";
    for (++at; at < source_.size() && !source_.is(at, ';') && !source_.is(at, '}'); ++at) {
      gives_nothing |= source_.word(at) == "void" && !source_.is(at + 1, '*');
      if (source_.is(at, '{')) return gives_nothing ? std::optional(at) : std::nullopt;
      if (source_.opens(at)) at = source_.behind_brackets(at).value_or(source_.size()) - 1;
    }
    return std::nullopt;
  }

  // All but the lines' ends and markers; the token of the } that closes it.
  size_t leave_out_body(size_t at) {
    const auto behind = source_.behind_brackets(at);
    if (!behind) return at;
    const size_t end = source_.token(*behind - 1).begin;
    replace(at, at + 1, "{");
    while (copied_ < end) {
      const size_t line_end = std::min(text_.find('\n', copied_), end - 1) + 1;
      const std::string_view line = text_.substr(copied_, line_end - copied_);
      if (line.starts_with('#')) {
        result_.text += line;
      } else if (line.ends_with('\n')) {
        result_.text += '\n';
      }
      copied_ = line_end;
    }
    return *behind - 1;
  }

  // No declaration, no member, no name of another namespace.
  bool calls_unqualified(size_t at) const {
    if (!source_.is(at + 1, '(')) return false;
    if (at == 0) return true;
    if (source_.is_name(at - 1)) return is_one_of(source_.word(at - 1), {"return", "else", "do"});
    return !source_.is(at - 1, ':') && !source_.is(at - 1, '.') && !source_.is(at - 1, '>') &&
           !source_.is(at - 1, '*');
  }

  // The first token of the kernel that ends before `end`: names, ::, and template arguments.
  std::optional<size_t> begin_of_kernel(size_t end) const {
    size_t at = end;
    if (at > 0 && source_.is(at - 1, '>')) {
      const auto angles = source_.begin_of_angles(at);
      if (!angles) return std::nullopt;
      at = *angles;
    }
    if (at == 0 || !source_.is_name(at - 1) || source_.word(at - 1) == "operator") {
      return std::nullopt;
    }
    --at;
    while (at >= 2 && source_.is(at - 1, ':') && source_.is(at - 2, ':')) {
      at -= 2;
      if (source_.is_name(at - 1)) --at;
    }
    return at;
  }

  // What a launch calls: its tokens, and the first of them with the parentheses around it.
  struct Callee {
    size_t from, begin, end;
  };
  std::optional<Callee> callee_before(size_t end) const {
    size_t brackets = 0;
    while (end > brackets && source_.is(end - brackets - 1, ')')) ++brackets;
    const size_t last = end - brackets;
    const auto begin = begin_of_kernel(last);
    if (!begin || *begin < brackets) return std::nullopt;
    for (size_t i = 1; i <= brackets; ++i) {
      if (!source_.is(*begin - i, '(')) return std::nullopt;
    }
    const size_t from = *begin - brackets;
    return brackets > 0 && ends_expression(from) ? std::nullopt
                                                 : std::optional(Callee{from, *begin, last});
  }
  // Whether ( would call what stands before this token.
  bool ends_expression(size_t at) const {
    if (at == 0) return false;
    if (source_.is_name(at - 1)) return !is_one_of(source_.word(at - 1), {"return", "else", "do"});
    return source_.is(at - 1, ']') || source_.is(at - 1, '>');
  }

  // The token of the first >>> outside brackets.
  std::optional<size_t> end_of_configuration(size_t at) const {
    while (at + 2 < source_.size() && !source_.is(at, ';') && !source_.is_angles(at, '<')) {
      if (source_.is_angles(at, '>')) return at;
      if (source_.closes(at)) return std::nullopt;
      at = source_.opens(at) ? source_.behind_brackets(at).value_or(source_.size()) : at + 1;
    }
    return std::nullopt;
  }

  // Whether a program's kernel, whose name stands in these tokens, is defined by another file: then
  // that file's passes have made what the cores run.
  bool is_only_declared(size_t begin, size_t end) const {
    if (pass_ == Pass::kFile || begin == end || source_.is(end - 1, '>')) return false;
    const KernelText* first = nullptr;
    for (const KernelText& kernel : result_.kernels) {
      if (kernel.name != source_.word(end - 1)) continue;
      if (first == nullptr) first = &kernel;
      // Overloads, and kernels of other namespaces, could be meant as well.
      const bool is_same =
          kernel.scope == first->scope &&
          std::ranges::equal(kernel.parameters, first->parameters, {}, &KernelText::Parameter::type,
                             &KernelText::Parameter::type);
      if (kernel.is_defined || kernel.is_template || !is_same) return false;
    }
    return first != nullptr;
  }

  // What the source says of the kernel whose name and template arguments stand in these tokens.
  std::string type_of(size_t begin, size_t end) const {
    size_t name = begin;
    for (size_t at = begin; at < end && !source_.is(at, '<'); ++at) {
      if (source_.is_name(at)) name = at;
    }
    for (const KernelText& kernel : result_.kernels) {
      if (kernel.name == source_.word(name) && !kernel.type.empty()) return kernel.type;
    }
    return "";
  }

  static std::string literal(std::string_view text) {
    std::string result = "\"";
    for (char c : text) {
      if (c == '"' || c == '\\') result += '\\';
      result += c == '\n' ? ' ' : c;
    }
    return result + '"';
  }

  // Rewrites the launch whose <<< is at `at`; the token to go on behind.
  size_t launch(size_t at) {
    const auto kernel = callee_before(at);
    const auto end = end_of_configuration(at + 3);
    if (!kernel || !end || !source_.is(*end + 3, '(') ||
        source_.token(kernel->from).begin < copied_) {
      return at + 2;
    }
    const size_t from = source_.token(kernel->from).begin, open = source_.token(at).begin;
    const size_t inside = source_.token(at + 2).end, close = source_.token(*end).begin;
    result_.text += text_.substr(copied_, from - copied_);
    std::string called(text_.substr(from, open - from));
    std::string type = '"' + type_of(kernel->begin, kernel->end) + '"';
    std::string again = called;  // in one line: the lines are the call's
    std::ranges::replace(again, '\n', ' ');
    if (is_only_declared(kernel->begin, kernel->end)) {
      constexpr std::string_view kDeclared = "::vinci::host::Declared<&{}>::{}";
      type = fmt::format(kDeclared, again, fmt::format("type({})", type));
      called = fmt::format(kDeclared, called, "run");
      again = fmt::format(kDeclared, again, "run");
    }
    // The configuration stands last, so that what it says stays in its lines.
    result_.text += fmt::format(
        "::vinci::launch_site([](auto&&... vinci_a) {{ "
        "{}(static_cast<decltype(vinci_a)&&>(vinci_a)...); }}, "
        "[](auto vinci_t) -> decltype(::vinci::host::parameters(vinci_t, {})) {{ return {{}}; }}, "
        "{}, {}, {})",
        called, again, literal(source_.text(kernel->begin, kernel->end)), type,
        text_.substr(inside, close - inside));
    copied_ = source_.token(*end + 2).end;
    return *end + 2;
  }

  const std::string_view text_;
  const Source source_;
  const Pass pass_;
  const bool leaves_out_;
  std::map<size_t, size_t> ends_;  // of kernels' bodies; to their place in the result
  std::optional<size_t> body_;     // of the last function of device code
  Translation result_;
  size_t copied_ = 0;  // of the text
};

// [aicore], [host, aicore] and [aicore, host] as the word __aicore__.
std::string without_bracketed_qualifiers(std::string_view text) {
  const Source source(text);
  std::string result;
  size_t copied = 0;
  for (size_t at = 0; at < source.size(); ++at) {
    if (!source.is(at, '[')) continue;
    const bool two = source.is(at + 2, ',');
    const size_t close = at + (two ? 4 : 2);
    if (!source.is(close, ']')) continue;
    const std::string_view first = source.word(at + 1), last = source.word(close - 1);
    if (!is_one_of(first, {"aicore", "host"}) || !is_one_of(last, {"aicore", "host"})) continue;
    if (!two && first == "host") continue;  // an index
    result += text.substr(copied, source.token(at).begin - copied);
    result += "__aicore__";
    copied = source.token(close).end;
  }
  result += text.substr(copied);
  return result;
}

}  // namespace

bool lacks_header(std::string_view text) {
  return text.find("__global__") != text.npos && text.find("/ascendc/tensor.h\"") == text.npos;
}

std::vector<std::string> with_header() { return {"-include", "kernel_operator.h"}; }

bool is_written_with_brackets(std::string_view text) {
  return text.find("aicore]") != text.npos || text.find("[aicore") != text.npos;
}

Translation as_cxx(std::string_view text, Pass pass, DeviceBodies bodies) {
  if (!is_written_with_brackets(text)) return Translator(text, pass, bodies).translate();
  const std::string words = without_bracketed_qualifiers(text);
  return Translator(words, pass, bodies).translate();
}

}  // namespace vinci::launch
