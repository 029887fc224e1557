// What Python asks of the chips, of the instructions' tables of types and of their rules.
#pragma once

#include <pybind11/pybind11.h>

namespace vinci::python {

void bind_chips(pybind11::module_& module);

}  // namespace vinci::python
