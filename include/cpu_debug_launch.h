// Programs for the CPU include it for their launches, which need nothing of it here.
#pragma once
