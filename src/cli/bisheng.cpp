// vinci bisheng: the vendor's compiler driver, as projects call it. What its options mean here is
// done with the host's compiler; what they say about a device that is not there is taken silently.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.h"
#include "cli/error.h"
#include "cli/signals.h"
#include "launch/compile/cache.h"
#include "launch/chip.h"
#include "launch/command.h"
#include "launch/compile/compile.h"
#include "launch/installation.h"
#include "launch/compile/kept_build.h"
#include "launch/compile/launch_stub.h"
#include "launch/options.h"
#include "launch/compile/passes.h"
#include "launch/compile/preprocess.h"
#include "launch/temporary_folder.h"

namespace vinci::cli {
namespace {

namespace fs = std::filesystem;
using launch::PassOptions;
using Words = std::vector<std::string>;

struct Input {
  std::string file;
  bool is_asc = false;   // host and device code, else the host's
  std::string language;  // of -x, for the host's compiler
};

struct CommandLine {
  std::vector<Input> inputs;
  std::string output, soc, stub_folder;
  Words compile, dependencies, link;
  bool compiles_only = false, checks_only = false, preprocesses = false, archives = false;
  bool twin = false, stubs = false, keeps = false, asks_for_help = false;
  launch::StubOptions stub;
  Words instances;    // of kernels that are templates, for programs that find them by name
  std::string names;  // the file for their mangled names
};

const Soc& soc_of_compiler_word(const std::string& word) {
  if (const Soc* soc = find_compiler_soc(word)) return *soc;
  throw Error(
      Error::Kind::kLacks,
      fmt::format("vinci has no chip of the architecture {}; it has:{}", word, compiler_words()));
}

// Options whose value is the next word.
bool takes_a_word(std::string_view option) {
  static const std::set<std::string_view> kOptions{
      "-I",  "-D",  "-U",       "-L",         "-l",       "-isystem", "-include", "-iquote", "-MF",
      "-MT", "-MQ", "-Xlinker", "-idirafter", "-imacros", "-u",       "-T",       "-z"};
  return kOptions.contains(option);
}

class Reader {
 public:
  explicit Reader(const Words& words) : words_(words) {}

  CommandLine read() {
    for (at_ = 0; at_ < words_.size(); ++at_) read_word(words_[at_]);
    if (line_.soc.empty()) line_.soc = soc_of_compiler_word("dav-2201").name;
    if (asc_everywhere_) {
      for (Input& input : line_.inputs) input.is_asc |= !is_object(input.file);
    }
    return std::move(line_);
  }

 private:
  static bool is_object(const std::string& file) {
    const std::string extension = fs::path(file).extension();
    return extension == ".o" || extension == ".a" || extension == ".so" ||
           file.find(".so.") != std::string::npos;
  }

  const std::string& next() {
    if (at_ + 1 >= words_.size()) throw usage(fmt::format("{} wants a value", words_[at_]));
    return words_[++at_];
  }
  // The value of --name=value or --name value; false if `word` is another option.
  bool value_of(const std::string& word, const std::string& name, std::string& value) {
    if (word == name) {
      value = next();
      return true;
    }
    if (!word.starts_with(name + "=")) return false;
    value = word.substr(name.size() + 1);
    return true;
  }

  void read_word(const std::string& word) {
    if (word.empty()) return;
    if (word[0] != '-') return add_input(word);
    if (read_own(word) || read_vendors(word)) return;
    Words& words = is_for_linking(word) ? line_.link : line_.compile;
    if (word.starts_with("-std=")) return;  // vinci's headers want theirs
    if (word.starts_with("-M")) {
      line_.dependencies.push_back(word);
      if (takes_a_word(word)) line_.dependencies.push_back(next());
      return;
    }
    words.push_back(word);
    if (takes_a_word(word)) words.push_back(next());
    if (word == "-fPIC" || word == "-pthread" || word.starts_with("-fsanitize") ||
        word.starts_with("-g")) {
      line_.link.push_back(word);
    }
  }

