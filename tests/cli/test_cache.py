"""The cache of compiled kernels: what is found there, what is not, and where it may be."""

import json
import os
import subprocess
import time
from unittest import mock

import pytest

import harness
from cli_kit import Folder, check_ok, load, run


@pytest.fixture(name="folder")
def fixture_folder(tmp_path):
    return Folder(tmp_path)


def test_the_second_run_uses_the_cache(folder):
    folder.result()
    first = folder.compiled()
    folder.result()
    assert len(first) == 1 and folder.compiled() == first


def test_a_changed_source_is_compiled_again(folder):
    assert folder.result() == 1
    folder.write("out[0] = 2;")
    assert folder.result() == 2


def test_a_source_changed_within_the_same_second_and_size_is_compiled_again(folder):
    folder.result()
    stat = os.stat(folder.path / "k.cpp")
    folder.write("out[0] = 3;")
    os.utime(folder.path / "k.cpp", ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert folder.result() == 3


def test_a_touched_source_gives_the_same_result(folder):
    folder.result()
    os.utime(folder.path / "k.cpp", (2_000_000_000, 2_000_000_000))
    assert folder.result() == 1


def test_a_kernel_beside_the_compilers_own_files_is_compiled_once(folder):
    """What the compiler writes into the folder and takes away again is no change of the kernel."""
    folder.write("out[0] = 1;")
    time.sleep(0.05)  # the folder's last change is no news
    assert folder.run(env={"TMPDIR": str(folder.path)}).code == 0


def test_a_changed_header_is_compiled_again(folder):
    (folder.path / "a b$c.h").write_text("#define NUMBER 4\n")
    folder.write("out[0] = NUMBER;", before='#include "a b$c.h"')
    assert folder.result() == 4
    (folder.path / "a b$c.h").write_text("#define NUMBER 5\n")
    assert folder.result() == 5


def test_a_header_that_vanished_is_noticed(folder):
    (folder.path / "n.h").write_text("#define NUMBER 4\n")
    folder.write("out[0] = NUMBER;", before='#include "n.h"')
    folder.result()
    (folder.path / "n.h").unlink()
    assert folder.run().code == 3


def test_a_source_is_known_in_each_folder_if_its_options_are(folder):
    inner = folder.path / "inner"
    inner.mkdir()
    (inner / "n.h").write_text("#define NUMBER 7\n")
    (folder.path / "n.h").write_text("#define NUMBER 6\n")
    folder.write("out[0] = NUMBER;", before="#include <n.h>")
    # An empty name in the environment's lists is the working folder.
    for options, env, results, entries in (([f"-I{inner}"], None, (7, 7), 1), (["-I."], None, (6, 7), 3),
                                           ([], {"CPATH": ":/none"}, (6, 7), 5)):
        found = [folder.result(options=options, env=env, cwd=cwd) for cwd in (folder.path, inner)]
        assert tuple(found) == results
        assert len(list((folder.path / "cache").glob("*.inputs"))) == entries


def test_other_options_and_chips_have_entries_of_their_own(folder):
    folder.write("out[0] = __NPU_ARCH__ % 256 + NUMBER;")
    assert folder.result(options=["-DNUMBER=0"]) == 2002 % 256
    assert folder.result(options=["-DNUMBER=1"]) == 2003 % 256
    assert folder.result("--soc", "Ascend910B1", options=["-DNUMBER=0"]) == 2201 % 256
    assert folder.result(options=["-DNUMBER=0"]) == 2002 % 256
    assert len(folder.compiled()) == 3


CHIPS = list(harness.CHIPS.values())


def test_chips_that_see_the_same_text_share_a_binary(folder):
    assert folder.result("--soc", CHIPS[0]) == 1
    first = folder.compiled()
    for _ in range(2):
        for chip in CHIPS:
            assert folder.result("--soc", chip) == 1
    assert len(first) == 1 and folder.compiled() == first


def test_chips_that_see_another_text_do_not(folder):
    folder.write("out[0] = VINCI_SOC[6];")  # Ascend310, Ascend910A
    assert folder.result("--soc", "Ascend310") == ord("3")
    assert folder.result("--soc", "Ascend910A") == ord("9")
    assert len(folder.compiled()) == 2


def test_debug_information_with_macros_is_the_chips_own(folder):
    for chip in CHIPS[:2]:
        folder.result("--soc", chip, options=["-g3"])
    assert len(folder.compiled()) == 2


def test_a_shared_binary_names_the_line_on_each_chip(folder):
    folder.write("\n\n*(volatile int*)8 = 1;")
    for chip in CHIPS[:2]:
        done = folder.run("--soc", chip)
        assert done.code == 1 and "--> k.cpp:5 in k\n" in done.stderr, done.stderr
    assert len(folder.compiled()) == 1


def test_the_same_text_in_two_places_is_compiled_for_each(folder):
    """Debug information holds the source's path."""
    for name in ("one", "other"):
        (folder.path / name).mkdir()
        Folder(folder.path / name).write("*(volatile int*)8 = 1;")
    with mock.patch.object(harness, "CACHE", folder.path / "cache"):
        for name in ("one", "other"):
            done = run(folder.path / name / "k.cpp", None, cwd=folder.path, args=["zeros:uint8:1"])
            assert f"--> {name}/k.cpp:3 in k\n" in done.stderr, done.stderr
        assert len(folder.compiled()) == 2


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_a_binary_serves_each_folder_that_vinci_is_called_from(folder, compiler):
    folder.write("*(volatile int*)8 = 1;")
    (folder.path / "below").mkdir()
    with mock.patch.object(harness, "CACHE", folder.path / "cache"):
        for where, name in (("below", f"{folder.path}/k.cpp"), (".", "k.cpp")):
            done = run(folder.path / "k.cpp", None, cwd=folder.path / where,
                       args=["zeros:uint8:1"], env={"CXX": compiler})
            assert f"--> {name}:3 in k\n" in done.stderr, done.stderr
    assert len(folder.compiled()) == 1


def test_what_is_named_as_seen_from_a_folder_is_compiled_for_it(folder):
    """Debug information holds the folder for it."""
    folder.write("crash();", before='#include "n.h"')
    for name in ("one", "other"):
        (folder.path / name / "inc").mkdir(parents=True)
        (folder.path / name / "inc" / "n.h").write_text(
            "inline void crash() { *(volatile int*)8 = 1; }\n")
        with mock.patch.object(harness, "CACHE", folder.path / "cache"):
            done = run(folder.path / "k.cpp", None, "--json", "r.json", cwd=folder.path / name,
                       args=["zeros:uint8:1"], options=["-Iinc", "-O0"])
        assert done.code == 1, done.stderr
        lines = json.loads((folder.path / name / "r.json").read_text())["faults"][0]["lines"]
        assert lines[0]["file"] == f"{folder.path}/{name}/inc/n.h"
    assert len(folder.compiled()) == 2


def include_folders(folder, *names):
    """Folders of which the last has a header n.h with NUMBER 4, as options."""
    for name in names:
        (folder.path / name).mkdir()
    (folder.path / names[-1] / "n.h").write_text("#define NUMBER 4\n")
    folder.write("out[0] = NUMBER;", before="#include <n.h>")
    return [f"-I{folder.path / name}" for name in names]


def test_a_header_that_appears_earlier_in_the_path_is_compiled(folder):
    options = include_folders(folder, "first", "second", "third")
    assert folder.result(options=options) == 4
    (folder.path / "second" / "n.h").write_text("#define NUMBER 5\n")
    assert folder.result(options=options) == 5
    (folder.path / "first" / "n.h").write_text("#define NUMBER 6\n")
    assert folder.result(options=options) == 6


def test_a_header_that_appears_later_in_the_path_changes_nothing(folder):
    options = include_folders(folder, "first", "second")
    (folder.path / "third").mkdir()
    options += [f"-I{folder.path / 'third'}"]
    assert folder.result(options=options) == 4
    first = folder.compiled()
    (folder.path / "third" / "n.h").write_text("#define NUMBER 5\n")
    assert folder.result(options=options) == 4 and folder.compiled() == first


def test_a_header_that_appears_beside_the_file_that_includes_it_is_compiled(folder):
    options = include_folders(folder, "inc")
    folder.write("out[0] = NUMBER;", before='#include "n.h"')
    assert folder.result(options=options) == 4
    (folder.path / "n.h").write_text("#define NUMBER 5\n")
    assert folder.result(options=options) == 5


def test_a_folder_that_appears_in_the_path_is_searched(folder):
    options = include_folders(folder, "inc")
    options = [f"-I{folder.path}/later", *options]
    assert folder.result(options=options) == 4
    (folder.path / "later").mkdir()
    (folder.path / "later" / "n.h").write_text("#define NUMBER 5\n")
    assert folder.result(options=options) == 5


def test_a_header_that_appears_behind_a_link_is_compiled(folder):
    options = include_folders(folder, "first", "second")
    (folder.path / "first" / "n.h").symlink_to(folder.path / "elsewhere.h")
    assert folder.result(options=options) == 4
    (folder.path / "elsewhere.h").write_text("#define NUMBER 5\n")
    assert folder.result(options=options) == 5


def test_a_header_in_place_of_the_systems_is_compiled(folder):
    (folder.path / "inc").mkdir()
    options = ["-I", str(folder.path / "inc")]
    folder.write("\n#ifdef NUMBER\nout[0] = NUMBER;\n#else\nout[0] = 1;\n#endif\n",
                 before="#include <limits.h>")
    assert folder.result(options=options) == 1
    (folder.path / "inc" / "limits.h").write_text("#define NUMBER 2\n#include_next <limits.h>\n")
    assert folder.result(options=options) == 2


def test_a_header_that_is_asked_for_and_appears_is_compiled(folder):
    folder.write("out[0] = NUMBER;", before="""#if __has_include("asked.h")
#define NUMBER 5
#else
#define NUMBER 4
#endif""")
    assert folder.result() == 4
    (folder.path / "asked.h").write_text("")
    assert folder.result() == 5


ASKS = """#if {}
#define NUMBER 5
#else
#define NUMBER 4
#endif
"""


def with_the_name_alone(folder):
    """The question is an option's."""
    folder.write("out[0] = NUMBER;", before=ASKS.format('HAS("asked.h")'))
    return ["-DHAS=__has_include"], folder.path


def with_a_name_that_is_a_macro(folder):
    folder.write("out[0] = NUMBER;", before='#define NAME <asked.h>\n'
                 + ASKS.format("__has_include(NAME)"))
    return [f"-I{folder.path}/inc"], folder.path / "inc"


def in_a_header(folder, kind="-I"):
    (folder.path / "inc" / "asks.h").write_text(
        "#ifdef __has_include\n" + ASKS.format("__has_include( <deep/asked.h> )") + "#endif\n")
    folder.write("out[0] = NUMBER;", before="#include <asks.h>")
    return [kind, str(folder.path / "inc")], folder.path / "inc" / "deep"


def in_a_header_of_the_system(folder):
    return in_a_header(folder, "-isystem")


@pytest.mark.parametrize("where, compiler", [
    (with_the_name_alone, "g++"), (with_a_name_that_is_a_macro, "g++"), (in_a_header, "g++"),
    (in_a_header_of_the_system, "g++"), (in_a_header_of_the_system, "clang++")])
def test_an_answer_that_changes_is_compiled(folder, where, compiler):
    (folder.path / "inc" / "deep").mkdir(parents=True)
    options, place = where(folder)
    for number in (4, 5, 4):
        assert folder.result(options=options, env={"CXX": compiler}) == number
        if number == 4:
            (place / "asked.h").write_text("")
        else:
            (place / "asked.h").unlink()


def test_a_kernel_that_asks_is_found_without_the_preprocessor(folder):
    """The compiler that says where it was does not come to say it twice."""
    compiler = folder.path / "compiler"
    compiler.write_text(f'#!/bin/sh\necho "$*" >> {folder.path}/calls\nexec g++ "$@"\n')
    compiler.chmod(0o755)
    folder.write("out[0] = NUMBER;",
                 before="#if defined(__has_include)\n" + ASKS.format('__has_include("asked.h")')
                 + "#endif")
    env = {"CXX": str(compiler)}
    assert folder.result(env=env) == 4
    calls = (folder.path / "calls").read_text()
    assert folder.result(env=env) == 4 and (folder.path / "calls").read_text() == calls


def test_a_source_changed_back_finds_its_binary(folder):
    folder.result()
    folder.write("out[0] = 2;")
    folder.result()
    first = folder.compiled()
    folder.write("out[0] = 1;")
    assert folder.result() == 1 and folder.compiled() == first and len(first) == 2


@pytest.mark.parametrize("variable", ["CPATH", "CPLUS_INCLUDE_PATH"])
def test_another_include_path_in_the_environment_is_compiled(folder, variable):
    include_folders(folder, "none", "inc")
    (folder.path / "none" / "n.h").write_text("#define NUMBER 5\n")
    assert folder.result(env={variable: str(folder.path / "inc")}) == 4
    assert folder.result(env={variable: str(folder.path / "none")}) == 5
    assert folder.run(env={variable: ""}).code == 3


def test_a_second_source_among_the_options_counts(folder):
    second = folder.path / "second.cpp"
    folder.write("out[0] = second();", before="int second();")
    (folder.path / "two.h").write_text("#define TWO 2\n")
    second.write_text('#include "two.h"\nint second() { return TWO; }\n')
    assert folder.result(options=[str(second)]) == 2
    (folder.path / "two.h").write_text("#define TWO 3\n")
    assert folder.result(options=[str(second)]) == 3


@pytest.mark.parametrize("option", ["second.o", "@words"])
def test_a_file_among_the_options_counts(folder, option):
    folder.write("out[0] = second();", before="int second();")

    def make(number):
        (folder.path / "second.cpp").write_text(f"int second() {{ return {number}; }}\n")
        subprocess.run(["g++", "-c", "-fPIC", "second.cpp", "-o", f"second{number}.o"],
                       cwd=folder.path, check=True)
        os.replace(folder.path / f"second{number}.o", folder.path / "second.o")
        (folder.path / "words").write_text(f"second.o -DNUMBER={number}")

    for number in (2, 3):
        make(number)
        assert folder.result(options=[option]) == number


def test_no_cache_compiles_every_time(folder):
    folder.result()
    first = folder.compiled()
    folder.result("--no-cache")
    assert [name for name, _ in folder.compiled()] == [name for name, _ in first]
    assert folder.compiled() != first


def test_a_broken_entry_is_compiled_again(folder):
    folder.result()
    entry = next((folder.path / "cache").glob("*/kernel.so"))
    entry.unlink()
    assert folder.result() == 1


def test_an_entry_that_is_cut_off_is_compiled_again(folder):
    folder.result()
    next((folder.path / "cache").glob("*/kernel.so")).write_bytes(b"\x7fELF")
    assert folder.result() == 1


def test_many_processes_at_once_all_succeed(folder):
    command = [harness.VINCI, "run", folder.path / "k.cpp", "--arg", "zeros:uint8:2"]
    environment = dict(os.environ, VINCI_CACHE=str(folder.path / "cache"))
    together = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE) for _ in range(6)]
    results = [(process.communicate(timeout=60), process.returncode) for process in together]
    assert [code for _, code in results] == [0] * 6, results
    assert len(folder.compiled()) == 1
    assert len(list((folder.path / "cache").iterdir())) == 2  # the binary, and how it is found


