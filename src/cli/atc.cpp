// atc --singleop=FILE.json --output=FOLDER --soc_version=CHIP: models of single operators, for
// aclopExecuteV2.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/error.h"
#include "op/error.h"
#include "op/single_op.h"
#include "soc/soc.h"

namespace vinci::cli {
namespace {

namespace fs = std::filesystem;

std::map<std::string, std::string> options_of(const std::vector<std::string>& words) {
  std::map<std::string, std::string> options;
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    if (!word.starts_with("--") || equals == std::string::npos) {
      throw usage(fmt::format("atc: {}; legal: --name=value", word));
    }
    options[word.substr(2, equals - 2)] = word.substr(equals + 1);
  }
  return options;
}

// As the toolkit names them: the number, the type, and of each tensor type, format and shape.
std::string file_name(size_t number, const op::SingleOp& one) {
  std::string name = fmt::format("{}_{}", number, one.type);
  for (const auto* side : {&one.inputs, &one.outputs}) {
    for (const op::SingleOp::Tensor& tensor : *side) {
      name += fmt::format("_{}_{}", tensor.dtype, tensor.format);
      for (const int64_t dimension : tensor.shape) name += fmt::format("_{}", dimension);
    }
  }
  return name + ".om";
}

}  // namespace

int atc(const std::vector<std::string>& words) {
  std::map<std::string, std::string> options = options_of(words);
  const std::string file = options["singleop"], chip = options["soc_version"];
  if (file.empty()) throw usage("atc: only single operators are converted; legal: --singleop=FILE");
  const Soc* soc = find_soc(chip);
  if (soc == nullptr) {
    throw usage(fmt::format("atc: --soc_version={} is no chip (see vinci list)", chip));
  }
  std::ifstream input(file);
  const auto description = nlohmann::json::parse(input, nullptr, false);
  if (description.is_discarded()) throw usage(fmt::format("atc: {} is no JSON", file));
  const fs::path folder = options["output"].empty() ? "." : options["output"];
  std::error_code error;
  fs::create_directories(folder, error);
  try {
    const auto all = op::described_operators(description, std::string(soc->name));
    for (size_t i = 0; i < all.size(); ++i) {
      const fs::path path = folder / file_name(i, all[i]);
      std::ofstream model(path);
      model << op::model_of(all[i]).dump(1) << '\n';
      if (!model.flush()) throw usage(fmt::format("atc: {} cannot be written", path.string()));
    }
  } catch (const op::Error& wrong) {
    throw usage(fmt::format("atc: {}: {}", file, wrong.what()));
  }
  fmt::print("ATC run success\n");
  return kExitClean;
}

}  // namespace vinci::cli
