# Commands for people; CMake and Ninja do the work.
#
#   make              build (build/bin/vinci)
#   make run          build, run the examples, print what they were compared with
#   make test         build with tests, run all of them
#   make bench        build with benchmarks, print the ratios of docs/guide/speed.md
#   make docs         check the pages that the program and the tests rely on, draw the figures anew
#   make check-asan   the tests under AddressSanitizer and UndefinedBehaviorSanitizer
#   make check-clang  the tests with clang
#   make check-levels the same bits at every level of the host (x86-64, -v3, -v4)
#   make check-random MORE=10  the random cases of all instructions, ten times as many as usual
#   make exhaustive   what is proven for every input (docs/guide/exhaustive.md), under half an hour
#   make check-tsan   what runs on several threads, under ThreadSanitizer
#
# PRESET names a configuration of CMakePresets.json; each builds in a folder of its own.

PRESET ?= release
BUILD := $(if $(filter release,$(PRESET)),build,build/$(PRESET))
PYTHON ?= /usr/bin/python3
export PYTHONDONTWRITEBYTECODE := 1

.PHONY: all run test bench docs check-asan check-clang check-levels check-random check-tsan exhaustive packages-build packages-run packages-test packages-bench clean

# Python must have the sanitizer before it can load a module that was built with it.
PRELOAD := $(if $(filter asan,$(PRESET)),ASAN_OPTIONS=detect_leaks=0 \
    LD_PRELOAD="$(shell g++ -print-file-name=libasan.so) $(shell g++ -print-file-name=libubsan.so)")

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD) --quiet vinci_cli vinci_engine

# Configured once; ninja runs CMake again by itself when a file asks for it.
$(BUILD)/build.ninja: CMakePresets.json | packages-build
	@cmake --preset $(PRESET) --log-level=WARNING

run: all packages-run
	@$(PYTHON) examples/run.py --vinci $(BUILD)/bin/vinci --out $(BUILD)/examples

test: packages-test $(BUILD)/build.ninja
	@cmake -S . -B $(BUILD) -DVINCI_TESTS=ON --log-level=WARNING > /dev/null
	@ninja -C $(BUILD) --quiet
	@ctest --test-dir $(BUILD) --output-on-failure --no-tests=error
	@VINCI=$(abspath $(BUILD))/bin/vinci $(PYTHON) -m pytest -q -n 2 -p no:cacheprovider tests \
	    -m "not levels" --ignore=tests/tik
	@VINCI=$(abspath $(BUILD))/bin/vinci $(PRELOAD) $(PYTHON) -m pytest -q -n 2 \
	    -p no:cacheprovider tests/tik

bench: packages-bench $(BUILD)/build.ninja
	@cmake -S . -B $(BUILD) -DVINCI_BENCH=ON --log-level=WARNING > /dev/null
	@ninja -C $(BUILD) --quiet
	@$(PYTHON) bench/run.py --build $(BUILD)

docs: all
	@$(PYTHON) scripts/check_docs.py --vinci $(BUILD)/bin/vinci
	@$(PYTHON) scripts/draw_figures.py --vinci $(BUILD)/bin/vinci

check-asan:
	@$(MAKE) test PRESET=asan

check-clang:
	@$(MAKE) test PRESET=clang

check-levels: packages-test
	@cmake --preset levels -DVINCI_TESTS=ON --log-level=WARNING > /dev/null
	@ninja -C build/levels --quiet vinci_unit vinci_cli
	@ctest --test-dir build/levels --output-on-failure --no-tests=error -R ConvertArray
	@VINCI=$(abspath build/levels)/bin/vinci $(PYTHON) -m pytest -q -n 2 -p no:cacheprovider \
	    -m levels tests/isa

MORE ?= 10
check-random: packages-test all
	@VINCI=$(abspath $(BUILD))/bin/vinci VINCI_MORE=$(MORE) $(PYTHON) -m pytest -q -n 2 \
	    -p no:cacheprovider tests/isa -k random

# Not the tests that send signals into endless kernels: this sanitizer holds signals back.
check-tsan: packages-test
	@cmake --preset tsan -DVINCI_TESTS=ON --log-level=WARNING > /dev/null
	@ninja -C build/tsan --quiet vinci_unit vinci_cli
	@build/tsan/bin/vinci_unit --gtest_brief=1
	@VINCI=$(abspath build/tsan/bin/vinci) $(PYTHON) -m pytest -q -n 2 -p no:cacheprovider \
	    tests/cli/test_threads.py -k "not endless"

# What they have proven: docs/guide/exhaustive.md.
PROOFS := $(patsubst tests/exhaustive/%.cpp,vinci_exhaustive_%,$(wildcard tests/exhaustive/*.cpp))
exhaustive: packages-test $(BUILD)/build.ninja
	@cmake -S . -B $(BUILD) -DVINCI_EXHAUSTIVE=ON --log-level=WARNING > /dev/null
	@ninja -C $(BUILD) --quiet $(PROOFS)
	@failed=0; for proof in $(PROOFS); do $(BUILD)/bin/$$proof || failed=1; done; exit $$failed

packages-build packages-run packages-test packages-bench: packages-%:
	@scripts/packages $*

clean:
	rm -rf build
