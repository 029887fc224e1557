// vinci._engine: the chips and the tables of types (chips.cpp), kernels (kernel.cpp), and runs of
// TIK programs.
#include <algorithm>
#include <csignal>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "chips.h"
#include "kernel.h"
#include "operators.h"
#include "report/source_line.h"
#include "report/text.h"
#include "tik/run.h"

namespace py = pybind11;

namespace {

using namespace vinci;

py::dict dict_of(const Fault& fault, const tik::Program& program, const SourceLines& lines) {
  using namespace py::literals;
  std::vector<SourceLine> places;
  if (fault.line != 0) places.push_back({fault.file, fault.line, ""});
  const int callers = fault.frames.empty() ? -1 : int(fault.frames[0]);
  if (callers >= 0) std::ranges::copy(program.callers[size_t(callers)], std::back_inserter(places));
  return py::dict(
      "code"_a = to_string(fault.code), "severity"_a = fault.entry().warning ? "warning" : "error",
      "kind"_a = name_of(fault.entry().kind), "message"_a = fault.message, "legal"_a = fault.legal,
      "file"_a = fault.file, "line"_a = fault.line, "block"_a = fault.block, "callers"_a = callers,
      "count"_a = fault.count, "text"_a = text_of(fault, places, lines));
}

tik::Feed::Bytes bytes_of(const py::handle& object, std::vector<py::buffer_info>& kept) {
  kept.push_back(py::cast<py::buffer>(object).request());
  const py::buffer_info& info = kept.back();
  if (PyBuffer_IsContiguous(info.view(), 'C') == 0) {
    throw py::value_error("an array is not contiguous; numpy.ascontiguousarray makes it so");
  }
  return {info.ptr, uint64_t(info.size) * uint64_t(info.itemsize)};
}

tik::Feed feed_of(const py::handle& object, std::vector<py::buffer_info>& kept) {
  tik::Feed feed;
  if (py::isinstance<py::float_>(object)) {
    feed.number = {DType::kFloat, bits_of_float(object.cast<float>())};
  } else if (py::isinstance<py::int_>(object)) {
    feed.number = {DType::kInt64, uint64_t(PyLong_AsUnsignedLongLongMask(object.ptr()))};
  } else if (py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object)) {
    for (const py::handle& item : object) feed.arrays.push_back(bytes_of(item, kept));
  } else {
    feed.arrays.push_back(bytes_of(object, kept));
  }
  return feed;
}

// Ctrl-C ends the process while statements run without Python.
class Interruptible {
 public:
  Interruptible() : before_(std::signal(SIGINT, SIG_DFL)) {}
  ~Interruptible() { std::signal(SIGINT, before_); }

 private:
  void (*before_)(int);
};

// What peek sees while a callback runs, and not after it, however it ends.
class Watched {
 public:
  Watched(const tik::Machine*& watched, const tik::Machine& machine) : watched_(watched) {
    watched_ = &machine;
  }
  ~Watched() { watched_ = nullptr; }

 private:
  const tik::Machine*& watched_;
};

// Some of the memory that a run has left, which lives as long as this does. Python's buffer.
struct Left {
  std::shared_ptr<const void> memory;
  std::span<const uint8_t> bytes;
};

class PyProgram {
 public:
  explicit PyProgram(const std::string& json) : program_(json) {}

  py::dict run(const py::dict& feeds, const py::object& on_print, const py::object& on_statement,
               int threads, const py::object& wanted);

