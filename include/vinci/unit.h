// What a file of a program tells the runtime of itself. It is in front of every program's text:
// headers of the standard library that take long have no place here.
#pragma once

namespace vinci::host {

// The chip that a file of the program was compiled for: the first one counts, and VINCI_SOC more
// than any.
void set_program_soc(const char* soc);

// Called by a kernel that was compiled with --cce-auto-sync=off, on its core: until it ends the
// vendor's compiler orders nothing, unless VINCI_AUTO_SYNC says otherwise.
void leave_out_auto_sync();

}  // namespace vinci::host
