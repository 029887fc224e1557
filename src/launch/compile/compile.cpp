// Calling the host compiler, and the cache of what it made.
//
// A binary is a folder named after what it was made from: the preprocessed text, the compiler, its
// options and environment, but not the chip, so that all chips which see the same text share one.
// To find it without the preprocessor, a file named after all of the command line, <key>.inputs,
// lists the files that the text was made from and those that were looked for in vain.
#include "launch/compile/compile.h"

#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "launch/compile/cache.h"
#include "launch/chip.h"
#include "launch/compile/compiler_messages.h"
#include "launch/sandbox/confinement.h"
#include "launch/compile/dialect.h"
#include "launch/error.h"
#include "launch/compile/kept_kernels.h"
#include "launch/compile/leading_header.h"
#include "launch/compile/missing_names.h"
#include "launch/compile/names_of_std.h"
#include "launch/compile/preprocess.h"
#include "launch/compile/renamed_kernels.h"
#include "launch/temporary_folder.h"

namespace vinci::launch {
namespace {

namespace fs = std::filesystem;

// Lists of folders that a compiler heeds behind its command line.
constexpr const char* kFolderLists[] = {"CPATH",         "CPLUS_INCLUDE_PATH", "LIBRARY_PATH",
                                        "COMPILER_PATH", "GCC_EXEC_PREFIX",    "LD_RUN_PATH"};

// What changes the work of a compiler behind its command line.
std::string environment() {
  std::vector<const char*> names(std::begin(kFolderLists), std::end(kFolderLists));
  names.insert(names.end(), {"SOURCE_DATE_EPOCH", "CCC_OVERRIDE_OPTIONS"});
  std::string all;
  for (const char* name : names) {
    if (const char* value = std::getenv(name)) all += fmt::format("{}={}\n", name, value);
  }
  return all;
}

// Object files, libraries, further sources and files of options among the options.
std::vector<std::string> files_among(const std::vector<std::string>& options) {
  std::vector<std::string> files;
  std::error_code error;
  for (const std::string& option : options) {
    const std::string name = option.substr(option.starts_with("@") ? 1 : 0);
    if (fs::is_regular_file(name, error)) files.push_back(name);
  }
  return files;
}

// Options that mean the same in each folder.
bool is_of_no_folder(const std::string& option) {
  for (const char* start : {"-O", "-D", "-U", "-I/", "-std="}) {
    if (option.starts_with(start)) return option.size() > 2;
  }
  return option == "-g" || (option.starts_with("-W") && option.find(',') == std::string::npos);
}

// Whether an option may make the compiler link a library of its own, as -fsanitize and -pg do.
bool may_link(const std::string& option) {
  return option.starts_with("-f") || option.starts_with("-p") || option.starts_with("--");
}

// Whether the environment names folders as seen from the working folder, an empty name included.
bool is_environment_of_a_folder() {
  for (const char* name : kFolderLists) {
    const char* folders = std::getenv(name);
    if (folders == nullptr || *folders == 0) continue;
    const std::string list = ':' + std::string(folders);
    for (size_t at = 0; at != list.npos; at = list.find(':', at + 1)) {
      if (list[at + 1] != '/') return true;
    }
  }
  return std::getenv("CCC_OVERRIDE_OPTIONS") != nullptr;
}

// Whether a binary depends on the folder that the compiler works in: debug information gives files
// that are named as seen from there, and the compiler or the linker may look there.
bool is_of_a_folder(const Preprocessed& source, const std::vector<std::string>& options) {
  return source.is_relative || is_environment_of_a_folder() ||
         !std::all_of(options.begin(), options.end(), is_of_no_folder);
}

// Whether a compiler's output can be loaded.
bool is_shared_object(const fs::path& file) {
  Elf64_Ehdr header{};
  std::ifstream(file, std::ios::binary).read(reinterpret_cast<char*>(&header), sizeof(header));
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_type == ET_DYN;
}

// Kernel files and programs with plain C++ are host and device code in one, as the CPU twin's are.
std::vector<std::string> common_options(const Installation& installation,
                                        const std::vector<std::string>& compiler) {
  std::vector<std::string> options = code_options(installation, compiler);
  options.insert(options.end(), {"-DASCENDC_CPU_DEBUG=1", "-D__CCE_KT_TEST__=1"});
  return options;
}

std::vector<std::string> options_of(const Soc& soc, CoreKind kind) {
  return chip_options(soc, soc.definitions(kind));
}

// Those of the definitions that tell the kinds of a chip's cores apart.
std::vector<std::string> kind_options(const Soc& soc, CoreKind kind) {
  const std::vector<std::string> whole = options_of(soc, CoreKind::kWhole);
  std::vector<std::string> options;
  for (const std::string& option : options_of(soc, kind)) {
    if (std::ranges::find(whole, option) == whole.end()) options.push_back(option);
  }
  return options;
}

// What the compiler said when it made a binary.
void tell_messages(const fs::path& binary, const CompileOptions& options) {
  const std::string messages = content_of(binary / "messages").value_or("");
  if (options.tell && !messages.empty()) options.tell(messages);
}

// One call of the compiler.
class Compilation {
 public:
  Compilation(const std::string& source, const Soc& soc, const Installation& installation,
              const CompileOptions& options)
      : source_(source),
        soc_(soc),
        options_(options.words),
        installation_(installation),
        chip_(options_of(soc, options.kind)),
        compiler_(compiler_for(options)),
        confined_seconds_(options.confined_seconds),
        rest_(common_options(installation, compiler_)) {
    rest_.insert(rest_.end(), {"-O2", "-fPIC"});
    linking_ = rest_.size();
    // What the kernel calls pipe, say, is its own, as in a program, and not the C library's.
    rest_.insert(rest_.end(), {"-shared", "-Wl,-Bsymbolic"});
    input_ = rest_.size();
    std::string input = fs::absolute(source).string();
    if (!options.instance.empty()) {
      rest_.insert(rest_.end(), {"-DVINCI_KERNEL_INSTANCE=" + options.instance, "-include", input});
      input = installation_.include_directory + "/vinci/kernel_instance.h";
    }
    rest_.insert(rest_.end(), {"-x", "c++", input});
    input_words_ = rest_.size() - input_;
    rest_.insert(rest_.end(), {"-x", "none"});
    rest_.insert(rest_.end(), options.words.begin(), options.words.end());
    // vinci, which loads the kernel, has the C++ library: its symbols are most of a linker's work.
    if (std::ranges::none_of(options.words, may_link)) {
      rest_.insert(rest_.end(), {"-nodefaultlibs", "-lm", "-lgcc_s", "-lgcc", "-lc"});
    }
  }

