"""One score dataset a module, each exporting ``DATASET``."""
