"""From released records to numbers, from numbers to pages, and the check of the ones that are committed."""
