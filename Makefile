# Commands for people; CMake and Ninja do the work.
#
#   make              build (build/bin/vinci)
#   make install      build, and copy program, libraries, headers and Python package to PREFIX
#                     (/usr/local) below DESTDIR; for every host of its kind with PRESET=levels
#   make run          build, run the examples, print what they were compared with
#   make test         build with tests, run a sample of everything with a quarter of the random cases;
#                     K=expression chooses (pytest -k)
#   make check-all    the tests with all that is left out of the sample, ten times as many random
#                     cases, and every input: hours
#   make bench        build with benchmarks, print the ratios of docs/guide/speed.md
#   make docs         check the pages that the program and the tests rely on, run the kernels in those
#                     of faults, draw the figures anew
#   make check-asan   a sample of the tests with clang, under AddressSanitizer and
#                     UndefinedBehaviorSanitizer, with a tenth of the random cases (MORE=1: all)
#   make check-levels the same bits at every level of x86-64 that this machine has
#   make check-schedules  instructions held back as long as flags, barriers and queues allow (examples, a
#                     few random cases of every instruction), and at random (examples, the API's kernels)
#   make check-footprints  instructions touch the bytes that they declare, and no others
#   make check-random MORE=10  the random cases of all instructions, ten times as many as usual
#   make exhaustive   what is proven for every input (docs/guide/exhaustive.md), under half an hour
#   make check-threads  the same bytes and reports with 1, 2 and 8 host threads
#   make check-tsan   what runs on several threads, under ThreadSanitizer
#
# PRESET names a configuration of CMakePresets.json; each builds in a folder of its own.

PRESET ?= release
BUILD := $(if $(filter release,$(PRESET)),build,build/$(PRESET))
PYTHON ?= /usr/bin/python3
export PYTHONDONTWRITEBYTECODE := 1

.PHONY: all install run build-tests build-asan build-tsan test bench docs check-all check-asan check-levels check-footprints check-footprints-of-tik check-random check-schedules check-threads check-tsan exhaustive packages-build packages-run packages-test packages-whole packages-bench clean