  static bool is_for_linking(const std::string& word) {
    for (const char* start : {"-l", "-L", "-Wl,", "-Xlinker", "-shared", "-static", "-rdynamic",
                              "-T", "-u", "-z", "-s", "-pie", "-no-pie"}) {
      if (word.starts_with(start)) return word != "-std" && !word.starts_with("-std=");
    }
    return false;
  }

  void add_input(const std::string& file) {
    const std::string extension = fs::path(file).extension();
    const bool asc = extension == ".asc" || extension == ".cce";
    if (is_object(file)) {
      line_.link.push_back(file);
    } else if (language_ == "asc" || language_ == "cce" || (language_.empty() && asc)) {
      line_.inputs.push_back({file, true, ""});
    } else {
      line_.inputs.push_back({file, false, language_});
    }
  }

  // Options that decide what vinci does.
  bool read_own(const std::string& word) {
    std::string value;
    if (word == "--help" || word == "-h") {
      line_.asks_for_help = true;
    } else if (word == "-o") {
      line_.output = next();
    } else if (word == "-c" || word == "-dc") {
      line_.compiles_only = true;
    } else if (word == "-fsyntax-only") {
      line_.checks_only = true;
    } else if (word == "-E") {
      line_.preprocesses = true;
    } else if (word == "-shared" || word == "--shared") {
      line_.link.push_back("-shared");
    } else if (word == "-lib" || word == "--lib") {
      line_.archives = true;
    } else if (word.starts_with("-x")) {
      language_ = word == "-x" ? next() : word.substr(2);
      if (language_ == "none") language_.clear();
    } else if (word == "--asc-aicore-lang") {
      asc_everywhere_ = true;
    } else if (value_of(word, "--npu-arch", value) || value_of(word, "--cce-aicore-arch", value)) {
      if (soc_from_arch_) line_.soc = soc_of_compiler_word(value).name;
    } else if (value_of(word, "--npu-soc", value) || value_of(word, "--cce-soc-version", value) ||
               value_of(word, "--vinci-soc", value)) {
      const Soc* soc = find_toolkit_soc(value);
      line_.soc = soc != nullptr ? soc->name : launch::chip(value).name;
      soc_from_arch_ = false;
    } else if (value_of(word, "--run-mode", value)) {
      if (value != "npu" && value != "cpu" && value != "sim") {
        throw usage(fmt::format("--run-mode={}: legal are npu, cpu, sim", value));
      }
      line_.twin = value == "cpu";
    } else if (value_of(word, "--vinci-launch-header", value)) {
      line_.stubs = true;
      line_.stub_folder = value;
    } else if (word == "--vinci-launch-functions") {
      line_.stub.functions = true;
    } else if (value_of(word, "--vinci-kernel", value)) {
      line_.instances.push_back(value);
    } else if (value_of(word, "--vinci-names", line_.names)) {
      return true;
    } else if (word == "--vinci-keep") {
      line_.keeps = true;
    } else if (word == "--vinci-have-workspace") {
      line_.stub.have_workspace = true;
    } else if (word == "--vinci-have-tiling") {
      line_.stub.have_tiling = true;
    } else {
      return false;
    }
    return true;
  }

  // Options about a device, its compiler or its tools.
  bool read_vendors(const std::string& word) {
    if (word == "-mllvm" || word == "-Xaicore" || word == "-Xhost" || word == "--target" ||
        word == "-target" || word == "--sysroot-aicore") {
      next();
      return true;
    }
    // Options for the kernels' compiler alone, and for the host's, which is this one.
    if (word == "-Xaicore-start") {
      while (next() != "-Xaicore-end") {
      }
      return true;
    }
    if (word == "-Xhost-start" || word == "-Xhost-end") return true;
    if (word == "--enable-simt") {
      std::fputs("vinci: --enable-simt: no chip of vinci has SIMT cores\n", stderr);
      return true;
    }
    for (const char* start :
         {"--cce", "--asc", "--sanitizer", "--npu", "--enable-", "--disable-", "--target=", "-mcpu",
          "--hiipu", "-fcce", "--offload", "-forward-options-to-"}) {
      if (word.starts_with(start)) return true;
    }
    return false;
  }

