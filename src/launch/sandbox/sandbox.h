// Shutting in a process that runs what nobody trusts: it may compute, start threads and write where
// it was told to, and nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vinci::launch {

enum class Sandbox { kOff, kOn, kRequired };

// What this host lacks of it, a phrase for each part; empty: nothing.
std::vector<std::string> missing_sandbox_parts();

// Makes what takes its time, for the processes that are forked next: they may read the files and
// folders that `readable` names, no others, and write none. One thread at a time.
void prepare_shut_in(const std::vector<std::string>& readable);

// For this process, which was forked after that, and all threads that it starts from now on; cannot
// be undone. Descriptors above 2 are closed but for `kept`. Memory is limited to what there is and
// `more_bytes`.
void shut_in(const std::vector<int>& kept, uint64_t more_bytes);

// Behind that, for all threads, before a kernel's file is loaded, as its constructors are the
// kernel's own: what else a process may ask of the system (sockets, other processes, their signals)
// ends it by SIGSYS, as far as the host has such filters. Only the system's loader may open files,
// and SIGSYS keeps its handler.
void filter_calls_but_of_loader();

// Behind that, for all threads: opening a file ends the process, whoever does it.
void shut_files();

// "openat", for messages; the number, if it has no name.
std::string system_call_name(int number);

}  // namespace vinci::launch
