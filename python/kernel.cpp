// Kernels for Python: compiled once, launched often. Types are checked in Python; what comes here
// is bytes for values, and contiguous buffers for GM.
#include "kernel.h"

#include "runs.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <pybind11/stl.h>

#include "launch/bind.h"
#include "launch/sandbox/cgroup.h"
#include "launch/chip.h"
#include "launch/build.h"
#include "launch/compile/device_code.h"
#include "launch/error.h"
#include "launch/launch.h"
#include "launch/options.h"
#include "vinci/float_bits.h"

namespace py = pybind11;

namespace {

using namespace vinci;
using namespace vinci::python;
using launch::Error;
using launch::Value;

const char* name_of(Error::Kind kind) {
  constexpr const char* kNames[] = {"usage", "compile", "lacks", "internal"};
  return kNames[size_t(kind)];
}

const char* name_of(launch::Parameter::Kind kind) {
  constexpr const char* kNames[] = {"pointer", "integer", "float", "double", "struct"};
  return kNames[size_t(kind)];
}

// The GM of one launch, on a device that is its own meanwhile.
class Gm {
 public:
  struct Array {
    std::string name;
    uint8_t* host = nullptr;
    uint64_t bytes = 0;
    bool read_only = false;
    void* buffer = nullptr;
  };

  explicit Gm(Devices& devices) : devices_(devices), device_(devices.take()) {}
  Gm(const Gm&) = delete;
  Gm& operator=(const Gm&) = delete;
  ~Gm() {
    for (const Array& array : arrays_) device_->release(array.buffer);
    devices_.give_back(std::move(device_));
  }

  Device& device() { return *device_; }

  // The GM buffer of an array, with its content; one that is given twice has one.
  void* buffer_of(Array array) {
    for (Array& other : arrays_) {
      if (other.host == array.host && other.bytes == array.bytes) return other.buffer;
      if (array.host < other.host + other.bytes && other.host < array.host + array.bytes) {
        throw launch::usage(
            fmt::format("arguments {} and {} share memory; legal: the same array, or arrays apart",
                        other.name, array.name));
      }
    }
    try {
      array.buffer = device_->allocate(array.bytes, array.name);
    } catch (const std::bad_alloc&) {
      throw launch::usage(fmt::format("argument {}: {} bytes of memory are not to be had",
                                      array.name, array.bytes));
    }
    if (array.bytes != 0) std::memcpy(array.buffer, array.host, array.bytes);
    arrays_.push_back(array);
    return array.buffer;
  }

  void copy_back() const {
    for (const Array& array : arrays_) {
      if (!array.read_only && array.bytes != 0) {
        std::memcpy(array.host, array.buffer, array.bytes);
      }
    }
    for (const Array& array : arrays_) {
      if (!array.read_only || array.bytes == 0) continue;
      if (std::memcmp(array.host, array.buffer, array.bytes) == 0) continue;
      throw launch::usage(fmt::format(
          "argument {} is a read-only array, but the kernel wrote it; legal: a writeable one",
          array.name));
    }
  }

 private:
  Devices& devices_;
  std::unique_ptr<Device> device_;
  std::vector<Array> arrays_;
};

class PyKernel {
 public:
  PyKernel(std::string file, const std::string& soc, const std::string& name,
           const std::vector<std::string>& options, bool use_cache, const std::string& cores,
           const std::string& check, const std::string& schedule, const std::string& auto_sync,
           int confined_seconds)
      : file_(std::move(file)),
        soc_(launch::chip(soc)),
        schedule_(schedule),
        auto_sync_(auto_sync),
        options_(options),
        is_shut_in_(confined_seconds != 0),
        checks_(soc_.name, check) {
    order("", "");  // before anything is compiled
    launch::CompileOptions compiling;
    compiling.words = options;
    compiling.use_cache = use_cache;
    compiling.confined_seconds = confined_seconds;
    compiling.is_one_of_many = is_shut_in_;  // who trusts nobody judges many
    compiling.tell = [this](const std::string& messages) { messages_ += messages; };
    try {
      built_ = launch::build_kernel(file_, soc_, cores, name, "name=: ", compiling);
    } catch (const Error& error) {
      throw Error(error.kind(), error.what() + (messages_.empty() ? "" : "\n" + messages_));
    }
    launch::check_count(kernel_, kernel_.parameters.size());
  }

