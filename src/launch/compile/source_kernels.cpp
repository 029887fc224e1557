#include "launch/compile/source_kernels.h"

#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "launch/compile/token_source.h"

namespace vinci::launch {
namespace {

// The namespaces around a token, followed from the beginning.
class Scopes {
 public:
  explicit Scopes(const Source& source) : source_(source) {}

  void pass(size_t at) {
    if (source_.is(at, '{')) {
      open_.push_back(name_before(at));
    } else if (source_.is(at, '}') && !open_.empty()) {
      open_.pop_back();
    }
  }
  std::string text() const { return fmt::format("{}", fmt::join(open_, "")); }

 private:
  // "outer::" for a { that opens a namespace; empty for others.
  std::string name_before(size_t brace) const {
    size_t begin = brace;
    while (begin > 0 && (source_.is(begin - 1, ':') || source_.is_name(begin - 1))) {
      --begin;
      if (source_.word(begin) != "namespace") continue;
      std::string name;
      for (size_t at = begin + 1; at < brace; ++at) name += source_.word(at);
      return name.empty() ? "" : name + "::";
    }
    return "";
  }

  const Source& source_;
  std::vector<std::string> open_;
};

// Finds a kernel around its __global__.
class KernelReader {
 public:
  explicit KernelReader(const Source& source) : source_(source) {}

  // `end` becomes the token of the } of its body.
  std::optional<KernelText> read(size_t global, size_t& end) const {
    const size_t begin = begin_of_qualifiers(global);
    const auto name = name_of(global + 1);
    if (!name) return std::nullopt;
    KernelText kernel;
    kernel.name = source_.word(*name);
    kernel.is_template = begin > 0 && source_.is(begin - 1, '>');
    if (const auto open = kernel.is_template ? source_.begin_of_angles(begin) : std::nullopt) {
      kernel.template_parameters = source_.text(*open + 1, begin - 1);
    }
    kernel.type = qualified(begin, *name);
    size_t open = *name + 1;
    while (!source_.is(open, '(')) ++open;
    const auto behind = source_.behind_brackets(open);
    if (!behind) return std::nullopt;
    read_parameters(open + 1, *behind - 1, kernel);
    kernel.is_defined = source_.is(*behind, '{');
    if (kernel.is_defined) end = source_.behind_brackets(*behind).value_or(source_.size()) - 1;
    if (kernel.is_defined && kernel.type.empty()) {
      kernel.type = stated(*behind, end);
    }
    return kernel;
  }

 private:
  // Qualifiers stand in any order on both sides of __global__.
  size_t begin_of_qualifiers(size_t at) const {
    while (at > 0) {
      if (is_one_of(source_.word(at - 1),
                    {"__vector__", "__cube__", "inline", "static", "extern", "\"C\"", "void"})) {
        --at;
        continue;
      }
      if (!source_.is(at - 1, ')') && !source_.is(at - 1, ']')) return at;
      const size_t open = source_.begin_of_brackets(at - 1);
      if (source_.is(open, '[')) {  // [[attributes]]
        at = open;
        continue;
      }
      if (open == 0 || !is_one_of(source_.word(open - 1), {"__mix__", "__attribute__"})) return at;
      at = open - 1;
    }
    return at;
  }

  // The name before the parameters.
  std::optional<size_t> name_of(size_t at) const {
    for (; at + 1 < source_.size() && !source_.is(at, ';') && !source_.is(at, '{'); ++at) {
      if (source_.is(at, '[')) at = source_.behind_brackets(at).value_or(at + 1) - 1;
      if (!source_.is_name(at)) continue;
      if (source_.word(at) == "__global__") return std::nullopt;  // which finds it
      const bool has_brackets = source_.is(at + 1, '(');
      if (has_brackets && is_one_of(source_.word(at), {"__mix__", "__attribute__", "__asm__"})) {
        const auto behind = source_.behind_brackets(at + 1);
        if (!behind) return std::nullopt;
        at = *behind - 1;
      } else if (has_brackets) {
        return at;
      } else if (source_.is(at + 1, '<')) {  // a specialisation
        const auto behind = source_.behind_angles(at + 1);
        if (!behind) return std::nullopt;
        if (source_.is(*behind, '(')) return at;
        at = *behind - 1;
      }
    }
    return std::nullopt;
  }

  std::string qualified(size_t begin, size_t end) const {
    for (size_t at = begin; at < end; ++at) {
      if (source_.word(at) == "__vector__") return "AIV_ONLY";
      if (source_.word(at) == "__cube__") return "AIC_ONLY";
      // What the compiler's attribute of this name says is the same.
      if (!is_one_of(source_.word(at), {"__mix__", "core_ratio"})) continue;
      const size_t behind = source_.behind_brackets(at + 1).value_or(at + 1);
      std::string mix = "__mix__";
      for (size_t part = at + 1; part < behind; ++part) mix += source_.word(part);
      constexpr std::pair<std::string_view, std::string_view> kMixes[] = {
          {"__mix__(0,1)", "MIX_AIV_1_0"},
          {"__mix__(1,0)", "MIX_AIC_1_0"},
          {"__mix__(1,1)", "MIX_AIC_1_1"},
          {"__mix__(1,2)", "MIX_AIC_1_2"}};
      for (const auto& [text, type] : kMixes) {
        if (text == mix) return std::string(type);
      }
      return mix;
    }
    return "";
  }

  // What KERNEL_TASK_TYPE_DEFAULT in the body says, or what the preprocessor makes of it.
  std::string stated(size_t begin, size_t end) const {
    constexpr std::string_view kBegin = "KERNEL_TYPE_";
    for (size_t at = begin; at < end; ++at) {
      if (!is_one_of(source_.word(at), {"kernel_task_type", "KERNEL_TASK_TYPE_DEFAULT"})) continue;
      for (; at < end && !source_.is(at, ')'); ++at) {
        if (source_.word(at).starts_with(kBegin)) {
          return std::string(source_.word(at).substr(kBegin.size()));
        }
      }
    }
    return "";
  }

  void read_parameters(size_t begin, size_t end, KernelText& kernel) const {
    int depth = 0;
    size_t first = begin;
    for (size_t at = begin; at <= end; ++at) {
      if (at == end || (depth == 0 && source_.is(at, ','))) {
        if (first < at) kernel.parameters.push_back(parameter(first, at));
        first = at + 1;
      } else {
        depth += source_.opens(at) + source_.is(at, '<') - source_.closes(at) - source_.is(at, '>');
      }
    }
  }
  KernelText::Parameter parameter(size_t begin, size_t end) const {
    size_t last = begin;
    while (last < end && !source_.is(last, '=')) ++last;
    const bool has_name = last - begin > 1 && source_.is_name(last - 1);
    if (has_name) --last;
    return {std::string(source_.text(begin, last)),
            has_name ? std::string(source_.word(last)) : ""};
  }

  const Source& source_;
};

}  // namespace

std::vector<FoundKernel> kernels_of(const Source& source) {
  const KernelReader reader(source);
  Scopes scopes(source);
  std::vector<FoundKernel> kernels;
  size_t behind = 0;  // the body of the last one
  for (size_t at = 0; at < source.size(); ++at) {
    scopes.pass(at);
    if (at < behind || source.word(at) != "__global__") continue;
    size_t end = at;
    auto kernel = reader.read(at, end);
    if (!kernel) continue;
    behind = end;
    kernel->scope = scopes.text();
    kernels.push_back({std::move(*kernel), end});
  }
  return kernels;
}

}  // namespace vinci::launch
