"""Names by which benchmarks seed their random draws."""

from __future__ import annotations

import zlib

#: The release's names of the benchmarks that are named otherwise here; draws are seeded by the release's names.
RELEASE_NAMES = {
    "wice": "aggrefact_wice",
    "xsum": "aggrefact_xsum",
    "cnn": "aggrefact_cnn",
    "expertqa": "aggrefact_expertqa",
}


def benchmark_seed(benchmark: str) -> int:
    """CRC-32 of a benchmark's name in the release, or of its own name where the release does not have it."""
    return zlib.crc32(RELEASE_NAMES.get(benchmark, benchmark).encode())
