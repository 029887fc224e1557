// Operators of packages for Python. Names and types are looked up in Python; what comes here is
// arrays with the numbers of their types, and attributes as JSON.
#include "operators.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <pybind11/stl.h>

#include "launch/chip.h"
#include "launch/compile/device_code.h"
#include "launch/error.h"
#include "launch/package/operator_run.h"
#include "launch/options.h"
#include "launch/package/package.h"
#include "op/error.h"
#include "op/names.h"
#include "runs.h"

namespace py = pybind11;

namespace {

using namespace vinci;
using namespace vinci::python;
using launch::Error;
using nlohmann::json;

// How a launch goes: what Python says in words.
struct How {
  double timeout = 0;
  int threads = 0;
  bool isolated = true;
  std::string schedule, auto_sync, check;
};

struct Buffers {
  std::vector<py::buffer_info> kept;
  launch::OperatorCall call;
};

// What may come last of a tensor: (format, format before, shape before), "" for what is not said.
launch::Layout layout_of(const py::tuple& tensor, size_t place) {
  if (tensor.size() <= place) return {};
  const auto [format, origin, shape] =
      tensor[place].cast<std::tuple<std::string, std::string, std::vector<int64_t>>>();
  const auto number = [](const std::string& name) {
    const int found = name.empty() ? -1 : op::format_named(name);
    if (found < 0 && !name.empty()) {
      throw launch::usage(
          fmt::format("there is no format {}; legal: ND, NCHW, FRACTAL_NZ and the "
                      "others of ge::Format",
                      name));
    }
    return found;
  };
  return {number(format), number(origin), shape};
}

// Inputs: None, or a list of (type, shape, buffer[, layout]).
void take_inputs(const py::list& inputs, Buffers& buffers) {
  for (const py::handle input : inputs) {
    auto& given = buffers.call.inputs.emplace_back();
    if (input.is_none()) continue;
    given.emplace();
    for (const py::handle each : input.cast<py::list>()) {
      const auto array = each.cast<py::tuple>();
      buffers.kept.push_back(array[2].cast<py::buffer>().request());
      given->push_back({array[0].cast<int>(), array[1].cast<std::vector<int64_t>>(),
                        buffers.kept.back().ptr, layout_of(array, 3)});
    }
  }
}

// Outputs: nothing, or of each None or a list of (type, shape[, layout]).
void take_outputs(const py::list& outputs, Buffers& buffers) {
  for (const py::handle output : outputs) {
    auto& known = buffers.call.outputs.emplace_back();
    if (output.is_none()) continue;
    known.emplace();
    for (const py::handle each : output.cast<py::list>()) {
      const auto array = each.cast<py::tuple>();
      op::Tensor& tensor = known->emplace_back();
      tensor.dtype = array[0].cast<int>();
      tensor.shape = array[1].cast<std::vector<int64_t>>();
      layout_of(array, 2).apply(tensor);
    }
  }
}

class PyPackage {
 public:
  PyPackage(const std::vector<std::string>& paths, const std::string& soc,
            const std::vector<std::string>& options, bool use_cache, const std::string& check,
            int confined_seconds)
      : soc_(launch::chip(soc)), options_(options), checks_(soc_.name, check) {
    launch::CompileOptions compiling;
    compiling.words = options;
    compiling.use_cache = use_cache;
    compiling.confined_seconds = confined_seconds;
    compiling.is_one_of_many = confined_seconds != 0;
    compiling.tell = [this](const std::string& messages) { messages_ += messages; };
    try {
      package_ = std::make_unique<launch::Package>(paths, soc_, compiling);
    } catch (const Error& error) {
      throw with_messages(error);
    }
  }
  PyPackage(const PyPackage&) = delete;
  PyPackage& operator=(const PyPackage&) = delete;

  std::string soc() const { return std::string(soc_.name); }
  // What the kernels that were called have that no chip has, if nobody trusts the package.
  std::set<std::string> not_device_code() const { return not_device_code_; }

