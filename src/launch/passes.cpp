// The passes run side by side. Each is the preprocessor, what vinci makes of its text, and the
// compiler. All symbols of device code become local to the object: so host and cores, and two kinds
// of cores, each have their own version of every function, and constructors tell the host where.
#include "launch/passes.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include <fmt/format.h>

#include "core/instruction.h"
#include "launch/command.h"
#include "launch/compile.h"
#include "launch/cores.h"
#include "launch/dialect.h"
#include "launch/error.h"
#include "launch/kernel_file.h"
#include "launch/missing_names.h"
#include "launch/preprocess.h"
#include "launch/temporary_folder.h"

namespace vinci::launch {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

Words operator+(Words left, const Words& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

// One pass over a source, in files of its own.
class OnePass {
 public:
  OnePass(const TemporaryFolder& folder, std::string name, Pass pass, Words definitions)
      : pass_(pass),
        definitions_(std::move(definitions)),
        text_(folder.file(name + ".text")),
        translated_(folder.file(name + ".ii")),
        object_(folder.file(name + ".o")),
        errors_(folder.file(name + ".log")),
        name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  const std::string& object() const { return object_; }
  const std::string& text() const { return text_; }
  std::string errors() const { return content_of(errors_).value_or(""); }

  bool preprocess(const std::string& source, const Words& options) const {
    return call(compiler() + definitions_ + options +
                Words{"-E", "-x", "c++", source, "-o", text_});
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
    return call(compiler() + options + Words{"-c", translated_, "-o", object_});
  }
  bool make_local() const {
    const std::string merged = object_ + ".r";
    return call({"ld", "-r", "--force-group-allocation", object_, "-o", merged}) &&
           call({"objcopy", "--wildcard", "--localize-symbol=*", merged, object_});
  }
  bool run(const std::string& source, const Words& preprocessing, const Words& compiling,
           const PassOptions& options) const {
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
  bool call(const Words& command) const {
    const std::string log = errors_ + ".part";
    const int status = run_command(command, {log, log, true});
    std::ofstream(errors_, std::ios::app) << content_of(log).value_or("");
    return status == 0;
  }

  Pass pass_;
  Words definitions_;
  std::string text_, translated_, object_, errors_, name_;
};

// The instructions that an object refers to.
std::set<std::string> instructions_of(const std::string& object, const TemporaryFolder& folder) {
  const std::string list = folder.file("symbols");
  run_command({"nm", "--undefined-only", "--demangle", object}, {list, ""});
  std::stringstream lines(content_of(list).value_or(""));
  std::set<std::string> names;
  constexpr std::string_view kBegin = "vinci::isa::";
  for (std::string line; std::getline(lines, line);) {
    if (const size_t at = line.find(kBegin); at != line.npos) {
      names.insert(line.substr(at + kBegin.size()));
    }
  }
  return names;
}

bool is_for_matrices(std::string_view instruction) {
  if (folder_of(instruction) == "cube" || folder_of(instruction) == "operator") return true;
  // Moves that only a core with L1 and L0C can make.
  for (const std::string_view part : {"fixpipe", "l0c", "_bt", "_fb", "nd2nz"}) {
    if (instruction.find(part) != instruction.npos) return true;
  }
  return false;
}

// The kernel type of a file whose kernels do not name one: what its instructions show. A kernel
// that could do without its AIC is for AIVs only.
std::string type_of(const std::set<std::string>& aic, const std::set<std::string>& aiv) {
  if (aic.contains("regist_matmul_obj")) return "MIX_AIC_1_2";
  if (std::ranges::none_of(aic, is_for_matrices)) return "AIV_ONLY";
  const bool vector = std::ranges::any_of(aiv, [](const std::string& name) {
    return folder_of(name) == "vector" || folder_of(name) == "library";
  });
  return vector ? "MIX_AIC_1_2" : "AIC_ONLY";
}

Words definitions_of(const Soc& soc, const char* pass, const Words& of_chip, bool twin) {
  Words words{fmt::format("-DVINCI_SOC=\"{}\"", soc.name), fmt::format("-D{}=1", pass),
              "-DVINCI_UB_VARIABLES=1"};
  for (const std::string& definition : of_chip) words.push_back("-D" + definition);
  if (twin) words = words + Words{"-DASCENDC_CPU_DEBUG=1", "-D__CCE_KT_TEST__=1"};
  return words;
}

std::vector<OnePass> passes_for(const Soc& soc, const TemporaryFolder& folder, bool twin) {
  std::vector<OnePass> passes;
  passes.emplace_back(folder, "host", Pass::kHost,
                      definitions_of(soc, "VINCI_PASS_HOST", {"__NPU_HOST__=1"}, twin));
  const auto add = [&](const char* name, const char* pass, CoreKind kind) {
    passes.emplace_back(folder, name, Pass::kDevice,
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
                    const PassOptions& options) {
  return code_options(installation) + options.words +
         Words{fmt::format("-DVINCI_UNIT=\"{}\"", fs::absolute(source).string()), "-include",
               "vinci/launch_site.h"};
}

// Runs all passes side by side; throws when one has failed.
void run_all(const std::vector<OnePass>& passes, const std::string& source, const Soc& soc,
             const Installation& installation, const PassOptions& options) {
  const Words before = preprocessing(source, installation, options);
  const Words after = code_options(installation) + options.words;
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
  for (size_t i = 0; i < passes.size(); ++i) {
    if (succeeded[i] != 0) continue;
    const std::string errors = passes[i].errors();
    std::fputs(errors.c_str(), stderr);
    std::string message =
        fmt::format("{} does not compile for {}{}", source, soc.name,
                    i == 0 ? "" : fmt::format(", as code of its {}s", passes[i].name()));
    for (const auto& sentence : about_missing_names(errors, installation)) {
      message += "\n  " + sentence;
    }
    throw Error(Error::Kind::kCompile, message);
  }
  std::fputs(passes[0].errors().c_str(), stderr);
}

void link_passes(const std::vector<OnePass>& passes, const std::string& object, const Soc& soc,
                 const TemporaryFolder& folder) {
  std::string type;
  if (soc.arch->split) {
    type = type_of(instructions_of(passes[1].object(), folder),
                   instructions_of(passes[2].object(), folder));
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
  const std::vector<OnePass> passes = passes_for(soc, folder, options.twin);
  run_all(passes, source, soc, installation, options);
  link_passes(passes, object, soc, folder);
  if (options.names.empty()) return;
  std::ofstream names(options.names);
  for (size_t i = 0; i < options.instances.size(); ++i) {
    names << symbol_behind(passes[0].object(), fmt::format("{}{}", kLowered, i)) << "\n";
  }
}

std::string preprocessed(const std::string& source, const Soc& soc,
                         const Installation& installation, const PassOptions& options) {
  const TemporaryFolder folder;
  const OnePass host = passes_for(soc, folder, options.twin)[0];
  if (!host.preprocess(source, preprocessing(source, installation, options))) {
    std::fputs(host.errors().c_str(), stderr);
    throw Error(Error::Kind::kCompile, fmt::format("{} does not compile", source));
  }
  return content_of(host.text()).value_or("");
}

}  // namespace vinci::launch