  std::vector<std::string> command() const {
    std::vector<std::string> words = compiler_;
    words.insert(words.end(), chip_.begin(), chip_.end());
    words.insert(words.end(), rest_.begin(), rest_.end());
    return words;
  }

  // The file has what no C++ compiler reads, launches of kernels, qualifiers in brackets or
  // variables in UB: what it compiles instead is written to `folder`.
  void translate_dialect(const fs::path& folder) {
    std::vector<std::string> words = command();
    const std::string text = folder / "launches.ii";
    words.insert(words.begin() + 1,
                 {"-include", "vinci/launch_site.h", "-DVINCI_LOCAL_VARIABLES=1"});
    words.insert(words.end(), {"-E", "-o", text});
    if (run_command(words, {folder / "log", folder / "log"}) != 0) return;
    translated_ = folder / "kernel.ii";
    write_file(translated_, as_cxx(content_of(text).value_or(""), Pass::kFile).text);
  }

  // The name of what is known about the inputs of this very call, from any folder if it can be.
  std::string key() const {
    const std::string place = is_of_a_place() ? fs::current_path().string() : "";
    return name_of({shared(), place, fmt::format("{}", fmt::join(chip_, "\n"))});
  }

  // Whether the key stands for these inputs: those of a text that names files as seen from the
  // working folder, in a call that is the same in each folder, are not known before one has looked.
  bool can_know(const Preprocessed& source) const {
    return !source.asks && (is_of_a_place() || !source.is_relative);
  }

