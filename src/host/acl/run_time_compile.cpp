// aclrtc...: a source in memory, compiled by vinci's driver, which is a process of its own.
#include "acl/acl_rt_compile.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "host/acl/error.h"
#include "host/acl/runtime.h"
#include "host/driver.h"

namespace vinci::acl {
namespace {

namespace fs = std::filesystem;

// The driver's exit codes for options that it refuses, and for chips that vinci does not have.
constexpr int kUsage = 2, kLacks = 4;

struct Source {
  std::mutex mutex;  // one call at a time
  std::string text, name;
  std::vector<std::pair<std::string, std::string>> headers;  // name and text
  std::vector<std::string> expressions;
  bool is_compiled = false;
  std::string log, binary;
  std::map<std::string, std::string> lowered;  // by expression
};

struct Sources {
  std::mutex mutex;
  std::map<void*, std::shared_ptr<Source>> all;

  static Sources& instance() {
    static Sources* const made = new Sources;
    return *made;
  }
};

aclError wrong_argument(const char* api, const std::string& text, std::string legal) {
  return refuse(ACL_ERROR_RTC_INVALID_INPUT, api, text, std::move(legal));
}

std::shared_ptr<Source> find(const char* api, aclrtcProg handle) {
  {
    const std::lock_guard lock(Sources::instance().mutex);
    const auto& all = Sources::instance().all;
    if (const auto found = all.find(handle); found != all.end()) return found->second;
  }
  refuse(ACL_ERROR_RTC_INVALID_PROG, api, fmt::format("{} is no program", handle),
         "what aclrtcCreateProg gave, before aclrtcDestroyProg");
  return nullptr;
}

// Calls `act` with what the handle means.
template <class Act>
aclError with(const char* api, aclrtcProg handle, const Act& act) {
  const std::shared_ptr<Source> source = find(api, handle);
  if (source == nullptr) return last_error();
  const std::lock_guard lock(source->mutex);
  return act(*source);
}

// Asks for something, for which there must be a place.
template <class Act>
aclError ask(const char* api, aclrtcProg handle, const void* place, const Act& act) {
  return with(api, handle, [&](Source& source) {
    if (place != nullptr) return act(source);
    return wrong_argument(api, "the pointer for the result is null", "where the result goes");
  });
}

// A name inside a folder, from which no name leads outside.
bool is_inside(const std::string& name) {
  const fs::path path = fs::path(name).lexically_normal();
  return !name.empty() && path.is_relative() && *path.begin() != ".." && path.has_filename();
}

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool is_about_an_option(const host::Driven& done) {
  for (const char* words : {"unrecognized command-line option", "unknown argument",
                            "unrecognized "
                            "argument",
                            "unsupported option"}) {
    if (done.log.find(words) != std::string::npos) return true;
  }
  return done.code == kUsage || done.code == kLacks;
}

// The code, with everything that came of it in `source`. Throws std::runtime_error.
aclError compile(Source& source, const std::vector<std::string>& options) {
  const fs::path folder = host::new_scratch_folder();
  for (const auto& [name, text] : source.headers) write(folder / name, text);
  fs::path file = fs::path(source.name).filename();
  if (!file.has_extension()) file += ".asc";
  write(folder / file, source.text);
  const std::string object = folder / "object.o", binary = folder / "binary.so";
  const std::string names = folder / "names.txt";
  std::vector<std::string> words{"-c",
                                 "-x",
                                 "asc",
                                 folder / file,
                                 "-o",
                                 object,
                                 "-I" + folder.string(),
                                 "--vinci-names=" + names};
  for (const std::string& expression : source.expressions) {
    words.push_back("--vinci-kernel=" + expression);
  }
  words.insert(words.end(), options.begin(), options.end());
  const host::Driven compiled = host::run_driver(words);
  source.log = compiled.log;
  if (compiled.code != 0) {
    return is_about_an_option(compiled) ? ACL_ERROR_RTC_INVALID_OPTION : ACL_ERROR_RTC_COMPILATION;
  }
  const host::Driven linked = host::run_driver({"-shared", object, "-o", binary});
  source.log += linked.log;
  if (linked.code != 0) return ACL_ERROR_RTC_LINKING;
  source.binary = content(binary);
  std::ifstream list(names);
  for (const std::string& expression : source.expressions) {
    std::getline(list, source.lowered[expression]);
  }
  source.is_compiled = true;
  return ACL_SUCCESS;
}

// The headers of a new program, if each has a text and a name.
bool take_headers(int count, const char** texts, const char** names, Source& source) {
  if (count < 0 || (count > 0 && (texts == nullptr || names == nullptr))) return false;
  for (int i = 0; i < count; ++i) {
    if (texts[i] == nullptr || names[i] == nullptr || !is_inside(names[i])) return false;
    source.headers.emplace_back(names[i], texts[i]);
  }
  return true;
}

}  // namespace
}  // namespace vinci::acl

using namespace vinci::acl;

