"""What the scheduler of a Dask cluster spends on a task: ``python -m benchmarks.scheduler``, about a minute.

A scheduler in a process of its own, many workers of one thread each in another, and tasks that do nothing, asked for as a
run asks for chunks: one at a time, a bounded number ahead, each taken in order. Counted is the scheduler's processor
time a task (its own process, so neither workers nor client are in it), less what it spends while nobody asks; and the
rate at which one core is full of both.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections import deque
from pathlib import Path
from typing import Any

WORKERS = (16, 64)
TASKS = 1000
AHEAD = 3
IDLE_SECONDS = 10
_SCHEDULER = """
import asyncio
from distributed import Scheduler
async def main():
    async with Scheduler(host="127.0.0.1", port=0, dashboard=False) as scheduler:
        print(scheduler.address, flush=True)
        await asyncio.Event().wait()
asyncio.run(main())
"""


def nothing(spec: tuple[int, int, int]) -> dict[str, Any]:
    """A task that does nothing and returns about what a chunk's entry holds."""
    return {"index": spec[0], "first_match": spec[1], "matches": spec[2], "files": [("deals", "x" * 40, 1, 2, "y" * 64)] * 2}


def processor_seconds(pid: int) -> float:
    """Processor time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(workers: int) -> dict[str, Any]:
    """Scheduler's time a task with so many workers."""
    from distributed import Client, Worker

    process = subprocess.Popen([sys.executable, "-c", _SCHEDULER], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    try:
        crew = [Worker(address, nthreads=1, memory_limit=0, dashboard=False) for _ in range(workers)]
        await asyncio.gather(*crew)
        async with Client(address, asynchronous=True) as client:
            await client.wait_for_workers(workers)
            # What the scheduler spends while nobody asks for anything: the workers' heartbeats, most of all.
            rested, began = processor_seconds(process.pid), time.perf_counter()
            await asyncio.sleep(IDLE_SECONDS)
            idle = (processor_seconds(process.pid) - rested) / (time.perf_counter() - began)
            used = 0.0
            waiting: deque[Any] = deque()
            for number in range(TASKS + 100):
                if number == 100:  # warmed up
                    used, began = processor_seconds(process.pid), time.perf_counter()
                key = f"chunk-{number}"
                waiting.append(client.submit(nothing, (number, number * 4096, 4096), key=key, pure=False, retries=3))
                if len(waiting) >= AHEAD * workers:
                    await waiting.popleft()
            while waiting:
                await waiting.popleft()
            used, took = processor_seconds(process.pid) - used, time.perf_counter() - began
        await asyncio.gather(*(worker.close(nanny=False) for worker in crew))
        of_tasks = max(used - idle * took, 1e-9)
        return {
            "workers": workers,
            "tasks": TASKS,
            "scheduler_ms_a_task": round(1000 * of_tasks / TASKS, 3),
            "idle_share_of_a_core": round(idle, 4),
            "tasks_a_second_of_a_full_core": round((1 - idle) * TASKS / of_tasks),
            "seconds": round(took, 1),
        }
    finally:
        process.kill()
        process.communicate()


def main() -> None:
    """Print a line a number of workers."""
    os.environ.setdefault("DASK_LOGGING__DISTRIBUTED", "error")  # read when the library is imported
    for workers in WORKERS:
        print(json.dumps(asyncio.run(measure(workers))), flush=True)


if __name__ == "__main__":
    main()
