"""What a user would pick instead, beside this project in the same minutes: see `benchmarks/peers/run.py`."""
