"""securec.h: copies that fit, and what is left of the target of others."""

import subprocess

import harness

PROGRAM = r"""
#include <cstdio>
#include "tiling/tiling_api.h"

static char d[8];
static const char* left() {  // the target, and zeros as dots
  static char text[9];
  for (int i = 0; i < 8; ++i) text[i] = d[i] == 0 ? '.' : d[i];
  return text;
}
#define SHOW(call) do { memcpy(d, "abcdefg", 8); const int code = call; \
  std::printf("%s %d %s\n", #call, code, left()); } while (0)

int main() {
  SHOW(memcpy_s(d, 8, "12345678", 8));
  SHOW(memcpy_s(d, 4, "12345678", 5));
  SHOW(memcpy_s(d, 0, "1", 1));
  SHOW(memcpy_s(d, 0x80000000, "1", 1));
  SHOW(memcpy_s(nullptr, 8, "1", 1));
  SHOW(memcpy_s(d, 4, nullptr, 1));
  SHOW(memcpy_s(d, 4, d + 2, 2));
  SHOW(memcpy_s(d, 4, d + 2, 3));
  SHOW(memcpy_s(d, 4, d, 3));
  SHOW(memmove_s(d, 8, d + 2, 5));
  SHOW(memset_s(d, 8, 'x', 3));
  SHOW(memset_s(d, 4, 'x', 5));
  SHOW(memset_s(d, 0, 'x', 1));
  SHOW(strcpy_s(d, 4, "xyz"));
  SHOW(strcpy_s(d, 4, "wxyz"));
  SHOW(strcpy_s(d, 4, nullptr));
  SHOW(strcpy_s(nullptr, 4, "x"));
  SHOW(strcpy_s(d, 8, d + 2));
  SHOW(strncpy_s(d, 4, "wxyz", 3));
  SHOW(strncpy_s(d, 4, "wxyz", 4));
  SHOW((strcpy_s(d, 8, "12"), strcat_s(d, 5, "34")));
  SHOW((strcpy_s(d, 8, "12"), strcat_s(d, 4, "34")));
  SHOW(strcat_s(d, 3, "1"));
  SHOW((strcpy_s(d, 8, "12"), strncat_s(d, 4, "345", 1)));
  SHOW(sprintf_s(d, 4, "%d", 123));
  SHOW(sprintf_s(d, 4, "%d", 1234));
  SHOW(snprintf_s(d, 8, 3, "%d", 123));
  SHOW(snprintf_s(d, 8, 3, "%d", 1234));
  SHOW(snprintf_s(d, 4, 9, "%d", 1234));
  return 0;
}
"""

RESULTS = """0 12345678|162 ....efg.|34 abcdefg.|34 abcdefg.|22 abcdefg.|150 ....efg.|0 cdcdefg.
182 ....efg.|0 abcdefg.|0 cdefgfg.|0 xxxdefg.|162 xxxxefg.|34 abcdefg.
0 xyz.efg.|162 .bcdefg.|150 .bcdefg.|22 abcdefg.|182 .bcdefg.|0 wxy.efg.|162 .bcdefg.
0 1234.fg.|162 .2.defg.|150 .bcdefg.|0 123.efg.
3 123.efg.|-1 .23.efg.|3 123.efg.|-1 123.efg.|-1 .23.efg."""


def test_what_fits_is_copied_and_the_rest_refused(tmp_path):
    (tmp_path / "main.cpp").write_text(PROGRAM)
    done = harness.vinci("c++", "-Wall", "-Wextra", "-Werror", "main.cpp", "-o", "main",
                         cwd=tmp_path)
    assert done.code == 0, done.stderr
    run = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=False)
    shown = [line.rsplit(" ", 2) for line in run.stdout.splitlines()]
    wanted = [text.split(" ") for text in RESULTS.replace("\n", "|").split("|")]
    assert len(shown) == len(wanted)
    assert [(call, code, left) for call, code, left in shown] == [
        (call, *result) for (call, _, _), result in zip(shown, wanted)]


def test_the_header_is_c(tmp_path):
    (tmp_path / "main.c").write_text('#include "securec.h"\nint main(void) { char d[2]; '
                                     'return strcpy_s(d, sizeof d, "x") + memset_s(d, 2, 0, 2); }\n')
    done = harness.vinci("c++", "-x", "c", "-std=c99", "-D_GNU_SOURCE", "-Wall", "-Wextra", "main.c",
                         "-o", "main", cwd=tmp_path)
    assert done.code == 0, done.stderr
    assert subprocess.run([tmp_path / "main"], check=False).returncode == 0
