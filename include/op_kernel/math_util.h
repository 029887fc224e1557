// Division and alignment of whole numbers, as kernels of operators use them.
#pragma once

#include "util/math_util.h"

namespace ops {

using Ops::Base::CeilAlign;
using Ops::Base::CeilDiv;
using Ops::Base::FloorAlign;
using Ops::Base::FloorDiv;

}  // namespace ops
