// The host compiler: which one, and the options that everything needs which uses vinci's headers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "launch/installation.h"

namespace vinci::launch {

// The first words of a command: $CXX, "ccache g++" say, or the compiler that vinci was built with.
std::vector<std::string> compiler();

// Whether these are the words of clang.
bool is_clang(const std::vector<std::string>& compiler);

// clang++, where it is installed, after g++ has refused a source with these errors (in English) for
// what clang, and so the vendor's compiler, takes: specialisations of a member inside its class,
// names that change their meaning in a class. Empty: nothing to try.
std::vector<std::string> compiler_instead(const std::vector<std::string>& first,
                                          std::string_view errors);

// What to say where that is not installed; one sentence or none.
std::vector<std::string> about_compiler(const std::vector<std::string>& first,
                                        std::string_view errors);

// Options that all code needs which uses vinci's headers.
std::vector<std::string> code_options(const Installation& installation,
                                      const std::vector<std::string>& compiler);

// Options that link a program with this library.
std::vector<std::string> library_options(const Installation& installation);

}  // namespace vinci::launch