  PyKernel(const PyKernel&) = delete;
  PyKernel& operator=(const PyKernel&) = delete;

  std::string soc() const { return std::string(soc_.name); }
  std::string name() const { return kernel_.name; }
  std::string signature() const { return launch::signature_text(kernel_); }
  py::str messages() const { return decoded(messages_); }
  std::vector<std::string> not_device_code() const {
    return launch::not_device_code(built_, file_, options_);
  }
  void check_count(size_t count) const { launch::check_count(kernel_, count); }

  py::list parameters() const {
    using namespace py::literals;
    py::list list;
    for (size_t i = 0; i < kernel_.parameters.size(); ++i) {
      const launch::Parameter& parameter = kernel_.parameters[i];
      const bool own = parameter.dtype != DType::kNone;
      list.append(py::dict("name"_a = name_of_parameter(i), "type"_a = parameter.type,
                           "kind"_a = own ? "float" : name_of(parameter.kind),
                           "bytes"_a = parameter.bytes, "signed"_a = parameter.is_signed,
                           "bfloat16"_a = parameter.dtype == DType::kBfloat16,
                           "obstacle"_a = parameter.obstacle));
    }
    return list;
  }

  // `arguments` are bytes, as many as the parameter has, or buffers.
  std::unique_ptr<PyRun> run(const py::list& arguments, int64_t blocks, double timeout, int threads,
                             bool isolated, const std::string& schedule,
                             const std::string& auto_sync, bool silent, const std::string& check) {
    const Grid grid{blocks, built_.cores.aic, built_.cores.aiv};
    launch::Launch launch{built_.shared_objects,
                          kernel_,
                          soc(),
                          grid,
                          order(schedule, auto_sync),
                          timeout,
                          threads,
                          "timeout",
                          !isolated,
                          silent || is_shut_in_,
                          is_shut_in_ ? launch::Sandbox::kOn : launch::Sandbox::kOff};
    std::vector<py::buffer_info> kept;
    std::vector<Gm::Array> arrays(arguments.size());
    std::vector<Value> values(arguments.size());
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (py::isinstance<py::bytes>(arguments[i])) {
        const auto bytes = std::string_view(arguments[i].cast<py::bytes>());
        values[i].assign(bytes.begin(), bytes.end());
      } else {
        kept.push_back(arguments[i].cast<py::buffer>().request());
        const py::buffer_info& info = kept.back();
        arrays[i] = {name_of_parameter(i), static_cast<uint8_t*>(info.ptr),
                     uint64_t(info.size * info.itemsize), info.readonly, nullptr};
      }
    }
    Signals signals;
    CheckSets::Set& checked = checks_.of(check);
    launch::Outcome outcome;
    {
      const py::gil_scoped_release no_python;
      Gm gm(checked.devices);
      for (size_t i = 0; i < arrays.size(); ++i) {
        if (values[i].empty()) values[i] = launch::address_value(gm.buffer_of(arrays[i]));
      }
      outcome = launch::run_kernel(launch, gm.device(), values,
                                   {nullptr, [&] { return signals.raised(); }});
      if (!outcome.load_error.empty()) {
        throw Error(Error::Kind::kCompile,
                    fmt::format("{} cannot be loaded: {}", file_, outcome.load_error));
      }
      gm.copy_back();
    }
    signals.rethrow();
    return std::make_unique<PyRun>(file_, std::move(launch), checked.checks, std::move(outcome));
  }

 private:
  // Where a launch says nothing, the kernel does.
  Order order(const std::string& schedule, const std::string& auto_sync) const {
    return launch::order_of({"schedule", schedule.empty() ? schedule_ : schedule},
                            {"auto_sync", auto_sync.empty() ? auto_sync_ : auto_sync},
                            built_.auto_sync);
  }

  // Or its number, from 1.
  std::string name_of_parameter(size_t index) const {
    const std::string& name = kernel_.parameters[index].name;
    return name.empty() ? fmt::format("{}", index + 1) : name;
  }

