// Under the name that examples of the documents include.
#pragma once

#include "lib/conv_backprop/conv3d_bp_filter_tiling.h"
