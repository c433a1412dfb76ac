"""What an engine behind an HTTP API needs beside its client: pace, retries, prices, a ledger with a cap, batches."""