  std::string file_;
  const Soc& soc_;
  std::string messages_;
  launch::Built built_;
  const launch::Kernel& kernel_ = built_.kernel;
  const std::string schedule_, auto_sync_;
  const std::vector<std::string> options_;  // of the compiler
  const bool is_shut_in_;                   // silent and in a sandbox, as its compiler was
  CheckSets checks_;
};

// A number as float, half or bfloat16, rounded once.
py::bytes float_bytes(double number, unsigned bytes, bool is_bfloat16) {
  uint32_t bits = bits_of_float(float(number));
  if (bytes == 2) {
    const float odd = float_of_double_odd(number);
    bits = is_bfloat16 ? bfloat16_of_float(odd) : half_of_float(odd);
  }
  return {reinterpret_cast<const char*>(&bits), bytes};
}

}  // namespace

void add_kernels(py::module_& module) {
  static PyObject* const error_class =
      PyErr_NewException("vinci._engine.LaunchError", PyExc_Exception, nullptr);
  module.add_object("LaunchError", py::reinterpret_borrow<py::object>(error_class));
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& error) {
      PyErr_SetObject(error_class,
                      py::make_tuple(name_of(error.kind()), decoded(error.what())).ptr());
    }
  });
  module.def("end_with_parent", [] { prctl(PR_SET_PDEATHSIG, SIGKILL); });
  // This process and what it will start, where the host allows it; with limits, or for processes
  // that make limited ones of their own.
  module.def("enter_group", [](bool limited) {
    const std::optional<launch::GroupLimits> limits(launch::GroupLimits{});
    return launch::enter_group(launch::own_group(), getpid(), limited ? limits : std::nullopt);
  });
  module.def("missing_sandbox_parts", &launch::missing_sandbox_parts);
  module.attr("VERSION") = VINCI_VERSION;
  module.attr("LEGAL_CHECKS") = legal_checks();
  module.attr("LEGAL_SCHEDULES") = std::string(kLegalSchedules);
  module.def("float_bytes", &float_bytes, py::arg("number"), py::arg("bytes"), py::arg("bfloat16"),
             "A number as float, half or bfloat16.");
  py::class_<PyRun>(module, "Run", "What one launch left.")
      .def_property_readonly("is_clean", &PyRun::is_clean, "Whether there are no faults.")
      .def_property_readonly("timed_out", &PyRun::timed_out)
      .def_property_readonly("seconds", &PyRun::seconds, "In the kernel.")
      .def_property_readonly("errors", &PyRun::errors, "Code and message of each.")
      .def("add_unstable", &PyRun::add_unstable, py::arg("message"), py::arg("legal"))
      .def("suppress", &PyRun::suppress, py::arg("file"),
           "Gives reasons to faults. The file's lines that were for none.")
      .def("sarif", &PyRun::sarif, "As SARIF 2.1.0.")
      .def("report", &PyRun::report, "As JSON, with the faults' texts.");
  module.def("check_suppressions", [](const std::string& file) { PyRun::suppressions_of(file); });
  py::class_<PyKernel>(module, "Kernel", "A compiled kernel.")
      .def(py::init<std::string, std::string, std::string, std::vector<std::string>, bool,
                    std::string, std::string, std::string, std::string, int>(),
           py::arg("file"), py::arg("soc"), py::arg("name"), py::arg("options"),
           py::arg("use_cache"), py::arg("cores"), py::arg("check"), py::arg("schedule"),
           py::arg("auto_sync"), py::arg("confined_seconds"),
           py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("soc", &PyKernel::soc)
      .def_property_readonly("name", &PyKernel::name)
      .def_property_readonly("signature", &PyKernel::signature)
      .def_property_readonly("messages", &PyKernel::messages, "What the compiler said.")
      .def_property_readonly("parameters", &PyKernel::parameters)
      .def_property_readonly("not_device_code", &PyKernel::not_device_code,
                             "What it has that no chip has, a phrase for each.")
      .def("check_count", &PyKernel::check_count, "LaunchError unless it has so many parameters.")
      .def("run", &PyKernel::run, py::arg("arguments"), py::arg("blocks"), py::arg("timeout"),
           py::arg("threads"), py::arg("isolated"), py::arg("schedule"), py::arg("auto_sync"),
           py::arg("silent"), py::arg("check") = "",
           "Launches it on bytes (values) and buffers (GM); a Run.");
}
