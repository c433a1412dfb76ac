"""``python -m raim``."""

import sys

from raim.cli import main

sys.exit(main())
