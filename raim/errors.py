"""The one error a user can mend."""

from __future__ import annotations


class InputError(ValueError):
    """Bad input, configuration or environment.

    The message names the file, column or option at fault and says what to do. The command line prints it and exits
    with status 2; scripts of the workflow do the same.
    """
