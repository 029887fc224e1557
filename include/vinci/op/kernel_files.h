// Where the kernels of a package lie: said by constructors that build files generate.
#pragma once

extern "C" {

// The kernel of a type of operators, on some chips (with blanks between; empty: all). The path is
// that of a source; without a type, that of a folder that has sources by their operators' names.
void vinci_op_kernel_source(const char* type, const char* chips, const char* path);
// An option for compiling the kernels of a type; empty: of all.
void vinci_op_kernel_option(const char* type, const char* chips, const char* option);
}
