# find_package(AICPU): vinci has no AI CPU, so that nothing can be found.
set(AICPU_FOUND FALSE)
set(AICPU_NOT_FOUND_MESSAGE
    "vinci runs kernels of AI Cores only: kernels of the AI CPU (__aicpu__) cannot be built.")
