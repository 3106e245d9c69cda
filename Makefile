# Two verbs for everyone: `make` and `make test`. The rest is for who changes something.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: study test check lab paper bench fixtures captures hosts lock clean help

study: $(READY)     ## run the study: write results/, print the ladder (the default)
	@$(BIN)/measure run

test: $(READY)      ## lint, types, every test, every cell of the notebooks
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python -m pytest

check: $(READY)     ## measure again and compare with results/, write nothing
	@$(BIN)/measure check

lab: $(READY)       ## open the notebooks in jupyter lab; LAB=--no-browser passes that on
	$(BIN)/python -m jupyterlab notebooks $(LAB)

paper: $(READY)     ## compile paper/paper.pdf from the results
	@$(BIN)/measure paper

bench: $(READY)     ## speed, as ratios measured in one run
	@$(BIN)/python tests/bench.py

fixtures: $(READY)  ## write the fixtures again
	$(BIN)/python fixtures/generate.py
	$(BIN)/python fixtures/generate_shapes.py
	$(BIN)/python fixtures/generate_sessions.py

captures: $(READY)  ## record the sessions of the study's MCP servers again
	$(BIN)/python fixtures/capture.py

hosts: $(READY)     ## record what agent libraries give their model; needs the dependency group `hosts`
	$(BIN)/python fixtures/capture_hosts.py

lock: $(READY)      ## resolve requirements.lock anew (needs uv)
	uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --group dev \
	  --output-file requirements.lock pyproject.toml

clean:              ## remove the virtual environment and caches
	rm -rf $(VENV) .hypothesis .mypy_cache .pytest_cache .ruff_cache

help:               ## this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile | expand -t 18

# A new lock makes a new environment; nothing is patched. The package itself is installed in place, by the
# build backend that the lock holds, so that nothing unpinned is fetched.
$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or later is needed: make PYTHON=python3.12"; exit 2; }
	rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@
