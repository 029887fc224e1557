#include "host/acl/nn/builds.h"

#include <fstream>
#include <map>
#include <mutex>
#include <stdexcept>

#include <fmt/format.h>

#include "host/driver.h"

namespace vinci::acl {
namespace {

Build compile(const BuildRequest& request) {
  const std::string folder = host::new_scratch_folder();
  const std::string source = folder + "/" + request.entry + ".cpp";
  const std::string binary = folder + "/" + request.entry + ".so";
  std::ofstream(source) << request.text;
  std::vector<std::string> words{"-shared", "-x",           "asc",
                                 source,    "-o",           binary,
                                 "-g",      "--vinci-keep", "--vinci-soc=" + request.soc};
  words.insert(words.end(), request.options.begin(), request.options.end());
  const host::Driven driven = host::run_driver(words);
  if (driven.code != 0) throw std::runtime_error(driven.log);
  Build build;
  build.kernels = host::Kernels::load(binary);
  build.kernel = build.kernels->find(request.entry);
  if (build.kernel == nullptr) {
    throw std::runtime_error(fmt::format("{} is not in what was compiled", request.entry));
  }
  return build;
}

}  // namespace

Build build_of(const BuildRequest& request) {
  static std::mutex mutex;
  static auto* const builds = new std::map<BuildRequest, Build>;
  const std::lock_guard lock(mutex);
  const auto found = builds->find(request);
  if (found != builds->end()) return found->second;
  return builds->emplace(request, compile(request)).first->second;
}

}  // namespace vinci::acl