  // Of a tensor on chip or of GM, while a callback runs.
  py::bytes peek(int buffer) const {
    const tik::BufferInfo& info = program_.buffers.at(size_t(buffer));
    if (machine_ == nullptr) throw std::runtime_error("no statement is running");
    if (info.position == Position::GM) {
      const tik::GmArray& array = machine_->gm(buffer);
      return {reinterpret_cast<const char*>(array.data), array.bytes};
    }
    Core& core = machine_->core();
    Operand operand;
    operand.position = info.position;
    const tik::Place& place = machine_->place(buffer);
    operand.address = place.address;
    return {reinterpret_cast<const char*>(core.data(operand)), place.bytes};
  }
  py::object peek_scalar(int scalar) const {
    if (machine_ == nullptr) throw std::runtime_error("no statement is running");
    const tik::Scalars& scalars = machine_->scalars();
    if (!scalars.known.at(size_t(scalar))) return py::none();
    const tik::Value value = scalars.values[size_t(scalar)];
    if (tik::is_float(value.type)) return py::float_(tik::float_of(value));
    if (value.is_unsigned_64()) return py::int_(value.bits);
    return py::int_(value.integer());
  }

 private:
  const tik::Program program_;
  const tik::Machine* machine_ = nullptr;  // while a callback runs
};

py::dict PyProgram::run(const py::dict& feeds, const py::object& on_print,
                        const py::object& on_statement, int threads, const py::object& wanted) {
  std::vector<py::buffer_info> kept;
  std::map<std::string, tik::Feed> fed;
  for (const auto& [name, object] : feeds) fed[name.cast<std::string>()] = feed_of(object, kept);
  tik::Hooks hooks;
  if (!on_print.is_none()) {
    hooks.print = [&](const tik::Machine& machine, int id) {
      const py::gil_scoped_acquire python;
      const Watched watched(machine_, machine);
      on_print(id, machine.core().block_index());
    };
  }
  if (!on_statement.is_none()) {
    hooks.statement = [&](const tik::Machine& machine, const tik::Command& command) {
      const py::gil_scoped_acquire python;
      const Watched watched(machine_, machine);
      on_statement(command.file, command.caller.line, machine.core().block_index());
    };
  }
  tik::Result result;
  {
    const py::gil_scoped_release no_python;
    const Interruptible interruptible;
    result = tik::run(program_, fed, hooks, threads);
  }
  py::dict outputs;
  for (const auto& [name, arrays] : result.outputs) {
    if (!wanted.is_none() && !wanted.contains(name)) continue;
    py::list list;
    for (const auto& array : arrays) {
      list.append(Left{result.memory, array});
    }
    outputs[py::str(name)] = list;
  }
  const SourceLines lines = SourceLines::of_this_process();
  py::list faults;
  for (const Fault& fault : result.faults) faults.append(dict_of(fault, program_, lines));
  using namespace py::literals;
  return py::dict("outputs"_a = outputs, "faults"_a = faults, "finished"_a = result.finished,
                  "seconds"_a = result.seconds);
}

}  // namespace

PYBIND11_MODULE(_engine, module) {
  module.doc() = "The engine behind vinci's Python packages.";
  py::register_exception<tik::BadStatements>(module, "BadStatements", PyExc_ValueError);
  vinci::python::bind_chips(module);
  py::class_<Left>(module, "Left", py::buffer_protocol(), "What a run left of an array in GM.")
      .def_buffer([](const Left& left) {
        return py::buffer_info(const_cast<uint8_t*>(left.bytes.data()), 1,
                               py::format_descriptor<uint8_t>::format(), 1,
                               {py::ssize_t(left.bytes.size())}, {1}, true);
      });
  py::class_<PyProgram>(module, "Program", "A statement file, decoded.")
      .def(py::init<const std::string&>())
      .def("run", &PyProgram::run, py::arg("feeds"), py::arg("on_print") = py::none(),
           py::arg("on_statement") = py::none(), py::arg("threads") = 0,
           py::arg("outputs") = py::none(),
           "Runs it. feeds: arrays and numbers by name; outputs: the names of what is returned, or "
           "None for all inputs and outputs. Returns outputs, faults, finished, seconds.")
      .def("peek", &PyProgram::peek, "The bytes of a buffer, inside a callback.")
      .def("peek_scalar", &PyProgram::peek_scalar, "A scalar's value, inside a callback.");
  add_kernels(module);
  add_operators(module);
}
