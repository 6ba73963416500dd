# Set-up, checks and the commands people type. Needs python3 (3.11 or newer) and make, nothing else.
#
# Nothing is fetched that is not in a lock with its hash: a bare venv, uv inside it, the lock, then this folder (editable).
# Stamps in .venv say what is done; a venv without its stamp was cut short or has moved, and is made anew.

SHELL := /bin/sh
.SHELLFLAGS := -ec
.ONESHELL:
.NOTPARALLEL:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
.PHONY: help play test bench setup setup-dev browser lock proto clean

PYTHON ?= python3
ARGS ?=
WORKERS ?= auto
BROWSERS := chromium chromium-browser google-chrome google-chrome-stable chrome

# Another environment that happens to be active must not leak into ours.
unexport VIRTUAL_ENV PYTHONPATH PYTHONHOME PYTHONSTARTUP CONDA_PREFIX
unexport PIP_TARGET PIP_PREFIX PIP_ROOT PIP_REQUIRE_VIRTUALENV UV_PYTHON UV_SYSTEM_PYTHON UV_TARGET UV_PREFIX
export PIP_USER := 0
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export DEBIAN_FRONTEND := noninteractive
ifeq ($(CI),true)
export NO_COLOR := 1
endif
# uv trusts its own certificates; behind a company proxy only the system's are right.
ifneq ($(wildcard /etc/ssl/certs/ca-certificates.crt),)
export UV_SYSTEM_CERTS ?= 1
endif
ifneq ($(shell test -w "$$HOME" && echo yes),yes)
export UV_CACHE_DIR ?= .venv/cache
endif

UV_INSTALL := pip install --quiet --python .venv/bin/python --compile-bytecode
UV_COMPILE := pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate

# step WHAT FIX COMMAND...: one line when it works; its output and what to do when it does not.
WARM := from tikitaka.league import load; from tikitaka.loop.warm import warm_up; warm_up(load())
define STEP
step() {
    what=$$1 fix=$$2; shift 2
    log=$$(mktemp); began=$$(date +%s)
    printf '  %-34s' "$$what"
    if ( "$$@" ) >"$$log" 2>&1; then
        echo "ok, $$(($$(date +%s) - began)) s"; rm -f "$$log"
    else
        echo FAILED; cat "$$log" >&2; rm -f "$$log"; echo "make: $$fix" >&2; return 1
    fi
}
# fill WHAT WORDS...: install into the venv; .filling stays behind when it is cut short, and holds who did it.
fill() {
    what=$$1 ended=0; shift; echo $$$$ >.venv/.filling
    step "$$what" 'if the network or a proxy is in the way, set HTTPS_PROXY or UV_DEFAULT_INDEX, then try again' \
        .venv/bin/uv $(UV_INSTALL) "$$@" || ended=1
    rm -f .venv/.filling; return $$ended
}
endef

# uv into the venv: by a uv that is there, by any pip that is there, by ensurepip, by Debian's pip unpacked beside it.
define FETCH_UV
by_uv() { command -v uv && uv $(UV_INSTALL) --require-hashes -r .venv/uv.txt; }
pip_install() { "$$@" install --quiet --require-hashes --only-binary :all: -r .venv/uv.txt; }
by_pip() { "$$python" -m pip --version && pip_install "$$python" -m pip --python .venv/bin/python; }
by_ensurepip() { .venv/bin/python -m ensurepip && pip_install .venv/bin/python -m pip; }
by_debian() {
    command -v apt-get && command -v dpkg-deb || return 1
    mkdir -p .venv/apt/lists/partial .venv/apt/archives/partial && cd .venv/apt || return 1
    set -- apt-get -q -o Dir::State::Lists="$$PWD/lists" -o Dir::Cache="$$PWD" -o APT::Sandbox::User=
    "$$@" update && "$$@" download python3-pip && dpkg-deb -x python3-pip_*.deb . && cd ../.. || return 1
    PYTHONPATH=.venv/apt/usr/lib/python3/dist-packages pip_install .venv/bin/python -m pip
}
fetch_uv() {
    sed -n '/^uv==/,/[^\\]$$/p' requirements.lock >.venv/uv.txt
    for way in by_uv by_pip by_ensurepip by_debian; do
        echo "-- $$way"
        if ( $$way ) && .venv/bin/uv --version; then rm -rf .venv/apt; return 0; fi
    done
    return 1
}
endef

