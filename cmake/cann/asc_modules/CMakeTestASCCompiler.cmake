# The compiler belongs to the tree that these modules lie in: a kernel of its own would tell nothing
# that the project's kernels do not, and costs a compilation.
set(CMAKE_ASC_COMPILER_WORKS TRUE)