@pytest.mark.parametrize("arguments", [[], ["--no-cache"]])
def test_without_a_cache_that_can_be_written_kernels_run(folder, arguments):
    temporary = folder.path / "temporary"
    temporary.mkdir()
    folder.write("out[0] = 1;\n*(volatile int*)8 = 1;", before="#warning look here")
    for _ in range(2):
        done = folder.run(*arguments, cache="/proc/no-such-cache", env={"TMPDIR": str(temporary)})
        assert done.code == 1 and load(folder.path / "o.npy")[0] == 1
        # The line is found in what is not kept.
        assert "--> k.cpp:4 in k\n" in done.stderr and "look here" in done.stderr
        said = "vinci: warning: nothing is kept: cannot write to the cache /proc/no-such-cache: "
        assert (said in done.stderr) == (arguments == [])
        assert ("VINCI_CACHE" in done.stderr) == (arguments == [])
        assert list(temporary.iterdir()) == []


def test_a_cache_that_can_only_be_read_is_read(folder):
    assert folder.result() == 1
    first = folder.compiled()
    # For root it can be written all the same.
    for path in (folder.path / "cache").iterdir():
        path.chmod(0o555)
    (folder.path / "cache").chmod(0o555)
    try:
        done = folder.run()
        assert (done.code, done.stderr) == (0, "") and folder.compiled() == first
    finally:
        (folder.path / "cache").chmod(0o755)


