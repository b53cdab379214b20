"""Runs skilltree.fleet.ray or skilltree.fleet.spark with two workers, and kills one that reads repositories.

    fleet_engine.py ray|spark --repos DIR --out DIR [--keep]

With --keep, no worker is killed. The last line of the output is the peak memory of all processes, and what was killed.
"""
import os
import runpy
import sys
import threading
import time

import psutil

engine, keep = sys.argv[1], "--keep" in sys.argv
sys.argv = [sys.argv[0], *(word for word in sys.argv[2:] if word != "--keep")]
state = {"peak": 0, "killed": None}


def is_worker(process):
    words = " ".join(process.cmdline())
    return "ray::Map" in words if engine == "ray" else "pyspark.daemon" in words and process.parent().name().startswith("python")


def watch():
    """Kills the first worker that worked for a second, and measures memory."""
    while True:
        total = 0
        for process in psutil.Process().children(recursive=True):
            try:
                total += process.memory_info().rss
                times = process.cpu_times()
                if state["killed"] is None and not keep and is_worker(process) and times.user + times.system > 1.0:
                    process.kill()
                    state["killed"] = process.pid
            except psutil.Error:
                continue
        state["peak"] = max(state["peak"], total + psutil.Process().memory_info().rss)
        time.sleep(0.05)


if engine == "ray":
    import ray

    start = ray.init
    ray.init = lambda **options: start(num_cpus=2, include_dashboard=False, **options)
else:
    os.environ["PYSPARK_SUBMIT_ARGS"] = "--master local[2,4] --conf spark.ui.enabled=false pyspark-shell"
    os.environ["PYSPARK_PYTHON"] = sys.executable
threading.Thread(target=watch, daemon=True).start()
status = 1
try:
    runpy.run_module(f"skilltree.fleet.{engine}", run_name="__main__")
except SystemExit as end:
    status = end.code
print(f"{engine}: peak {state['peak'] >> 20} MiB, killed worker {state['killed']}")
if not keep and state["killed"] is None:
    sys.exit("no worker was killed")
sys.exit(status)
