"""Attacks on vinci, on its host and on the compiler, and results that nobody computed: each is
contained, the verdict says so, and the next task is judged as if nothing had been."""

import ctypes
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time

import pytest

import attacks
import harness

pytestmark = pytest.mark.skipif(harness.sanitizers() != [],
                                reason="a sanitizer asks the system for much itself")
ENGINE = pathlib.Path(os.environ.get("VINCI_ENGINE",
                                     pathlib.Path(harness.VINCI).parent.parent / "python"))
CHEATS = str(attacks.HERE / "kernels" / "cheats.cpp")
REFERENCES = pathlib.Path(__file__).resolve().parent / "references.py"


def judged(folder, tasks, before=(), environment=None):
    """Verdicts on the tasks, by a command that may stand behind another."""
    (folder / "tasks.jsonl").write_text("".join(json.dumps(one) + "\n" for one in tasks))
    done = subprocess.run([*before, harness.VINCI, "judge", "tasks.jsonl"], cwd=folder, text=True,
                          env=environment or {**os.environ, "VINCI_CACHE": str(harness.CACHE)},
                          capture_output=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def check(verdicts, known):
    """Verdicts by id; whatever was done before the last task, it is right."""
    told = {verdict["id"]: verdict["verdict"] for verdict in verdicts}
    wrong = {name: (told.get(name), word) for name, word in known.items() if told.get(name) != word}
    assert wrong == {}, [verdict for verdict in verdicts if verdict["id"] in wrong]
    assert verdicts[-1]["verdict"] == "right" and verdicts[-1]["findings"] == []


def check_attacks(folder, numbers, **how):
    tasks = [attacks.task(number) for number in numbers] + [{**attacks.task(0), "id": "last"}]
    verdicts = judged(folder, tasks, **how)
    check(verdicts, {f"attack {number}": attacks.verdict(number) for number in numbers})
    return verdicts


def left_beside(folder):
    return sorted(path.name for path in folder.iterdir() if path.name != "tasks.jsonl")


def test_a_sample_of_attacks(tmp_path):
    verdicts = check_attacks(tmp_path, attacks.SAMPLE)
    codes = {verdict["id"]: {finding["code"] for finding in verdict["findings"]}
             for verdict in verdicts}
    assert codes["attack 1"] == codes["attack 14"] == {"V5009"}
    assert codes["attack 7"] == {"V5009" if attacks.has_interrupt() else "V5001"}
    assert codes["attack 60"] == codes["attack 63"] == {"V5010"}
    assert left_beside(tmp_path) == []


@pytest.mark.whole
def test_all_attacks(tmp_path):
    check_attacks(tmp_path, [number for number in attacks.VERDICTS if number not in attacks.SAMPLE])
    assert left_beside(tmp_path) == []


def elsewhere(user):
    """A folder that another user may use, with all that the tests need of this one."""
    home = pathlib.Path(tempfile.mkdtemp(dir="/tmp"))
    home.chmod(0o777)
    environment = {"PATH": "/usr/bin:/bin", "TMPDIR": str(home), "VINCI_CACHE": str(home / "cache")}
    reached = subprocess.run([*user, "cat", harness.VINCI, attacks.HERE / "references.py"],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return home, environment, reached.returncode == 0


NOBODY = ("setpriv", "--reuid=65534", "--clear-groups")
NAMESPACE = ("unshare", "--user", "--map-root-user")
NO_NAMESPACES = (*NAMESPACE, "sh", "-c", "echo 0 > /proc/sys/user/max_user_namespaces && "
                 "! unshare --user true 2> /dev/null && exec \"$@\"", "sh")


@pytest.mark.whole
@pytest.mark.parametrize("user", [NOBODY, NAMESPACE, NO_NAMESPACES, (*NOBODY, *NAMESPACE),
                                  (*NOBODY, *NO_NAMESPACES)])
def test_as_other_users_with_and_without_namespaces(user):
    """Landlock and seccomp need neither root nor namespaces, and lose nothing in one."""
    home, environment, can = elsewhere(user)
    try:
        if not can:
            pytest.skip(f"{' '.join(user)} is not to be had here")
        numbers = attacks.VERDICTS if user in (NOBODY, NO_NAMESPACES) else attacks.SAMPLE
        check_attacks(home, numbers, before=user, environment=environment)
        assert left_beside(home) == ["cache"]
    finally:
        shutil.rmtree(home)


def test_results_of_other_kernels_are_in_no_memory_that_a_judged_one_has(tmp_path):
    """A reference that is a kernel is launched by another process than the one that is judged."""
    (tmp_path / "judge.py").write_text(f"""
import sys
sys.path.insert(0, {str(ENGINE)!r})
import vinci
from vinci.judging import elsewhere
for verdict in vinci.judge([{attacks.cheat(0, reference={"source": CHEATS})!r}]):
    processes = {{name: one.process.pid for name, one in elsewhere.known().items()}}
    print(verdict["verdict"], sorted(processes), len(set(processes.values())))
""")
    done = subprocess.run([sys.executable, "judge.py"], cwd=tmp_path, text=True, check=True,
                          capture_output=True,
                          env={**os.environ, "VINCI_CACHE": str(harness.CACHE)})
    assert done.stdout == "right ['judged', 'reference'] 2\n"


def test_results_that_no_instruction_computed(tmp_path):
    tasks = [attacks.cheat(number) for number in attacks.CHEATS]
    tasks += [attacks.cheat(2, id="allowed", pointers=True),
              attacks.cheat(7, id="half will do", precision={"z": "half"}),
              attacks.cheat(0, id="last")]
    verdicts = judged(tmp_path, tasks)
    check(verdicts, {f"cheat {number}": word for number, word in attacks.CHEATS.items()}
          | {"allowed": "right", "half will do": "right"})
    found = {verdict["id"]: verdict["findings"] for verdict in verdicts}
    direct, = found["cheat 1"]
    assert direct["code"] == "V1015" and "of GM buffer" in direct["message"]
    read, = found["cheat 2"]
    source = (attacks.HERE / "kernels" / "cheats.cpp").read_text().splitlines()
    assert "DataCopyPad(gz" in source[int(read["place"].partition(":")[2]) - 1]
    digits = {verdict["id"]: verdict["last_digits"] for verdict in verdicts}
    assert set(digits["last"]["z"]) <= {"0", "0.5"}
    assert max(digits["cheat 7"]["z"], key=float) == "8192"


KERNEL = """
%s
#include "kernel_operator.h"
%s
extern "C" __global__ __aicore__ void same(GM_ADDR x, GM_ADDR y) {
  AscendC::GlobalTensor<float> from, to;
  from.SetGlobalBuffer((__gm__ float*)x, 8);
  to.SetGlobalBuffer((__gm__ float*)y, 8);
  for (int i = 0; i < 8; ++i) to.SetValue(i, from.GetValue(i));
}
"""
# What stands before the header, and behind it; the verdict; what the compiler says.
SOURCES = {
    "a link to a file of the host": ('#include "link.h"', "", "does not compile", "link.h"),
    "a pipe that nobody fills": ('#include "pipe.h"', "", "does not compile", "pipe.h"),
    "a file that is asked for": ('#if __has_include("/etc/shadow")\n#error readable\n#endif', "",
                                 "does not compile", "Permission denied"),
    "a file that never ends, where nobody looks": ('#if 0\n#include "/proc/kmsg"\n#endif', "",
                                                   "right", ""),
    "itself": ("#include __FILE__", "", "does not compile", "included from"),
    "the compiler's standard input": ('#include "/dev/stdin"', "", "right", ""),
    "an open descriptor": ('#include "/proc/self/fd/3"', "", "", ""),
    "text that grows": ("\n".join(
        f"#define A{i} A{i - 1} A{i - 1} A{i - 1} A{i - 1} A{i - 1} A{i - 1} A{i - 1} A{i - 1}"
        for i in range(1, 12)) + "\n#define A0 int x();\nA11", "", "does not compile",
                        "wanted more"),
    "an array that fills a disk": ("", "int much[1ull << 33] = {1};", "does not compile", ""),
    "functions of the library by their names": ("", """
        extern "C" void* malloc(unsigned long) { return nullptr; }
        extern "C" void free(void*) {}
        extern "C" int memcmp(const void*, const void*, unsigned long) { return 0; }
        extern "C" ssize_t write(int, const void*, unsigned long) { return -1; }
        void* operator new(unsigned long) { return nullptr; }
        int main() { return 1; }""", "right", ""),
    "vinci's own door": ("", """
        namespace vinci { void* scalar_access(const Operand&, uint64_t, uint32_t, Access) {
          static char cell[64]; return cell; } }""", "", ""),
    "a constructor that ends": ("#include <unistd.h>",
                                "[[gnu::constructor]] void begin() { _exit(0); }", "stopped", ""),
    "a constructor that stays": (
        "", "[[gnu::constructor]] void begin() { while (true) asm(\"\"); }", "stopped", ""),
    "a constructor with handlers of its own": ("#include <signal.h>\n#include <fcntl.h>", """
        [[gnu::constructor]] void begin() { signal(SIGSYS, [](int) {}); }
        struct Late { operator float*() { open("/etc/passwd", O_RDONLY); return nullptr; } };
        #define SetGlobalBuffer(x, n) SetGlobalBuffer(Late(), n)""", "hostile", ""),
    "a constructor whose thread opens": ("#include <fcntl.h>\n#include <pthread.h>", """
        void* look(void*) { open("/etc/passwd", O_RDONLY); return nullptr; }
        [[gnu::constructor]] void begin() {
          pthread_t thread;
          pthread_create(&thread, nullptr, look, nullptr);
          pthread_join(thread, nullptr);
        }""", "hostile", ""),
    "names for a terminal": ("", """
        #line 1 "\\033[2J\\n{\\"done\\":true}"
        struct Late { operator float*() { *(volatile int*)nullptr = 1; return nullptr; } };
        #define SetGlobalBuffer(x, n) SetGlobalBuffer(Late(), n)""", "stopped", ""),
    "debug information of its own": ("", """
        asm(".section .debug_info\\n.long 0x7fffffff\\n.value 4\\n.long 0xffffff\\n.byte 8\\n"
            ".fill 100000, 1, 0xff\\n.section .debug_abbrev\\n.fill 1000, 1, 1\\n.text");""", "", ""),
}


def source_task(name):
    before, behind, *_ = SOURCES[name]
    return {"id": name, "source": f"{name.replace(' ', '_')}.cpp", "kernel": "same",
            "parameters": [{"in": "float", "name": "x", "shape": [8]},
                           {"out": "float", "name": "y", "shape": [8]}],
            "reference": f"{REFERENCES}:same", "schedules": ["eager"], "special": False,
            "timeout": 2 if "stays" in name else 60, "compile_timeout": 2 if "grows" in name else 20}


@pytest.mark.whole
def test_sources_that_attack(tmp_path):
    (tmp_path / "secret").write_text("#error SECRET\n")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "link.h").symlink_to(tmp_path / "secret")
    os.mkfifo(tmp_path / "in" / "pipe.h")
    for name, (before, behind, *_) in SOURCES.items():
        (tmp_path / "in" / f"{name.replace(' ', '_')}.cpp").write_text(KERNEL % (before, behind))
    start = time.monotonic()
    verdicts = judged(tmp_path / "in", [source_task(name) for name in SOURCES]
                      + [{**attacks.task(0), "id": "last"}])
    check(verdicts, {name: word for name, (_, _, word, _) in SOURCES.items() if word})
    told = {verdict["id"]: verdict for verdict in verdicts}
    for name, (*_, text) in SOURCES.items():
        assert text in told[name].get("problem", ""), told[name]
    assert "SECRET" not in json.dumps(verdicts) and time.monotonic() - start < 300
    assert told["vinci's own door"]["verdict"] != "right"


def test_ids_and_text_are_data(tmp_path):
    """Whatever a task is called, its verdict is one line."""
    names = ['\n{"verdict":"right"}', "\033[2J", "\u2028\x00é", "../../x", "a" * 10000]
    verdicts = judged(tmp_path, [{"id": name} for name in names] + [attacks.task(0)])
    assert [verdict["id"] for verdict in verdicts[:-1]] == names
    assert {verdict["verdict"] for verdict in verdicts[:-1]} == {"broken task"}
    assert verdicts[-1]["verdict"] == "right"


def test_a_launcher_that_does_not_answer_is_ended(tmp_path):
    """Whatever keeps it: here it is stopped."""
    (tmp_path / "k.py").write_text("""
import os, signal
from vinci.judging import elsewhere

elsewhere.PATIENCE = 2

def stop(x, y):
    os.kill(elsewhere.known()["judged"].process.pid, signal.SIGSTOP)
    return x + y
""")
    first, last = judged(tmp_path, [
        {**attacks.task(0), "id": "stops", "reference": "k.py:stop", "timeout": 0.1},
        attacks.task(0)])
    assert first["verdict"] == "broken task" and "has ended" in first["problem"]
    assert last["verdict"] == "right"


NO_SYSTEM_CALL = 38  # ENOSYS


def without_landlock():
    """From here on the kernel of the host says that it has none: by a filter of system calls."""
    landlock_create_ruleset, load, equal, give = 444, 0x20, 0x15, 0x06
    steps = [(load, 0, 0, 0), (equal, 0, 1, landlock_create_ruleset),
             (give, 0, 0, 0x00050000 | NO_SYSTEM_CALL), (give, 0, 0, 0x7FFF0000)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(
        struct.pack("HxxxxxxQ", len(steps), ctypes.addressof(code)))
    system = ctypes.CDLL(None)
    assert system.prctl(38, 1, 0, 0, 0) == 0 and system.prctl(22, 2, program) == 0


def test_a_part_that_the_host_lacks_is_told(tmp_path):
    (tmp_path / "tasks.jsonl").write_text(json.dumps(attacks.task(1)) + "\n"
                                          + json.dumps(attacks.task(0)) + "\n")

    def called(*words):
        return subprocess.run(
            [harness.VINCI, "judge", "tasks.jsonl", *words], cwd=tmp_path, text=True, check=False,
            capture_output=True,
            preexec_fn=without_landlock,  # pylint: disable=subprocess-popen-preexec-fn
            env={**os.environ, "VINCI_CACHE": str(harness.CACHE)})

    done = called()
    verdicts = [json.loads(line) for line in done.stdout.splitlines()]
    assert [verdict["verdict"] for verdict in verdicts] == ["hostile", "right"], done.stderr
    assert "this host has no Landlock" in done.stderr
    assert all("Landlock" in verdict["missing_of_sandbox"][0] for verdict in verdicts)
    whole = judged(tmp_path, [attacks.task(1), attacks.task(0)])
    assert all("missing_of_sandbox" not in verdict for verdict in whole)
    assert [one["digest"] for one in whole] == [one["digest"] for one in verdicts]
    refused = called("--sandbox=required")
    assert refused.returncode == 2 and refused.stdout == "" and "Landlock" in refused.stderr
