"""The suites that the studies run on, from their inputs."""
