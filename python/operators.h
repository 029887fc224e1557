// The part of vinci._engine that calls operators of packages.
#pragma once

#include <pybind11/pybind11.h>

void add_operators(pybind11::module_& module);
