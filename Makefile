# Two commands matter: `make demo` sets everything up and runs the main job, `make test` sets up and passes the tests.
# Both work in a plain virtual environment, .venv, made here on the first call.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test replay-all referee verify nojit portable boundscheck docs docs-full site bench intervals solver-check honesty kills fuzz audit cluster-check lint clean help

help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(STAMP)  ## a million deals of Bridgette with heuristic bots: make rates, scores, files
	$(BIN)/simcore run bridgette --out runs/demo --overwrite
	$(BIN)/simcore rates runs/demo
	$(BIN)/simcore scores runs/demo

test: $(STAMP)  ## the tests, in all their passes
	$(BIN)/python -m pytest -q -n 2 --dist loadgroup
	$(MAKE) --no-print-directory portable nojit boundscheck

portable: $(STAMP)  ## parity with kernels that use no BMI2 instructions
	SIMCORE_PORTABLE=1 $(BIN)/python -m pytest -q -n 2 -m portable

nojit: $(STAMP)  ## a marked subset in plain Python
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -n 2 -m nojit

boundscheck: $(STAMP)  ## parity with every array access checked
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -q -n 2 -m "portable or nojit"

docs: $(STAMP)  ## examples of the documents, printed by the program
	$(BIN)/python tests/update_docs.py

docs-full: $(STAMP)  ## every command of the documents at full length; some minutes
	SIMCORE_DOCS=full $(BIN)/python -m pytest -q -n 2 tests/test_docs.py

site: $(STAMP)  ## the documents as a site, in build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

bench: $(STAMP)  ## benchmarks, beside the C limit and other programs ('.[peers]'); writes benchmarks/README.md
	$(BIN)/python -m benchmarks

intervals: $(STAMP)  ## coverage of the intervals by 4000 replications; about 10 minutes, paired differences as long
	$(BIN)/python -m pytest -m long -s tests/test_intervals.py tests/test_compare.py

replay-all: $(STAMP)  ## 2000 deals of every shipped variant and bot and of every option value, judged twice
	$(BIN)/python tests/replay_all.py --deals 2000

referee: $(STAMP)  ## 10,000 games of Oh Hell by OpenSpiel, replayed here under oh_hell_openspiel; contract bridge, cell by cell
	$(BIN)/python tests/outside_referee.py --games 10000
	$(BIN)/python -m pytest -q -m long tests/test_outside_referee.py

verify: $(STAMP)  ## the statistical verification in full, with a page of plots; about 10 minutes
	$(BIN)/simcore verify --out verify.html --overwrite

solver-check: $(STAMP)  ## perfect play against searches that try every card; long
	$(BIN)/python -m benchmarks.verify_solver

honesty: $(STAMP)  ## 200 seeds of a reduced tuning: planted faults, promised improvements; goes on where it was interrupted
	$(BIN)/python -m benchmarks.tuning_honesty --seeds 200

kills: $(STAMP)  ## runs with rows and with sums, each killed at 50 moments and resumed; eight cold starts at once
	$(BIN)/python -m pytest -m long tests/test_resume.py tests/test_faults.py

fuzz: $(STAMP)  ## thousands of damaged inputs for every reader
	SIMCORE_FUZZ=$(or $(N),5000) $(BIN)/python -m pytest -q -n 2 tests/test_fuzz.py

audit: $(STAMP)  ## known holes of the dependencies, where the service can be reached
	$(BIN)/python tests/audit.py

cluster-check: $(STAMP)  ## a Dask cluster of four processes, one killed half way, into a directory and a bucket
	$(BIN)/python -m pytest -m long tests/test_cluster.py

lint: $(STAMP)  ## style and types
	$(BIN)/ruff check .
	$(BIN)/mypy

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

clean:  ## removes the virtual environment and build files
	rm -rf $(VENV) build dist
