// Words that say what a library shows: everything is shown here.
#pragma once

#define GE_FUNC_HOST_VISIBILITY
#define GE_FUNC_DEV_VISIBILITY
#define FMK_FUNC_HOST_VISIBILITY
#define FMK_FUNC_DEV_VISIBILITY
