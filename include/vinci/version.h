// The version that these headers, and the libraries built from the same tree, are of. Kernels
// compiled with other headers than the library's would hand it records that it reads wrongly.
#pragma once

#define VINCI_VERSION_OF_HEADERS "0.1.0"
