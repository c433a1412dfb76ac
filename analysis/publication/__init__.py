"""A suite's derived numbers beside the published ones: as printed, and at the release's full precision."""