  // What there is, as JSON: by type {"inputs", "outputs": [{"name", "dynamic", "required",
  // "value_depend", "dtypes"}],
  // "attributes": [{"name", "type", "required", "default"}]}.
  std::string operators() const {
    json all = json::object();
    for (const auto& [type, definition] : package_->operators()) {
      if (!definition.has(std::string(soc_.name))) continue;
      const op::Chip& chip = definition.on(std::string(soc_.name));
      json& made = all[type];
      made["attributes"] = json::array();
      for (const op::Attribute& attribute : definition.attributes) {
        if (attribute.is_private) continue;
        made["attributes"].push_back({{"name", attribute.name},
                                      {"type", attribute.type},
                                      {"required", attribute.required},
                                      {"default", attribute.value}});
      }
      made["inputs"] = parameters(chip.inputs);
      made["outputs"] = parameters(chip.outputs);
    }
    return all.dump();
  }

  // "AddCustom (ascend310b, ascend310p), ...": those that this chip has not.
  std::string elsewhere() const {
    std::vector<std::string> texts;
    for (const auto& [type, definition] : package_->operators()) {
      if (definition.has(std::string(soc_.name))) continue;
      std::vector<std::string> chips;
      for (const auto& [chip, on] : definition.chips) chips.push_back(chip);
      texts.push_back(fmt::format("{} ({})", type, fmt::join(chips, ", ")));
    }
    return fmt::format("{}", fmt::join(texts, ", "));
  }

  // A Run, or one of the host code's that went wrong; the outputs as (name, type, shape, bytes);
  // what the tiling function said, as JSON; and the names of inputs that the call overwrote.
  py::tuple call(const std::string& type, const py::list& inputs, const py::list& outputs,
                 const std::string& attributes, double timeout, int threads, bool isolated,
                 const std::string& schedule, const std::string& auto_sync,
                 const std::string& check, const std::optional<std::vector<std::string>>& shown) {
    Buffers buffers;
    take_inputs(inputs, buffers);
    take_outputs(outputs, buffers);
    for (const json& value : json::parse(attributes)) {
      buffers.call.attributes.push_back(value.is_null() ? std::nullopt : std::optional(value));
    }
    buffers.call.shown = shown;
    const How how{timeout, threads, isolated, schedule, auto_sync, check};
    return run(type, buffers, how);
  }

 private:
  static json parameters(const std::vector<op::Parameter>& list) {
    json made = json::array();
    for (const op::Parameter& parameter : list) {
      made.push_back({{"name", parameter.name},
                      {"dynamic", parameter.dynamic()},
                      {"required", !parameter.absent_allowed()},
                      {"value_depend", parameter.value_depend},
                      {"dtypes", parameter.dtypes}});
    }
    return made;
  }

  Error with_messages(const Error& error) {
    return {error.kind(), error.what() + (messages_.empty() ? "" : "\n" + messages_)};
  }

  py::tuple run(const std::string& type, const Buffers& buffers, const How& how) {
    Signals signals;
    const launch::Watch watch{nullptr, [&] { return signals.raised(); }};
    Devices& devices = checks_.of(how.check).devices;
    auto device = devices.take();
    std::unique_ptr<PyRun> run;
    std::vector<launch::OperatorOutput> outputs;
    std::string tiled;
    std::vector<std::string> overwritten;
    py::list arrays;
    {
      std::unique_ptr<launch::OperatorRun> operation;
      {
        const py::gil_scoped_release no_python;
        operation = start(type, buffers, how, *device, watch, run);
        tiled = operation->answer().dump();
        overwritten = operation->overwritten(buffers.call);
      }
      for (const launch::OperatorOutput& output : operation->outputs()) {
        int64_t elements = 1;
        for (const int64_t size : output.shape) elements *= size;
        const int64_t bytes = op::bytes_of(elements, output.dtype);
        const auto* data = bytes == 0 ? "" : static_cast<const char*>(output.buffer);
        arrays.append(py::make_tuple(output.name, output.dtype, output.shape,
                                     py::bytearray(data, size_t(bytes))));
      }
    }
    devices.give_back(std::move(device));
    signals.rethrow();
    return py::make_tuple(std::move(run), arrays, tiled, overwritten);
  }

