# The front door. Everything is built by CMake (see CMakePresets.json); this only names the usual steps.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

JOBS ?= $(shell nproc)
# A terminal is shown progress, a log only problems and the summary. (MAKE_TERMOUT is set iff make writes to a terminal.)
QUIET := $(if $(MAKE_TERMOUT),,--quiet)
build = cmake --preset $(1) --log-level=WARNING >/dev/null && cmake --build --preset $(1) $(2) -- -j $(JOBS) $(QUIET)
run_tests = log=build/$(1)/test.log; \
  if ! ctest --preset $(1) --no-label-summary --output-log $$log $(if $(MAKE_TERMOUT),--progress,--quiet); then \
    cat $$log; exit 1; fi; \
  $(if $(MAKE_TERMOUT),,sed -n '/tests passed/,$$p' $$log)

.PHONY: help demo test asan bench format docs generate dependencies

help:  ## lists the targets
	@sed -nE 's/^([a-z]+):.*## (.*)/make \1\t\2/p' Makefile | expand -t 16

dependencies:
	@tools/install_dependencies.sh

demo: dependencies  ## trains a classifier of handwritten digits
	@$(call build,release,--target example_digits)
	@build/release/bin/example_digits

test: dependencies  ## builds and runs every test, those of units, errors and fuzzing under sanitizers as well
	@$(call build,asan)
	@$(call build,release)
	@echo "under the address and undefined behaviour sanitizers:"; $(call run_tests,asan)
	@echo "all tests:"; $(call run_tests,release)

asan: dependencies  ## unit, error and fuzz tests alone, under the sanitizers
	@$(call build,asan)
	@$(call run_tests,asan)

bench: dependencies  ## runs the benchmarks
	@$(call build,release)
	@for program in build/release/bin/bench_*; do "$$program"; done
	@bench/build_and_suite.sh

generate: dependencies  ## writes the generated headers and reference pages after the op table changed
	@$(call build,release,--target tool_opgen)
	@build/release/bin/opgen

docs: generate  ## writes the reference pages and runs the examples of the documents
	@$(call build,release)
	@ctest --preset release --label-regex '^docs$$'

format:  ## formats the code
	@tools/install_dependencies.sh clang-format
	@git ls-files -z '*.h' '*.cc' | xargs -0 clang-format -i
