// What a command writes: standard output, which may be full or closed, and reports.
#pragma once

#include <filesystem>
#include <string>

namespace vinci::cli {

// Before anything else. In place of a standard stream that is closed comes one that nothing can be
// written to, so that no other file gets its number; and a pipe that nobody reads is an error of
// whoever writes, not a signal.
void prepare_streams();

// Somebody else, such as the kernel, could not write to standard output: finish_output will say so.
void note_lost_output();

// Writes what is left for standard output. The exit code: `code`, or if something was lost, which
// is said then, one that is not 0.
int finish_output(int code);

// A report of an earlier run is not to be taken for this run's: the file goes, also if `path` is a
// link to it. Links, devices and pipes stay, and reports are written through them.
void drop_report(const std::string& path);

// A file for a report, and the option that names it.
struct ReportPath {
  std::string option, path;  // empty: none; -: standard output
};

// Where drop_report has been. Throws Error (usage) if it cannot be written.
void write_report(const ReportPath& report, const std::string& text);

// A file that others are made of: one that has this text keeps its time. Throws Error (usage) if it
// cannot be written.
void write_file(const std::filesystem::path& path, const std::string& text);

}  // namespace vinci::cli