  // The name of the binary. Debug information of the third level holds the chip's definitions.
  std::string binary_name(const std::optional<Preprocessed>& source,
                          const std::vector<std::string>& options) const {
    std::vector<std::string> parts{shared()};
    if (!source || is_of_a_folder(*source, options)) parts.push_back(fs::current_path().string());
    for (const std::string& file : files_among(options)) parts.push_back(content_hash(file));
    const bool macros = std::any_of(rest_.begin(), rest_.end(), [](const std::string& option) {
      return option.starts_with("-g") && option.ends_with("3");
    });
    if (macros || !source) parts.push_back(key());
    std::vector<std::string_view> all(parts.begin(), parts.end());
    if (source) all.insert(all.end(), {source->text, source->warnings});
    return name_of(all);
  }

  void add_first(const std::vector<std::string>& options) {
    first_.insert(first_.end(), options.begin(), options.end());
  }

  // What the preprocessor makes of the source shows that it needs but a part of the headers.
  void spare_headers(std::string_view text) {
    if (!names_library_of_std(text, installation_.include_directory)) {
      first_.emplace_back("-DVINCI_WITHOUT_STD=1");
    }
  }

  // The header that most sources begin with, to be compiled for sources with these options.
  LeadingHeader leading_header(const std::vector<std::string>& of_the_kind) const {
    LeadingHeader header{installation_.include_directory + "/kernel_operator.h", compiler_,
                         of_the_kind, first_, identity()};
    header.options.insert(header.options.end(), rest_.begin(), rest_.begin() + long(linking_));
    std::ranges::remove_copy_if(options_, std::back_inserter(header.options), is_of_a_source);
    return header;
  }

  // Throws if the compiler makes nothing. What to try instead: empty, it made `kernel.so`. `text`
  // is what the preprocessor made of the source, if that is known.
  std::vector<std::string> run(const fs::path& folder, const CompileOptions& options,
                               const std::string& text) {
    const fs::path output = folder / "kernel.so", messages = folder / "messages";
    std::vector<std::string> words = compiling_command();
    words.insert(words.begin() + long(compiler_.size()), first_.begin(), first_.end());
    words.insert(words.end(), {"-o", output.string()});
    const int status = options.start(words, {messages, messages, false});
    if (status == 0) {
      write_file(messages, without_redefinitions(content_of(messages).value_or(""),
                                                 installation_.include_directory));
      tell_messages(folder, options);
      check_object(output);
      return {};
    }
    const std::string errors = errors_in_english(compiling_command());
    // What a look at the syntax does not show is in the messages alone.
    const std::string said = content_of(messages).value_or("");
    if (rename_kernels(folder, text, errors)) return run(folder, options, "");
    const auto instead = compiler_instead(compiler_, errors + said);
    if (!instead.empty()) return instead;
    tell_messages(folder, options);
    throw Error(Error::Kind::kCompile, why_not(said, errors));
  }

 private:
  std::vector<std::string> compiling_command() const {
    std::vector<std::string> words = command();
    if (!translated_.empty()) {
      const auto input = words.begin() + long(words.size() - rest_.size() + input_);
      *words.erase(input, input + long(input_words_) + 1) = translated_;
    }
    return words;
  }

  // Whether it is for their names that it does not compile.
  bool rename_kernels(const fs::path& folder, const std::string& text, std::string_view errors) {
    if (!translated_.empty()) return false;
    const std::string renamed =
        with_kernels_renamed(text, errors, installation_.include_directory + "/");
    if (renamed.empty()) return false;
    translated_ = folder / "kernel.ii";
    write_file(translated_, renamed);
    first_.clear();  // the header is in the text
    return true;
  }