  const Words& words_;
  size_t at_ = 0;
  CommandLine line_;
  std::string language_;
  bool asc_everywhere_ = false, soc_from_arch_ = true;
};

class Build {
 public:
  explicit Build(CommandLine line)
      : line_(std::move(line)),
        soc_(launch::chip(line_.soc)),
        installation_(launch::own_installation()) {}

  int run() {
    if (line_.asks_for_help) return help();
    if (line_.inputs.empty() && line_.link.empty()) throw usage("no input files");
    if (line_.stubs) return write_stubs();
    if (line_.preprocesses) return preprocess();
    if (line_.checks_only) return check();
    if (line_.compiles_only) return compile_each();
    return line_.keeps ? keep() : build();
  }

 private:
  static int help() {
    std::fputs(
        "vinci bisheng [options] file...\n"
        "  Compiles programs with kernels for vinci, as the vendor's compiler does for a device.\n"
        "  Files: .asc and .cce, whose kernels and launches are translated; C++; .o, .a, .so.\n\n"
        "  -o FILE  -c  -E  -fsyntax-only  -shared  -lib  -x asc|cce|c++|none  as compilers have them\n"
        "  --npu-arch=dav-2201|dav-2002|...  --npu-soc=Ascend910B1|...   the chip; dav-2201\n"
        "  --run-mode=npu|cpu|sim            cpu: host and device code in one, as the CPU twin\n"
        "  --asc-aicore-lang                 every source is one of .asc\n"
        "  Other options go to the C++ compiler; those that are for a device alone mean nothing here.\n",
        stdout);
    return kExitClean;
  }

  int build() const {
    const launch::TemporaryFolder folder;
    Words objects;
    if (const int status = compile_all(folder, objects); status != kExitClean) return status;
    return line_.archives ? archive(objects) : link(objects);
  }

  // What the compiler says is all that is wanted.
  int check() const {
    const launch::TemporaryFolder folder;
    Words objects;
    return compile_all(folder, objects);
  }

  int compile_all(const launch::TemporaryFolder& folder, Words& objects) const {
    for (const Input& input : line_.inputs) {
      objects.push_back(folder.file(fmt::format("{}.o", objects.size())));
      if (const int status = compile(input, objects.back()); status != kExitClean) return status;
    }
    return kExitClean;
  }

  // What was built from the same text with the same words is there already: programs compile their
  // operators' kernels each time they run. Their sources are somewhere else then.
  int keep() {
    std::string key = VINCI_VERSION + line_.soc + installation_.library;
    for (const std::string& word : launch::compiler()) key += launch::identity_of(word);
    for (const Words& words : {line_.compile, line_.link}) key += fmt::format("{}\n", words);
    std::set<std::string> sources;
    for (const Input& input : line_.inputs) {
      key += launch::content_of(input.file).value_or("");
      sources.insert(input.file);
    }
    const fs::path cache = launch::cache_directory();
    const fs::path entry = cache / fmt::format("unit-{:016x}", launch::hash_of(key));
    constexpr const char* kProduct = "binary";
    if (!launch::is_as_before(entry, kProduct)) {
      if (const int status = build(); status != kExitClean) return status;
      for (const std::string& source : sources) inputs_.erase(source);
      const launch::TemporaryFolder work(cache, "the cache", "VINCI_CACHE");
      fs::copy_file(line_.output, work.path() / kProduct);
      launch::write_file(work.path() / "inputs", launch::list_of_inputs(inputs_));
      launch::publish(work.path(), entry);
      return kExitClean;
    }
    fs::copy_file(entry / kProduct, line_.output, fs::copy_options::overwrite_existing);
    return kExitClean;
  }

