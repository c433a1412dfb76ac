"""Inference tier: benchmarks, prompts, engines and the store of verdict and distribution records."""
