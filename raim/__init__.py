"""The RAIM command line: audit panels of cheap judges, verify and judge benchmarks, regenerate the analysis."""
