"""Steps from votes to numbers, one a module; each writes one derived file.

A module exports ``SCOPE`` and ``derive``:

* ``SCOPE = "benchmark"``: ``derive(context: BenchmarkContext) -> dict`` is called for each benchmark of a suite and
  written to ``derived/<suite>/<benchmark>/<step>.json``;
* ``SCOPE = "suite"``: ``derive(context: SuiteContext) -> dict`` is called once and written to
  ``derived/<suite>/<step>.json``.

``READS`` names the steps whose files a step reads, which are then made before it. Values are plain JSON: an undefined
score is None with its reason beside it. ``analysis.skip.Skip`` says that a suite lacks what the step needs; its file
then holds ``{"skipped": reason}``.
"""