# A stamp holds the folder it was made in; a moved folder, a dead python or a filling cut short makes it void.
define FINE
test "$$(cat .venv/.made 2>&1)" = "$$PWD" && .venv/bin/python -I -c '' 2>&1 && \
{ ! test -e .venv/.filling || kill -0 "$$(cat .venv/.filling)" 2>&1; } && echo fine
endef
ifneq ($(shell $(FINE)),fine)
$(shell rm -f .venv/.made .venv/.run .venv/.dev)
endif

help:
	@echo 'make play    a match on a live page in the browser    ARGS="--league ssl-b --seed 7"'
	echo 'make test    style, types, import contracts, tests    WORKERS=2'
	echo 'make bench   microseconds per stage, kept in bench/results'
	echo 'make setup   only the set-up that play needs          PYTHON=python3.12'
	echo 'make lock    newer pins of all packages'
	echo 'make proto   the protobuf modules from their .proto files'
	echo 'make clean   remove the environment and all caches'

play: setup
	@exec .venv/bin/tikitaka play $(ARGS)

bench: setup
	@exec .venv/bin/tikitaka bench --out bench/results $(ARGS)

test: setup-dev browser
	@$(STEP)
	failed=
	step 'style (ruff check)' 'run .venv/bin/ruff check --fix' .venv/bin/ruff check || failed=1
	step 'format (ruff format)' 'run .venv/bin/ruff format' .venv/bin/ruff format --check || failed=1
	step 'types (mypy --strict)' 'correct the types named above' .venv/bin/mypy || failed=1
	step 'imports (lint-imports)' 'see .importlinter for who may import whom' .venv/bin/lint-imports --no-logo || failed=1
	step 'kernels (compiled once)' 'correct what is named above' .venv/bin/python -c '$(WARM)' || failed=1
	echo '  tests (pytest)'
	.venv/bin/pytest -n $(WORKERS) --maxprocesses 8 $(ARGS) || failed=1
	test -z "$$failed" || { echo 'make: a check failed, see above' >&2; exit 1; }

setup: .venv/.run ; @:
setup-dev: .venv/.dev ; @:

.venv/.made:
	@$(STEP)
	$(FETCH_UV)
	python=
	for p in $(PYTHON) python3.14 python3.13 python3.12 python3.11; do
	    if $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then python=$$p; break; fi
	done
	test "$$python" || { echo 'make: needs Python 3.11 or newer; install it and say make PYTHON=python3.12' >&2; exit 1; }
	step "new .venv ($$($$python --version))" 'install python3 with its venv module' \
	    "$$python" -m venv --clear --without-pip .venv
	step 'uv, which installs the rest' 'needs the network, and pip (Debian: apt-get install python3-pip) or uv; then try again' fetch_uv
	echo "$$PWD" >$@

.venv/.run: requirements.lock pyproject.toml | .venv/.made
	@$(STEP)
	fill 'packages to play' --require-hashes --only-binary :all: -r requirements.lock
	fill 'tikitaka itself' --no-build-isolation --no-deps --editable .
	touch $@

.venv/.dev: requirements-dev.lock .venv/.run
	@$(STEP)
	fill 'packages to test' --require-hashes --only-binary :all: -r requirements-dev.lock
	touch $@

# The browser test is skipped without a browser: that is said here, and is no failure.
browser:
	@$(STEP)
	for name in $(BROWSERS); do if command -v $$name >/dev/null; then exit 0; fi; done
	skipped() { echo "  no chromium: $$1; the browser test is skipped (apt-get install chromium)"; exit 0; }
	command -v apt-get >/dev/null || skipped 'no apt-get here'
	if test "$$(id -u)" = 0; then root=; elif sudo -n true 2>/dev/null; then root='sudo -n'; else skipped 'not root'; fi
	get() { $$root apt-get -q update && $$root apt-get -q -y --no-install-recommends install chromium; }
	step 'chromium for the browser test' 'see above' get || skipped 'it could not be installed'

lock: .venv/.made
	@export UV_CUSTOM_COMPILE_COMMAND='make lock'
	.venv/bin/uv $(UV_COMPILE) --upgrade --group build pyproject.toml -o requirements.lock
	.venv/bin/uv $(UV_COMPILE) --upgrade --group build --group dev -c requirements.lock pyproject.toml -o requirements-dev.lock

proto: setup-dev
	@find src -name '*.proto' -exec .venv/bin/python -m grpc_tools.protoc -Isrc --python_out=src {} +

clean:
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
