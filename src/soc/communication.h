// Which chips have what of communication between devices.
#pragma once

#include "soc/soc.h"

namespace vinci {

// Of the documents' Atlas A3; other chips with AICs and AIVs are their Atlas A2.
bool is_atlas_a3(const Soc& soc);

}  // namespace vinci