  std::string why_not(const std::string& messages, std::string_view errors) const {
    const std::string message = fmt::format("{} does not compile for {}", source_, soc_.name);
    if (confined_seconds_ != 0 && ran_into_limit(messages)) {
      return fmt::format(
          "{}: the compiler may take {} seconds of the processor, 4 GiB of memory and "
          "512 MiB of a file, and wanted more",
          message, confined_seconds_);
    }
    std::vector<std::string> lines = about_missing_names(errors, installation_);
    lines.insert(lines.begin(), message);
    for (std::string& line : about_compiler(compiler_, messages + std::string(errors)))
      lines.push_back(std::move(line));
    return fmt::format("{}", fmt::join(lines, "\n  "));
  }

  // With such options as -E a compiler does something else.
  void check_object(const fs::path& output) const {
    if (is_shared_object(output)) return;
    throw usage(
        fmt::format("the compiler made no shared object of {}; its options were {}; legal: "
                    "options with which it compiles and links",
                    source_, fmt::join(options_, " ")));
  }

  // What else than its command line a compiler heeds.
  std::string identity() const {
    std::vector<std::string> programs;
    for (const std::string& word : compiler_) programs.push_back(identity_of(word));
    return fmt::format("{}\n{}\n{}", VINCI_VERSION, fmt::join(programs, "\n"), environment());
  }

  // Whether the same words may mean something else in another folder.
  bool is_of_a_place() const {
    return is_environment_of_a_folder() || !std::ranges::all_of(options_, is_of_no_folder) ||
           std::ranges::any_of(compiler_, [](const std::string& word) {
             return word.find('/') != word.npos && !word.starts_with('/');
           });
  }

  // What all chips have in common.
  std::string shared() const { return fmt::format("{}\n{}", identity(), fmt::join(rest_, "\n")); }

