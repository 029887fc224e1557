// A TPipe that is a variable outside functions: it is there before any block begins.
#pragma once

namespace vinci {

// nullptr: there is none. Each block begins with it as with a TPipe that has just been made.
void* global_pipe();
void set_global_pipe(void* pipe);

}  // namespace vinci
