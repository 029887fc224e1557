// The header that Ascend C kernels include. Everything behind it is vinci's own.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ascendc/arithmetic.h"
#include "ascendc/atomic.h"
#include "ascendc/cast.h"
#include "ascendc/compare.h"
#include "ascendc/control.h"
#include "ascendc/conv2d.h"
#include "ascendc/copy.h"
#include "ascendc/data_copy.h"
#include "ascendc/data_copy_pad.h"
#include "ascendc/duplicate.h"
#include "ascendc/fill.h"
#include "ascendc/fixpipe.h"
#include "ascendc/gather.h"
#include "ascendc/keyword.h"
#include "ascendc/load_data.h"
#include "ascendc/mask.h"
#include "ascendc/mmad.h"
#include "ascendc/number.h"
#include "ascendc/pipe.h"
#include "ascendc/reduce.h"
#include "ascendc/sort.h"
#include "ascendc/sync.h"
#include "ascendc/system.h"
#include "ascendc/tensor.h"
#include "ascendc/transpose.h"