  const std::string& source_;
  const Soc& soc_;
  const std::vector<std::string>& options_;
  const Installation installation_;
  std::vector<std::string> chip_, compiler_;
  int confined_seconds_ = 0;
  std::vector<std::string> rest_;
  std::vector<std::string> first_;      // options before all others
  size_t linking_ = 0;                  // where in rest_ options begin that are for the linker
  size_t input_ = 0, input_words_ = 0;  // where in rest_ the source stands, with its language
  std::string translated_;
};

// Launches, qualifiers in brackets, or the header whose programs declare variables in its memories.
bool is_more_than_cxx(const std::string& text) {
  return text.find("<<<") != text.npos || is_written_with_brackets(text) ||
         text.find("/c_api/asc_simd.h\"") != text.npos;
}

}  // namespace

std::vector<std::string> kernel_options(const Soc& soc, const Installation& installation) {
  std::vector<std::string> options = common_options(installation, compiler());
  for (const std::string& option : options_of(soc, CoreKind::kWhole)) options.push_back(option);
  return options;
}

bool is_of_a_source(const std::string& option) {
  for (const char* start : {"-D", "-U", "-I", "-W", "-l", "-L"}) {
    if (option.starts_with(start)) return option.size() > 2;
  }
  return false;
}

fs::path headers_in(const fs::path& cache) { return cache / "headers"; }

std::vector<std::string> compiler_for(const CompileOptions& options) {
  std::vector<std::string> words = options.compiler;
  const bool wrapped = words.size() > 1 && fs::path(words[0]).filename() == "ccache";
  if (options.confined_seconds != 0 && wrapped) words.erase(words.begin());
  return words;
}

Confines confines_for(const std::vector<std::string>& sources, const Installation& installation,
                      const CompileOptions& options, const std::string& folder) {
  // In a build the headers are links.
  const fs::path header = installation.include_directory + "/kernel_operator.h";
  Confines confines{{installation.include_directory, fs::canonical(header).parent_path().string()},
                    folder,
                    options.confined_seconds};
  std::set<std::string> folders;
  for (const std::string& source : sources) {
    confines.readable.push_back(fs::absolute(source).string());
    folders.insert(fs::absolute(source).parent_path().string());
  }
  for (const std::string& word : options.words) {
    if (word.starts_with("-I") && word.size() > 2) folders.insert(word.substr(2));
  }
  for (const std::string& one : folders) {
    for (std::string& file : sources_below(one)) confines.readable.push_back(std::move(file));
  }
  for (const std::string& file : files_among(options.words)) confines.readable.push_back(file);
  return confines;
}

Compiled compile_kernel(const std::string& source, const Soc& soc, const Installation& installation,
                        const CompileOptions& options) {
  Compilation compilation(source, soc, installation, options);
  fs::path cache;  // empty: none that can be written
  std::shared_ptr<const TemporaryFolder> work;
  try {
    cache = cache_directory();
    if (options.use_cache) {
      if (const auto binary = binary_by_inputs(cache, compilation.key())) {
        tell_messages(*binary, options);
        return {*binary / "kernel.so", true, nullptr};
      }
    }
    work = std::make_shared<TemporaryFolder>(cache, "the cache", "VINCI_CACHE");
  } catch (const Error& error) {
    if (options.use_cache && options.tell) {
      options.tell(fmt::format("vinci: warning: nothing is kept: {}\n", error.what()));
    }
    cache.clear();
    work = std::make_shared<TemporaryFolder>();
  }
  std::optional<Confinement> confinement;
  if (options.confined_seconds != 0) {
    Confines confines = confines_for({source}, installation, options, work->path());
    confines.readable.push_back(fs::absolute(headers_in(cache)).string());
    confinement.emplace(std::move(confines));
  }
  const auto text = preprocess(compilation.command(), work->path() / "text");
  const std::vector<std::string> header = with_header();
  const bool has_header = std::search(options.words.begin(), options.words.end(), header.begin(),
                                      header.end()) != options.words.end();
  if (text && !has_header && lacks_header(text->text)) {
    confinement.reset();
    CompileOptions other = options;
    other.words.insert(other.words.begin(), header.begin(), header.end());
    return compile_kernel(source, soc, installation, other);
  }
  const std::vector<std::string> files = files_among(options.words);
  const std::string name = compilation.binary_name(text, options.words);
  const std::string inputs = text ? inputs_text(*text, files, name) : "";
  const bool from_cache = options.use_cache && text && !cache.empty() && is_whole(cache / name);
  if (!from_cache) {
    if (text && is_more_than_cxx(text->text)) {
      compilation.translate_dialect(work->path());
    } else if (text) {
      compilation.spare_headers(text->text);
      if (!is_clang(options.compiler) && !cache.empty() &&
          (options.is_one_of_many || has_kernels(cache))) {
        compilation.add_first(
            with_compiled_header(compilation.leading_header(kind_options(soc, options.kind)),
                                 text->text, {headers_in(cache), work->path()}, options.start));
      }
    }
    const std::string nothing;
    const std::string& known = text ? text->text : nothing;
    if (const auto instead = compilation.run(work->path(), options, known); !instead.empty()) {
      confinement.reset();
      CompileOptions other = options;
      other.compiler = instead;
      const Compiled compiled = compile_kernel(source, soc, installation, other);
      if (text && compilation.can_know(*text) && !compiled.folder) {
        const fs::path binary = fs::path(compiled.shared_object).parent_path().filename();
        keep_inputs(work->path(), cache, compilation.key(), inputs_text(*text, files, binary));
      }
      return compiled;
    }
    // A file that changed in between: which of its contents was compiled is not known.
    if (text && !are_as_listed(inputs)) {
      confinement.reset();
      return compile_kernel(source, soc, installation, options);
    }
    write_file(work->path() / "stamp", stamp_of(work->path() / "kernel.so"));
  }
  if (cache.empty()) return {work->path() / "kernel.so", false, work};
  if (text && compilation.can_know(*text)) {
    keep_inputs(work->path(), cache, compilation.key(), inputs);
  }
  if (from_cache) {
    tell_messages(cache / name, options);
  } else {
    // What another process has published meanwhile stays: a kernel of it may be about to be loaded,
    // in a sandbox that knows this very file.
    std::error_code error;
    fs::rename(work->path(), cache / name, error);
    if (error && !(options.use_cache && is_whole(cache / name))) {
      publish(work->path(), cache / name);
    }
    drop_old_entries(cache);
  }
  return {cache / name / "kernel.so", from_cache, nullptr};
}

}  // namespace vinci::launch
