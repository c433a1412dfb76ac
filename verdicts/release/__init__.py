"""The authors' public release of RAIM: read as users download it, checked, and written as a suite of this project."""
