"""The RAIM command line: audit panels of cheap judges, verify and judge benchmarks, regenerate the analysis."""

__version__ = "0.1.0"
