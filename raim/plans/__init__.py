"""One kind of study a module: ``NAME``, ``HELP``, ``add_arguments(parser)`` and ``run(args) -> int``, as commands."""