  std::unique_ptr<launch::OperatorRun> start(const std::string& type, const Buffers& buffers,
                                             const How& how, Device& device,
                                             const launch::Watch& watch,
                                             std::unique_ptr<PyRun>& run) {
    const op::Definition& definition = package_->find(type);
    auto operation = std::make_unique<launch::OperatorRun>(*package_, definition, device);
    launch::Launch launch;
    launch.order = launch::order_of({"schedule", how.schedule}, {"auto_sync", how.auto_sync}, {});
    launch.timeout_seconds = how.timeout;
    launch.threads = how.threads;
    launch.soc = std::string(soc_.name);
    launch.kernel.name = "host code of " + type;
    launch.sandbox = package_->is_shut_in() ? launch::Sandbox::kOn : launch::Sandbox::kOff;
    launch.silent = package_->is_shut_in();
    const bool is_ready = operation->prepare(buffers.call, launch, watch);
    launch::Outcome outcome = operation->host_outcome();
    if (is_ready) {
      try {
        if (operation->build()) {
          operation->launch().in_this_process = !how.isolated;
          look_at_device_code(*operation);
          operation->launch().order =
              launch::order_of({"schedule", how.schedule}, {"auto_sync", how.auto_sync},
                               operation->kernel().built.auto_sync);
          outcome = operation->run(watch);
          operation->finish();
        }
      } catch (const Error& error) {
        throw with_messages(error);
      }
    }
    if (!outcome.load_error.empty()) throw Error(Error::Kind::kCompile, outcome.load_error);
    run = std::make_unique<PyRun>(package_->files().name, operation->launch(),
                                  checks_.of(how.check).checks, std::move(outcome));
    return operation;
  }

  void look_at_device_code(const launch::OperatorRun& operation) {
    if (!package_->is_shut_in()) return;
    const auto& kernel = operation.kernel();
    for (auto& part : launch::not_device_code(kernel.built, kernel.source, options_)) {
      not_device_code_.insert(std::move(part));
    }
  }

  const Soc& soc_;
  const std::vector<std::string> options_;  // of the compiler
  std::string messages_;
  std::set<std::string> not_device_code_;
  std::unique_ptr<launch::Package> package_;
  CheckSets checks_;
};

}  // namespace

void add_operators(py::module_& module) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const op::Error& error) {
      const Error as_launch = launch::as_error(error);
      const char* kind = as_launch.kind() == Error::Kind::kUsage   ? "usage"
                         : as_launch.kind() == Error::Kind::kLacks ? "lacks"
                                                                   : "compile";
      PyErr_SetObject(py::module_::import("vinci._engine").attr("LaunchError").ptr(),
                      py::make_tuple(kind, decoded(error.what())).ptr());
    }
  });
  py::class_<PyPackage>(module, "Package", "An operator package on one chip.")
      .def(py::init<std::vector<std::string>, std::string, std::vector<std::string>, bool,
                    std::string, int>(),
           py::arg("paths"), py::arg("soc"), py::arg("options"), py::arg("use_cache"),
           py::arg("check"), py::arg("confined_seconds"), py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("soc", &PyPackage::soc)
      .def_property_readonly("not_device_code", &PyPackage::not_device_code)
      .def("operators", &PyPackage::operators, "What there is, as JSON.")
      .def("elsewhere", &PyPackage::elsewhere, "Operators that only other chips have, and which.")
      .def("call", &PyPackage::call, py::arg("type"), py::arg("inputs"), py::arg("outputs"),
           py::arg("attributes"), py::arg("timeout"), py::arg("threads"), py::arg("isolated"),
           py::arg("schedule"), py::arg("auto_sync"), py::arg("check") = "",
           py::arg("shown") = py::none(),
           "Calls one operator; a Run, its outputs, and what it was tiled to.");
}
