// What Python asks of the chips, of the instructions' tables of types and of their rules.
#include "chips.h"

#include <string>
#include <vector>

#include <pybind11/stl.h>

#include "core/instruction.h"
#include "soc/soc.h"
#include "tik/judge.h"

namespace py = pybind11;

namespace vinci::python {
namespace {

using namespace py::literals;

py::dict dict_of(const Soc& soc) {
  py::dict bytes, features, routes;
  for (int i = 1; i < kSpaces; ++i) bytes[py::str(std::string(name_of(Space(i))))] = soc.bytes[i];
  for (int i = 0; i < kFeatures; ++i) {
    const auto feature = Feature(1u << i);
    features[py::str(std::string(name_of(feature)))] = soc.has(feature);
  }
  for (const Route& route : soc.arch->routes) {
    routes[py::make_tuple(name_of(route.from), name_of(route.to))] = name_of(route.pipe);
  }
  return py::dict("name"_a = soc.name, "generation"_a = soc.arch->name,
                  "npu_arch"_a = soc.arch->npu_arch, "core"_a = soc.arch->core_name,
                  "cores"_a = soc.cores(), "aic_cores"_a = soc.aic_cores,
                  "aiv_cores"_a = soc.aiv_cores, "split"_a = soc.arch->split,
                  "vector_core"_a = soc.arch->vector_core, "event_ids"_a = soc.arch->event_ids,
                  "bytes"_a = bytes, "features"_a = features, "routes"_a = routes);
}

py::dict alignments() {
  py::dict bytes;
  for (int i = 0; i < kSpaces; ++i) {
    bytes[py::str(std::string(name_of(Space(i))))] = alignment_of(Space(i));
  }
  return bytes;
}

py::list chips() {
  py::list list;
  for (const Soc& soc : all_socs()) list.append(dict_of(soc));
  return list;
}

const Soc& soc_named(const std::string& name) {
  if (const Soc* soc = find_soc(name)) return *soc;
  throw py::value_error("vinci has no chip " + name);
}

const Instruction& instruction_named(const std::string& mnemonic) {
  for (const Instruction* instruction : all_instructions()) {
    if (instruction->mnemonic == mnemonic) return *instruction;
  }
  throw py::value_error("vinci has no instruction " + mnemonic);
}

// What TIK's tables say: element types, destination first, and a letter of vec_conv's modes ("" is
// no mode). Without types: whether the chip has the instruction for any.
bool supported(const std::string& soc, const std::string& mnemonic,
               const std::vector<std::string>& types, const std::string& letter) {
  static const std::string kLetters = "-rfcazo";
  const Instruction& instruction = instruction_named(mnemonic);
  Signature wanted;
  for (size_t i = 0; i < types.size() && i < wanted.types.size(); ++i) {
    wanted.types[i] = tik::dtype_of_tik(types[i]);
  }
  const size_t mode = letter.empty() ? 0 : kLetters.find(letter);
  if (mode == std::string::npos) return false;
  const ArchSet arch = soc_named(soc).arch->bit;
  for (const Support& row : instruction.support) {
    if (!row.covers(arch, kTik) || !row.implemented) continue;
    if (types.empty()) return true;
    for (const Signature& signature : row.signatures) {
      if (signature.types != wanted.types) continue;
      if (signature.modes == 0 || (signature.modes >> mode & 1) != 0) return true;
    }
  }
  return false;
}

// (field, place in a list or -1, bytes, whether some are outside) of each tensor that a call
// touches; what is said of those that overlap.
py::tuple judge(const std::string& json) {
  const tik::Judgement judgement = tik::judge(json);
  py::list reaches, overlaps;
  for (const tik::Reach& one : judgement.reaches) {
    reaches.append(py::make_tuple(std::string(one.field), one.index, one.bytes, one.is_outside));
  }
  for (const std::string& text : judgement.overlaps) overlaps.append(text);
  return py::make_tuple(reaches, overlaps);
}

}  // namespace

void bind_chips(py::module_& module) {
  module.attr("DEFAULT_SOC") = std::string(kDefaultSoc);
  module.attr("ALIGNMENTS") = alignments();
  module.def("chips", &chips,
             "All chips: name, generation, npu_arch, core, cores, aic_cores, aiv_cores, split, "
             "vector_core, event_ids, bytes by memory, features by name, "
             "routes: (from, to) -> pipe.");
  module.def("supported", &supported, py::arg("soc"), py::arg("instruction"), py::arg("types"),
             py::arg("mode") = "",
             "Whether TIK's tables have the types (destination first) on a chip.");
  module.def(
      "judge", &judge, py::arg("statements"),
      "Of a file with one call and no scalars: a list of (field, place in a list or -1, bytes, "
      "whether some are outside) for the tensors that it touches, and one of texts on those that "
      "overlap.");
}

}  // namespace vinci::python
