// The basic functions are one header here.
#pragma once

#include "kernel_operator.h"