# K chooses tests by name; MORE says how many times as many random cases; WHOLE=1 adds what is left
# out of the sample, SWEEP=1 what is longest of that; TESTS are folders or files. A file of tests stays
# in one process: its kernels are compiled once.
K :=
MORE :=
WHOLE :=
SWEEP :=
TESTS := $(filter-out tests/exhaustive/ tests/unit/,$(wildcard tests/*/))
SUITE := VINCI=$(abspath $(BUILD))/bin/vinci VINCI_MORE=$(or $(MORE),$(if $(WHOLE)$(K),1,0.1)) \
    $(PYTHON) -m pytest -q -n 2 --dist loadfile -p no:cacheprovider $(if $(K),-k "$(K)") \
    -m "not levels$(if $(SWEEP),, and not sweep)$(if $(WHOLE),, and not whole)"
# What K chooses may be in one of two parts: pytest calls a part without tests an error.
NONE := $(if $(K),|| [ $$? -eq 5 ])
# Python must have the sanitizer before it can load a module that was built with it; vinci has its
# own, and looks for leaks. What was freed is kept back for a while, but not so much that a process
# which launches again and again seems to grow.
PRELOAD := $(if $(filter asan,$(PRESET)),ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=4 \
    LD_PRELOAD="$(shell clang++ -print-file-name=libclang_rt.asan-x86_64.so)")

OF_PYTHON := tests/tik/ tests/python/

# This sanitizer's library may hang in a fork beside other threads, and names sources in its reports.
NOT_ASAN := --deselect tests/python/test_python_launches.py::test_threads_launch_at_once \
    --deselect tests/python/test_install.py::test_no_part_is_looked_for_in_the_build_or_the_sources

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD) --quiet vinci_cli vinci_engine

# Configured once; ninja runs CMake again by itself when a file asks for it.
$(BUILD)/build.ninja: CMakePresets.json | packages-build
	@cmake --preset $(PRESET) --log-level=WARNING

PREFIX ?= /usr/local
install: all
	@DESTDIR="$(DESTDIR)" cmake --install $(BUILD) --prefix "$(abspath $(PREFIX))"

run: all packages-run
	@$(PYTHON) examples/run.py --vinci $(BUILD)/bin/vinci --out $(BUILD)/examples

build-tests: packages-test $(BUILD)/build.ninja
	@cmake -S . -B $(BUILD) -DVINCI_TESTS=ON --log-level=WARNING > /dev/null
	@ninja -C $(BUILD) --quiet

test: build-tests
	@$(if $(K),:,ctest --test-dir $(BUILD) -j 2 --output-on-failure --no-tests=error)
ifeq ($(PRESET),asan)
	@$(if $(filter-out $(OF_PYTHON),$(TESTS)),$(SUITE) $(filter-out $(OF_PYTHON),$(TESTS)) $(NONE))
	@$(if $(filter $(OF_PYTHON),$(TESTS)),$(PRELOAD) $(SUITE) $(filter $(OF_PYTHON),$(TESTS)) $(NOT_ASAN) $(NONE))
else
	@$(SUITE) $(TESTS)
endif

bench: packages-bench $(BUILD)/build.ninja
	@cmake -S . -B $(BUILD) -DVINCI_BENCH=ON --log-level=WARNING > /dev/null
	@ninja -C $(BUILD) --quiet
	@$(PYTHON) bench/run.py --build $(BUILD)

docs: all
	@$(PYTHON) scripts/check_docs.py --vinci $(BUILD)/bin/vinci
	@$(PYTHON) scripts/check_examples.py --vinci $(BUILD)/bin/vinci
	@$(PYTHON) scripts/draw_figures.py --vinci $(BUILD)/bin/vinci

build-asan:
	@$(MAKE) build-tests PRESET=asan

# Of random cases those on the two chips that most kernels are for, where a step is long.
FEW_CHIPS := not (1000 or 1001 or 2002v or 3002)

# What touches memory; of instructions their random cases, which reach everything that they do, on the
# chip that has most of them; of the headers' classes those that hold memory; of the checks each code and
# the planted mistakes. check-all has the library, too, and make test PRESET=asan WHOLE=1 everything.
check-asan:
	@$(MAKE) test PRESET=asan MORE=$(or $(MORE),0.1) TESTS="$(patsubst %,tests/%/,host op) \
	    $(patsubst %,tests/api/test_%.py,framework matmul matmul_special queues tensors) \
	    tests/fault/test_every_code.py tests/tool/test_planted.py"
	@$(MAKE) test PRESET=asan MORE=$(or $(MORE),0.1) K="random and $(FEW_CHIPS) and not 2002" \
	    TESTS="tests/isa/ tests/tik/"

check-all: packages-whole
	@$(MAKE) test WHOLE=1 SWEEP=1
	@$(MAKE) test WHOLE=1 MORE=5 K=random_programs_of_cores
	@$(MAKE) check-levels MORE=1
	@$(MAKE) test PRESET=asan TESTS=tests/library/
	@$(MAKE) check-footprints-of-tik
	@$(MAKE) check-schedules K="$(OF_ONE_CALL)"
	@$(MAKE) check-random
	@$(MAKE) exhaustive

# In the folder of the release: what is not an instruction is there already.
LEVELS = cmake -S . -B $(BUILD) -DVINCI_LEVELS=$(1) --log-level=WARNING > /dev/null && \
    ninja -C $(BUILD) --quiet vinci_unit vinci_cli
check-levels: packages-test $(BUILD)/build.ninja
	@$(call LEVELS,LOWER -DVINCI_TESTS=ON)
	@ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -R ConvertArray
	@VINCI=$(abspath $(BUILD))/bin/vinci VINCI_MORE=$(or $(MORE),0.25) $(PYTHON) -m pytest -q -n 2 \
	    -p no:cacheprovider -m levels tests/isa
	@$(call LEVELS,HOST)

# A kernel that orders its pipes gives the same bytes whenever its instructions run. The kernels of
# tests/fault do not all do so, on purpose. A random case of one instruction knows two moments only,
# at once and as late as may be, and so do kernels of one call, of which check-all has the rest.
HELD_BACK := VINCI_MORE=$(or $(MORE),0.05) VINCI=$(abspath $(BUILD))/bin/vinci $(PYTHON) -m pytest -q \
    -n 2 --dist loadfile -p no:cacheprovider -m "not levels and not whole"
OF_ONE_CALL := (c_interface or load_intrinsics)
check-schedules: packages-test all
	@for schedule in lazy random:1; do echo "VINCI_SCHEDULE=$$schedule"; VINCI_SCHEDULE=$$schedule \
	    $(PYTHON) examples/run.py --vinci $(BUILD)/bin/vinci --out $(BUILD)/examples > /dev/null || exit 1; done
	@VINCI_SCHEDULE=random:1 $(HELD_BACK) tests/api -k "$(or $(K),not $(OF_ONE_CALL))"
	@VINCI_SCHEDULE=lazy $(HELD_BACK) tests/isa -k "(random or example) and $(FEW_CHIPS)"

# Each instruction runs twice (src/tool/true_footprint.h), so of the random cases a few will do: a
# false footprint is false in most of them.
FOOTPRINTS := VINCI=$(abspath $(BUILD))/bin/vinci VINCI_SELF_CHECK=footprint VINCI_MORE=0.05 \
    $(PYTHON) -m pytest -q -n 2 --dist loadfile -p no:cacheprovider
OF_TIK = $(patsubst %,tests/tik/test_tik_%.py,$(1))
check-footprints: packages-test all
	@$(FOOTPRINTS) tests/isa -k "random and $(FEW_CHIPS)" -m "not levels"
	@$(FOOTPRINTS) $(call OF_TIK,scatter sorting vbi)

# Those that have the same records as the kernels of tests/isa.
check-footprints-of-tik: packages-test all
	@$(FOOTPRINTS) $(call OF_TIK,gathering l0c load_3d loads matmul reduction transposition)

# Without kernels whose cores race on purpose, or whose memory nobody wrote; the random cases of Select,
# which show where a memory lies in the process (GetCmpMask after SetCmpMask of a pointer); and a test
# that counts runs.
check-threads: packages-test all
	@VINCI_COMPARE_THREADS=1,2,8 VINCI=$(abspath $(BUILD))/bin/vinci $(PYTHON) -m pytest -q -n 2 \
	    --dist loadfile -p no:cacheprovider -m "not levels and not whole" \
	    tests/api tests/cli tests/fault tests/isa tests/library tests/tool \
	    -k "$(or $(K),not race and not (test_select and random) \
	        and not a_served_run)"

check-random: packages-test all
	@VINCI=$(abspath $(BUILD))/bin/vinci VINCI_MORE=$(or $(MORE),10) $(PYTHON) -m pytest -q -n 2 \
	    -p no:cacheprovider tests/isa -k random

# The instructions and the program have no state that threads share: those of the release do.
build-tsan: packages-test all
	@cmake --preset tsan -DVINCI_TESTS=ON -DVINCI_OBJECTS_OF=$(abspath $(BUILD)) \
	    --log-level=WARNING > /dev/null
	@ninja -C build/tsan --quiet vinci_unit vinci_cli

# Not the tests that send signals into endless kernels: this sanitizer holds signals back. A kernel
# that is stopped ends its process at once, with threads that nobody joins.
check-tsan: build-tsan
	@ctest --test-dir build/tsan -j 2 --output-on-failure --no-tests=error
	@TSAN_OPTIONS=report_thread_leaks=0 VINCI=$(abspath build/tsan/bin/vinci) $(PYTHON) -m pytest -q -n 2 -p no:cacheprovider \
	    tests/cli/test_threads.py tests/cli/test_waiting.py -m "not whole" \
	    -k "not endless and not badly and not nobody"

# What they have proven: docs/guide/exhaustive.md.
PROOFS := $(patsubst tests/exhaustive/%.cpp,vinci_exhaustive_%,$(wildcard tests/exhaustive/*.cpp))
exhaustive: packages-test $(BUILD)/build.ninja
	@cmake -S . -B $(BUILD) -DVINCI_EXHAUSTIVE=ON --log-level=WARNING > /dev/null
	@ninja -C $(BUILD) --quiet $(PROOFS)
	@failed=0; for proof in $(PROOFS); do $(BUILD)/bin/$$proof || failed=1; done; exit $$failed

packages-build packages-run packages-test packages-whole packages-bench: packages-%:
	@scripts/packages $*

clean:
	rm -rf build