  PassOptions options(const std::string& object) const {
    PassOptions options{line_.compile, line_.dependencies, line_.twin,
                        line_.stub,    line_.instances,    line_.names};
    options.inputs = &inputs_;
    const bool wanted = !options.dependencies.empty();
    const auto has = [&](std::string_view option) {
      return std::ranges::find(options.dependencies, option) != options.dependencies.end();
    };
    if (wanted && !has("-MF")) {
      options.dependencies.insert(options.dependencies.end(),
                                  {"-MF", fs::path(object).replace_extension(".d").string()});
    }
    if (wanted && !has("-MT") && !has("-MQ")) {
      options.dependencies.insert(options.dependencies.end(), {"-MT", object});
    }
    if (std::ranges::none_of(options.words,
                             [](const std::string& word) { return word.starts_with("-O"); })) {
      options.words.push_back("-O2");
    }
    return options;
  }

  int compile(const Input& input, const std::string& object) const {
    PassOptions all = options(object);
    if (input.is_asc) {
      // Programs may load the object while they run: aclrtBinaryLoadFromFile.
      all.words.insert(all.words.begin(), {"-fPIC", "-fno-semantic-interposition"});
      launch::compile_object(input.file, object, soc_, installation_, all);
      return kExitClean;
    }
    Words command = launch::compiler();
    for (const Words& words :
         {launch::code_options(installation_, command), all.words, all.dependencies}) {
      command.insert(command.end(), words.begin(), words.end());
    }
    if (!input.language.empty()) command.insert(command.end(), {"-x", input.language});
    command.insert(command.end(), {"-c", input.file, "-o", object});
    return launch::run_command(command) == 0 ? kExitClean : kExitCompile;
  }

  int compile_each() const {
    if (line_.inputs.size() > 1 && !line_.output.empty()) {
      throw usage("-o with -c wants one source");
    }
    for (const Input& input : line_.inputs) {
      const std::string object =
          line_.output.empty() ? fs::path(input.file).filename().replace_extension(".o").string()
                               : line_.output;
      if (const int status = compile(input, object); status != 0) return status;
    }
    return kExitClean;
  }

  int preprocess() const {
    std::string text;
    for (const Input& input : line_.inputs) {
      text += launch::preprocessed(input.file, soc_, installation_, options("-"));
    }
    if (line_.output.empty()) {
      std::fputs(text.c_str(), stdout);
    } else {
      std::ofstream(line_.output) << text;
    }
    return kExitClean;
  }

  int write_stubs() const {
    for (const Input& input : line_.inputs) {
      launch::write_launch_headers(
          launch::preprocessed(input.file, soc_, installation_, options("-")), line_.stub_folder);
    }
    return kExitClean;
  }

  int archive(const Words& objects) const {
    Words command{"ar", "rcs", line_.output.empty() ? "a.a" : line_.output};
    command.insert(command.end(), objects.begin(), objects.end());
    return launch::run_command(command) == 0 ? kExitClean : kExitCompile;
  }

  int link(const Words& objects) const {
    Words command = launch::compiler();
    command.insert(command.end(), objects.begin(), objects.end());
    command.insert(command.end(), line_.link.begin(), line_.link.end());
    command.insert(command.end(), {"-o", line_.output.empty() ? "a.out" : line_.output});
    // The toolkit's libraries by their names, each of which means vinci's.
    command.push_back("-L" + launch::toolkit_tree(installation_) + "/lib64");
    const Words library = launch::library_options(installation_);
    command.insert(command.end(), library.begin(), library.end());
    command.insert(command.end(), {"-pthread", "-ldl"});
    return launch::run_command(command) == 0 ? kExitClean : kExitCompile;
  }

  const CommandLine line_;
  mutable std::set<std::string> inputs_;  // what sources include
  const Soc& soc_;
  const launch::Installation installation_;
};

}  // namespace

int bisheng(const std::vector<std::string>& arguments) {
  if (std::ranges::find(arguments, "--version") != arguments.end()) {
    fmt::print("vinci {}: in the place of the bisheng compiler\n", VINCI_VERSION);
    return kExitClean;
  }
  const Signals signals;
  const launch::CommandLimit limit(
      [] { return std::string(Signals::came() ? "interrupted" : ""); });
  Words words = arguments;
  // Told to kernels, which say it to their cores.
  if (!launch::take_auto_sync(words).value_or(true)) words.push_back("-DVINCI_NO_AUTO_SYNC=1");
  return Build(Reader(words).read()).run();
}

}  // namespace vinci::cli
