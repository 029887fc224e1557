// The passes run side by side. Each is the preprocessor, what vinci makes of its text, and the
// compiler. All symbols of device code become local to the object: so host and cores, and two kinds
// of cores, each have their own version of every function, and constructors tell the host where.
#include "launch/compile/passes.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <fmt/format.h>

#include "launch/chip.h"
#include "launch/command.h"
#include "launch/compile/compile.h"
#include "launch/cores.h"
#include "launch/compile/dialect.h"
#include "launch/error.h"
#include "launch/kernel_file.h"
#include "launch/compile/missing_names.h"
#include "launch/compile/preprocess.h"
#include "launch/temporary_folder.h"

namespace vinci::launch {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

Words operator+(Words left, const Words& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

size_t times(std::string_view word, std::string_view text) {
  size_t count = 0;
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++count;
  return count;
}

// Whether a source asks which `__CCE_AICORE__` there is, and not whether this is the host.
bool asks_for_generation(const std::string& source) {
  if (times("__CCE_AICORE__", source) == 0) return false;
  const auto lacks = [&](const char* words) { return times(words, source) == 0; };
  return lacks("ifdef __CCE_AICORE__") && lacks("ifndef __CCE_AICORE__") &&
         lacks("!defined(__CCE_AICORE__)");
}

// Whether the host's text with `__CCE_AICORE__` has more kernels or launches than without.
bool has_more(const std::string& with, const std::string& without) {
  const auto count = [](const std::string& text) {
    const Translation host = as_cxx(text, Pass::kHost);
    return host.kernels.size() + times("::vinci::launch_site([]", host.text);
  };
  return count(with) > count(without);
}

// One pass over a source, in files of its own.
class OnePass {
 public:
  // `of_cores`: definitions that only cores have, for a host whose launches stand behind them.
  OnePass(const TemporaryFolder& folder, const Words& compiler, std::string name, Pass pass,
          Words definitions, Words of_cores = {})
      : pass_(pass),
        compiler_(compiler),
        definitions_(std::move(definitions)),
        of_cores_(std::move(of_cores)),
        text_(folder.file(name + ".text")),
        translated_(folder.file(name + ".ii")),
        object_(folder.file(name + ".o")),
        errors_(folder.file(name + ".log")),
        name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  const std::string& object() const { return object_; }
  const std::string& text() const { return text_; }
  std::string errors() const { return content_of(errors_).value_or(""); }

  bool preprocess(const std::string& source, Words options) const {
    if (!expand(source, options)) return false;
    if (lacks_header(content_of(text_).value_or(""))) {
      options = with_header() + options;
      if (!expand(source, options)) return false;
    }
    if (of_cores_.empty() || !asks_for_generation(content_of(source).value_or(""))) return true;
    const std::string text = content_of(text_).value_or(""), told = errors();
    if (!expand(source, of_cores_ + options) || !has_more(content_of(text_).value_or(""), text)) {
      std::ofstream(text_) << text;
    }
    std::ofstream(errors_) << told;
    return true;
  }
  void translate(const PassOptions& options, DeviceBodies bodies) const {
    std::string text = content_of(text_).value_or("");
    if (options.stub.functions) text += launch_functions(as_cxx(text, pass_).kernels, options.stub);
    const Translation translation = as_cxx(text, pass_, bodies);
    for (const KernelText& kernel : translation.kernels) check_type(kernel);
    std::ofstream(translated_) << translation.text
                               << instance_entries(options.instances, translation.kernels, pass_);
  }
  bool compile(const Words& options) const {
    return call(compiler_ + options + Words{"-c", translated_, "-o", object_});
  }
  bool make_local() const {
    const std::string merged = object_ + ".r";
    return call({"ld", "-r", "--force-group-allocation", object_, "-o", merged}) &&
           call({"objcopy", "--wildcard", "--localize-symbol=*", merged, object_});
  }
  bool run(const std::string& source, const Words& preprocessing, const Words& compiling,
           const PassOptions& options) const {
    fs::remove(errors_);  // another compiler's
    if (!preprocess(source, preprocessing)) return false;
    translate(options, DeviceBodies::kStay);
    if (compile(compiling)) return true;
    if (pass_ != Pass::kHost) return false;
    // Device code that asks __NPU_ARCH__ for its chip may have nothing that the host understands.
    // What is wrong in it otherwise, the other passes tell.
    fs::remove(errors_);
    translate(options, DeviceBodies::kLeftOut);
    return compile(compiling);
  }

 private:
  bool expand(const std::string& source, const Words& options) const {
    return call(compiler_ + definitions_ + options + Words{"-E", "-x", "c++", source, "-o", text_});
  }
  bool call(const Words& command) const {
    const std::string log = errors_ + ".part";
    const int status = run_command(command, {log, log, true});
    std::ofstream(errors_, std::ios::app) << content_of(log).value_or("");
    return status == 0;
  }

  Pass pass_;
  Words compiler_, definitions_, of_cores_;
  std::string text_, translated_, object_, errors_, name_;
};

Words definitions_of(const Soc& soc, const char* pass, const Words& of_chip, bool twin) {
  Words words =
      chip_options(soc, of_chip) + Words{fmt::format("-D{}=1", pass), "-DVINCI_LOCAL_VARIABLES=1"};
  if (twin) words = words + Words{"-DASCENDC_CPU_DEBUG=1", "-D__CCE_KT_TEST__=1"};
  return words;
}

std::vector<OnePass> passes_for(const Soc& soc, const TemporaryFolder& folder,
                                const Words& compiler, bool twin) {
  std::vector<OnePass> passes;
  passes.emplace_back(folder, compiler, "host", Pass::kHost,
                      definitions_of(soc, "VINCI_PASS_HOST", {"__NPU_HOST__=1"}, twin),
                      Words{fmt::format("-D__CCE_AICORE__={}", soc.arch->cce_aicore)});
  const auto add = [&](const char* name, const char* pass, CoreKind kind) {
    passes.emplace_back(folder, compiler, name, Pass::kDevice,
                        definitions_of(soc, pass, soc.definitions(kind), twin));
  };
  if (soc.arch->split) {
    add("AIC", "VINCI_PASS_AIC", CoreKind::kAic);
    add("AIV", "VINCI_PASS_AIV", CoreKind::kAiv);
  } else {
    add("AI Core", "VINCI_PASS_WHOLE", CoreKind::kWhole);
  }
  return passes;
}

// What each pass over a source adds to the command line.
Words preprocessing(const std::string& source, const Installation& installation,
                    const Words& compiler, const PassOptions& options) {
  return code_options(installation, compiler) + options.words +
         Words{fmt::format("-DVINCI_UNIT=\"{}\"", fs::absolute(source).string()), "-include",
               "vinci/launch_site.h"};
}

// Runs all passes side by side; the first that has failed.
const OnePass* run_all(const std::vector<OnePass>& passes, const std::string& source,
                       const Installation& installation, const Words& compiler,
                       const PassOptions& options) {
  const Words before = preprocessing(source, installation, compiler, options);
  const Words after = code_options(installation, compiler) + options.words;
  std::vector<char> succeeded(passes.size(), 0);
  std::vector<std::exception_ptr> thrown(passes.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < passes.size(); ++i) {
    threads.emplace_back([&, i] {
      try {
        succeeded[i] = char(passes[i].run(source, i == 0 ? before + options.dependencies : before,
                                          after, options) &&
                            (i == 0 || passes[i].make_local()));
      } catch (...) {
        thrown[i] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& exception : thrown) {
    if (exception) std::rethrow_exception(exception);
  }
  const auto failed = std::ranges::find(succeeded, char(0));
  return failed == succeeded.end() ? nullptr : &passes[size_t(failed - succeeded.begin())];
}

// All passes, by one compiler: what they have in common has names that compilers write differently.
std::vector<OnePass> compiled_passes(const std::string& source, const Soc& soc,
                                     const TemporaryFolder& folder,
                                     const Installation& installation, const PassOptions& options) {
  Words with = compiler();
  std::vector<OnePass> passes = passes_for(soc, folder, with, options.twin);
  const OnePass* failed = run_all(passes, source, installation, with, options);
  if (failed != nullptr) {
    const Words instead = compiler_instead(with, failed->errors());
    if (!instead.empty()) {
      passes = passes_for(soc, folder, instead, options.twin);
      failed = run_all(passes, source, installation, instead, options);
    }
  }
  std::fputs((failed != nullptr ? *failed : passes[0]).errors().c_str(), stderr);
  if (failed == nullptr) return passes;
  std::string message =
      fmt::format("{} does not compile for {}{}", source, soc.name,
                  failed == &passes[0] ? "" : fmt::format(", as code of its {}s", failed->name()));
  for (const auto& sentences : {about_missing_names(failed->errors(), installation),
                                about_compiler(compiler(), failed->errors())}) {
    for (const std::string& sentence : sentences) message += "\n  " + sentence;
  }
  // The lambda that the driver writes for a launch captures nothing.
  for (const char* phrase : {"is not captured", "cannot be implicitly captured"}) {
    if (failed->errors().find(phrase) == std::string::npos) continue;
    message +=
        "\n  a launch names its kernel: a pointer to one, or what only the function around it "
        "knows, is none";
    break;
  }
  throw Error(Error::Kind::kCompile, message);
}

// The files that the preprocessor has read.
void add_inputs(const OnePass& pass, std::set<std::string>& inputs) {
  std::istringstream text(content_of(pass.text()).value_or(""));
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with("# ")) continue;
    if (const auto marker = marker_of(line); marker && marker->begins) inputs.insert(marker->file);
  }
}

void link_passes(const std::vector<OnePass>& passes, const std::string& object, const Soc& soc,
                 const TemporaryFolder& folder) {
  std::string type;
  if (soc.arch->split) {
    type = kernel_type_of(instructions_of(passes[1].object()), instructions_of(passes[2].object()));
  }
  const std::string assembly = folder.file("type.s");
  std::ofstream(assembly) << fmt::format(
      ".section .rodata\n.globl vinci_unit_type\nvinci_unit_type:\n.string \"{}\"\n"
      ".section .note.GNU-stack,\"\",@progbits\n",
      type);
  Words link{"ld", "-r", "-o", object};
  for (const OnePass& pass : passes) link.push_back(pass.object());
  link.push_back(folder.file("type.o"));
  if (run_command({"as", assembly, "-o", folder.file("type.o")}) != 0 || run_command(link) != 0 ||
      run_command({"objcopy", "--localize-symbol=vinci_unit_type", object}) != 0) {
    throw Error(Error::Kind::kCompile, fmt::format("cannot make {}", object));
  }
}

}  // namespace

void compile_object(const std::string& source, const std::string& object, const Soc& soc,
                    const Installation& installation, const PassOptions& options) {
  const TemporaryFolder folder;
  const std::vector<OnePass> passes = compiled_passes(source, soc, folder, installation, options);
  link_passes(passes, object, soc, folder);
  if (options.inputs != nullptr) {
    for (const OnePass& pass : passes) add_inputs(pass, *options.inputs);
  }
  if (options.names.empty()) return;
  std::ofstream names(options.names);
  for (size_t i = 0; i < options.instances.size(); ++i) {
    names << symbol_behind(passes[0].object(), fmt::format("{}{}", kLowered, i)) << "\n";
  }
}

std::string preprocessed(const std::string& source, const Soc& soc,
                         const Installation& installation, const PassOptions& options) {
  const TemporaryFolder folder;
  const OnePass host = passes_for(soc, folder, compiler(), options.twin)[0];
  if (!host.preprocess(source, preprocessing(source, installation, compiler(), options))) {
    std::fputs(host.errors().c_str(), stderr);
    throw Error(Error::Kind::kCompile, fmt::format("{} does not compile", source));
  }
  return content_of(host.text()).value_or("");
}

}  // namespace vinci::launch