def without_home(folder):
    """No variable says where a cache would be."""
    return {"VINCI_CACHE": "", "XDG_CACHE_HOME": "", "HOME": "", "TMPDIR": str(folder.path / "tmp")}


def test_without_a_home_the_cache_is_the_users_alone(folder):
    (folder.path / "tmp").mkdir()
    for _ in range(2):
        done = folder.run(env=without_home(folder))
        assert (done.code, done.stderr) == (0, "")
    own = folder.path / "tmp" / f"vinci-{os.geteuid()}"
    assert own.stat().st_mode & 0o777 == 0o700 and own.stat().st_uid == os.geteuid()
    assert len(list(own.glob("*/kernel.so"))) == 1
    assert list((folder.path / "tmp").iterdir()) == [own]


def trap_open(own):
    own.mkdir()
    own.chmod(0o770)


def trap_link(own):
    (own.parent / "other").mkdir(mode=0o700)
    own.symlink_to("other")


def trap_owner(own):
    own.mkdir(mode=0o700)
    os.chown(own, 4242, 4242)


# Only root gives folders away.
TRAPS = [trap_open, trap_link] + ([trap_owner] if os.geteuid() == 0 else [])


@pytest.mark.parametrize("trap", TRAPS)
def test_a_folder_that_others_have_prepared_is_no_cache(folder, trap):
    (folder.path / "tmp").mkdir()
    own = folder.path / "tmp" / f"vinci-{os.geteuid()}"
    trap(own)
    done = folder.run(env=without_home(folder))
    check_ok(done)
    assert f"vinci: warning: nothing is kept: {own} is not this user's alone" in done.stderr
    assert list(own.iterdir()) == []


def test_what_a_killed_compilation_left_goes_after_a_day(folder):
    for name, hours in (("work-older", 25), ("work-newer", 23)):
        (folder.path / "cache" / name).mkdir(parents=True)
        then = time.time() - 3600 * hours
        os.utime(folder.path / "cache" / name, (then, then))
    folder.result()
    assert not (folder.path / "cache" / "work-older").exists()
    assert (folder.path / "cache" / "work-newer").exists()


def test_the_cache_lies_in_the_users_cache_folder(folder):
    home = folder.path / "home"
    folder.result(cache="", env={"XDG_CACHE_HOME": "", "HOME": str(home)})
    assert len(list((home / ".cache" / "vinci").glob("*/kernel.so"))) == 1
    folder.result(cache="", env={"XDG_CACHE_HOME": str(home / "xdg")})
    assert len(list((home / "xdg" / "vinci").glob("*/kernel.so"))) == 1


def test_a_kernel_that_runs_leaves_nothing_beside_its_source(folder):
    folder.result()
    assert {path.name for path in folder.path.iterdir()} == {"k.cpp", "o.npy", "cache"}
