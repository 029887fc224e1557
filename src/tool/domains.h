// The numbers that the documents promise a result for, of functions of the library.
#pragma once

#include "tool/columns.h"

namespace vinci {

// Tells of the elements of a source that the function has no documented result for.
void judge_domain(CoreView& core, const Step& step, const Column& source);

}  // namespace vinci
