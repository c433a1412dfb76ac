"""``python -m raim``."""

import sys

from raim.cli import main

# Spawned workers (vLLM has them where a judge is spread over several GPUs) import this module by another name.
if __name__ == "__main__":
    sys.exit(main())
