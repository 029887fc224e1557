// Tiling structs of library functions (TCubeTiling, SoftMaxTiling, ...): vinci has none yet. Files
// include it without need, too.
#pragma once
