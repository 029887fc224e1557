#include "launch/compile/source_text.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "launch/compile/preprocess.h"

namespace vinci::launch {
namespace {

namespace fs = std::filesystem;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Comments and what stands in quotes become blanks; lines stay.
std::string without_comments(const std::string& text) {
  std::string out = text;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    const std::string_view two = std::string_view(text).substr(at, 2);
    if (two == "//") {
      end = std::min(text.find('\n', at), text.size());
    } else if (two == "/*") {
      end = text.find("*/", at + 2);
      end = end == std::string::npos ? text.size() : end + 2;
    } else if (text[at] == '"') {
      while (end < text.size() && text[end] != '"' && text[end] != '\n') {
        end += text[end] == '\\' ? 2 : 1;
      }
      end = std::min(end + 1, text.size());
    } else {
      ++at;
      continue;
    }
    std::replace_if(
        out.begin() + long(at), out.begin() + long(end), [](char c) { return c != '\n'; }, ' ');
    at = end;
  }
  return out;
}

// Lines of the preprocessor become blanks.
std::string without_directives(std::string text) {
  bool at_start = true, in_directive = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') {
      in_directive = in_directive && i > 0 && text[i - 1] == '\\';
      at_start = true;
      continue;
    }
    if (at_start && text[i] == '#') in_directive = true;
    if (text[i] != ' ' && text[i] != '\t') at_start = false;
    if (in_directive && !(text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '\n')) {
      text[i] = ' ';
    }
  }
  return text;
}

// Whether reading it may never end, as of /proc/kmsg: no source lies there.
bool is_systems(const fs::path& file) {
  for (const char* folder : {"/proc/", "/sys/", "/dev/"}) {
    if (file.string().starts_with(folder)) return true;
  }
  return false;
}

// The text of a file and of what it includes in quotes, each file once.
class Texts {
 public:
  explicit Texts(const std::vector<std::string>& words) {
    for (size_t i = 0; i < words.size(); ++i) {
      if (words[i] == "-I" && i + 1 < words.size()) folders_.push_back(words[i + 1]);
      if (words[i].starts_with("-I") && words[i].size() > 2) folders_.push_back(words[i].substr(2));
    }
  }

  void add(const fs::path& file) {
    std::error_code error;
    if (!seen_.insert(fs::weakly_canonical(file, error)).second) return;
    const std::string raw = content_of(file.string()).value_or("");
    text_ += without_comments(raw) + "\n";
    for (size_t at = 0; (at = raw.find("#include", at)) != std::string::npos; ++at) {
      const size_t open = raw.find_first_not_of(" \t", at + 8);
      if (open == std::string::npos || raw[open] != '"') continue;
      const size_t close = raw.find_first_of("\"\n", open + 1);
      if (close != std::string::npos) find(file, raw.substr(open + 1, close - open - 1));
    }
  }
  const std::string& text() const { return text_; }

 private:
  void find(const fs::path& includer, const std::string& name) {
    std::vector<fs::path> folders{includer.parent_path()};
    folders.insert(folders.end(), folders_.begin(), folders_.end());
    std::error_code error;
    for (const fs::path& folder : folders) {
      const fs::path file = fs::weakly_canonical(folder / name, error);
      if (fs::is_regular_file(file, error) && !is_systems(file)) return add(file);
    }
  }

  std::vector<fs::path> folders_;
  std::set<fs::path> seen_;
  std::string text_;
};

}  // namespace

std::string source_text(const std::string& source, const std::vector<std::string>& words) {
  Texts texts(words);
  texts.add(source);
  return texts.text();
}

bool has_word(std::string_view text, std::string_view word) {
  for (size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; ++at) {
    const size_t end = at + word.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) {
      return true;
    }
  }
  return false;
}

std::vector<KernelText> kernels_of_text(const std::string& text) {
  return as_cxx(without_directives(text), Pass::kHost).kernels;
}

std::string_view plain_name(std::string_view kernel) {
  kernel = kernel.substr(0, kernel.find('<'));
  return kernel.substr(kernel.rfind(':') + 1);
}

}  // namespace vinci::launch
