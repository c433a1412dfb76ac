"""The protocol study: score ranges, extraction rules, prompt styles (paper, section 5.1)."""
