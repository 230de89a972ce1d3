# Two commands do everything: `make demo` (the whole loop) and `make test`.
# SWIFTFLAGS adds compiler flags: CI passes -Xswiftc -warnings-as-errors.

SWIFT ?= swift
SWIFTFLAGS ?=
PACKAGES = libcurl4-openssl-dev zlib1g-dev libbrotli-dev libzstd-dev pkg-config
TEST_PACKAGES = $(PACKAGES) nginx-light curl python3 openssl

.PHONY: deps test-deps demo test bench

# Installs what is missing, and asks for nothing when everything is there.
deps:
	@.ci/install $(PACKAGES)

test-deps:
	@.ci/install $(TEST_PACKAGES)

demo: deps
	$(SWIFT) build -c release --product launchtape $(SWIFTFLAGS)
	$$($(SWIFT) build -c release --show-bin-path)/launchtape demo $(if $(DIR),--dir $(DIR))

# A few tests at a time: all at once, each would wait for all others between two of its steps, and connections grow old.
test: export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH = 8
test: test-deps
	$(SWIFT) build --build-tests $(SWIFTFLAGS)
	$(SWIFT) test --skip-build $(SWIFTFLAGS)

bench: deps
	$(SWIFT) build -c release --product LaunchBench $(SWIFTFLAGS)
	$$($(SWIFT) build -c release --show-bin-path)/LaunchBench
