"""The record format: what the inference tier writes and the only thing of it that the analysis tier reads.

``docs/records.md`` documents the format with an example. Needs the standard library only.
"""
