"""One command a module: ``NAME``, ``HELP``, ``add_arguments(parser)`` and ``run(args) -> int``."""
