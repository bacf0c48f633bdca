# Needs Python 3.11 or newer, git and make. Everything is installed into .venv; nothing else is touched.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RECORDS ?= 10000,100000
DATASETS ?=
N ?= 200

.DEFAULT_GOAL := help
.PHONY: help demo test lint format bench crash clean

help: ## list these targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

demo: $(VENV)/.demo ## an on-call agent and a support desk ask their memories; offline, a minute
	$(BIN)/python examples/oncall/demo.py
	$(BIN)/python examples/support/demo.py

test: ## everything CI runs, in fresh environments
	PYTHON=$(PYTHON) bash .ci/run

lint: $(VENV)/.dev ## ruff, mypy, import-linter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev ## sort imports and format
	$(BIN)/ruff check --select I --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.bench ## speed, and ranking quality on DATASETS="DIR ..."; RECORDS=10000,100000
	$(BIN)/python benchmarks/speed.py --records $(RECORDS)
ifneq ($(strip $(DATASETS)),)
	$(BIN)/python benchmarks/quality.py $(DATASETS)
endif

crash: $(VENV)/.dev ## kill writers of records and of episodes N=200 times each, check what is left
	$(BIN)/python tests/crash/crash_loop.py --rounds $(N)
	$(BIN)/python tests/crash/episode_loop.py --rounds $(N)

clean: ## remove .venv and what the tools leave behind
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(VENV)/.made:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	@touch $@

$(VENV)/.demo: $(VENV)/.made pyproject.toml
	$(BIN)/python -m pip install --quiet -e '.[local,cli]'
	@touch $@

$(VENV)/.dev: $(VENV)/.made pyproject.toml
	$(BIN)/python -m pip install --quiet -e '.[all,testing]' --group dev
	@touch $@

$(VENV)/.bench: $(VENV)/.made pyproject.toml
	$(BIN)/python -m pip install --quiet -e '.[all]' --group bench
	@touch $@
