"""Benchmarks: cases as data, the C calibrator, one runner, a generated table."""
