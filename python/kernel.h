// The part of vinci._engine that compiles and launches kernels.
#pragma once

#include <pybind11/pybind11.h>

void add_kernels(pybind11::module_& module);