extern "C" {

aclError aclrtcCreateProg(aclrtcProg* handle, const char* text, const char* name, int count,
                          const char** headers, const char** names) {
  constexpr const char* kApi = "aclrtcCreateProg";
  if (handle == nullptr || text == nullptr) {
    return wrong_argument(kApi,
                          handle == nullptr ? "the pointer for the result is null" : "no source",
                          "where the handle goes, and the text of a source");
  }
  auto source = std::make_shared<Source>();
  source->text = text;
  source->name = name != nullptr && is_inside(name) ? name : "default_program";
  if (!take_headers(count, headers, names, *source)) {
    return wrong_argument(
        kApi, fmt::format("{} headers", count),
        "for each the text, and a name as the source includes it, below no other folder");
  }
  void* made = nullptr;
  {
    const std::lock_guard lock(Runtime::instance().mutex);
    made = Runtime::instance().next_handle();
  }
  const std::lock_guard lock(Sources::instance().mutex);
  Sources::instance().all[*handle = made] = std::move(source);
  return ACL_SUCCESS;
}

aclError aclrtcDestroyProg(aclrtcProg* handle) {
  constexpr const char* kApi = "aclrtcDestroyProg";
  if (find(kApi, handle == nullptr ? nullptr : *handle) == nullptr) return last_error();
  const std::lock_guard lock(Sources::instance().mutex);
  Sources::instance().all.erase(*handle);
  *handle = nullptr;
  return ACL_SUCCESS;
}

aclError aclrtcAddNameExpr(aclrtcProg handle, const char* const expression) {
  constexpr const char* kApi = "aclrtcAddNameExpr";
  return with(kApi, handle, [&](Source& source) {
    if (expression == nullptr || *expression == '\0') {
      return wrong_argument(kApi, "no name", "a kernel, as \"outer::add<float>\"");
    }
    if (source.is_compiled) {
      return refuse(ACL_ERROR_RTC_NO_NAME_EXPR_AFTER_COMPILATION, kApi,
                    fmt::format("{} after aclrtcCompileProg", expression),
                    "names before the program is compiled");
    }
    source.expressions.emplace_back(expression);
    return ACL_SUCCESS;
  });
}

aclError aclrtcCompileProg(aclrtcProg handle, int count, const char** options) {
  constexpr const char* kApi = "aclrtcCompileProg";
  return with(kApi, handle, [&](Source& source) {
    std::vector<std::string> words;
    if (count < 0 || (count > 0 && options == nullptr)) {
      return wrong_argument(kApi, fmt::format("{} options", count), "an array of them");
    }
    for (int i = 0; i < count; ++i) {
      if (options[i] == nullptr)
        return wrong_argument(kApi, "an option is null", "options of bisheng");
      words.emplace_back(options[i]);
    }
    try {
      const aclError code = compile(source, words);
      return code == ACL_SUCCESS ? code : fail(code, kApi, source.log);
    } catch (const std::runtime_error& error) {
      return fail(ACL_ERROR_RTC_FAILURE, kApi, error.what());
    }
  });
}

aclError aclrtcGetLoweredName(aclrtcProg handle, const char* expression, const char** name) {
  constexpr const char* kApi = "aclrtcGetLoweredName";
  return ask(kApi, handle, name, [&](Source& source) {
    if (expression == nullptr) return wrong_argument(kApi, "no name", "one of aclrtcAddNameExpr");
    if (!source.is_compiled) {
      return refuse(ACL_ERROR_RTC_NO_LOWERED_NAMES_BEFORE_COMPILATION, kApi, expression,
                    "names when aclrtcCompileProg has succeeded");
    }
    const auto found = source.lowered.find(expression);
    if (found == source.lowered.end() || found->second.empty()) {
      return refuse(ACL_ERROR_RTC_NAME_EXPR_NOT_VALID, kApi, expression,
                    "a name that aclrtcAddNameExpr had, letter by letter");
    }
    *name = found->second.c_str();
    return ACL_SUCCESS;
  });
}

aclError aclrtcGetBinDataSize(aclrtcProg handle, size_t* size) {
  constexpr const char* kApi = "aclrtcGetBinDataSize";
  return ask(kApi, handle, size, [&](Source& source) {
    *size = source.binary.size();
    if (source.is_compiled) return ACL_SUCCESS;
    return fail(ACL_ERROR_RTC_INVALID_PROG, kApi, "the program is not compiled");
  });
}

aclError aclrtcGetBinData(aclrtcProg handle, char* data) {
  constexpr const char* kApi = "aclrtcGetBinData";
  return ask(kApi, handle, data, [&](Source& source) {
    if (!source.is_compiled) {
      return fail(ACL_ERROR_RTC_INVALID_PROG, kApi, "the program is not compiled");
    }
    std::memcpy(data, source.binary.data(), source.binary.size());
    return ACL_SUCCESS;
  });
}

aclError aclrtcGetCompileLogSize(aclrtcProg handle, size_t* size) {
  return ask("aclrtcGetCompileLogSize", handle, size, [&](Source& source) {
    *size = source.log.size() + 1;
    return ACL_SUCCESS;
  });
}

aclError aclrtcGetCompileLog(aclrtcProg handle, char* log) {
  return ask("aclrtcGetCompileLog", handle, log, [&](Source& source) {
    std::memcpy(log, source.log.c_str(), source.log.size() + 1);
    return ACL_SUCCESS;
  });
}

}  // extern "C"
