"""Runs skilltree.fleet.ray on two worker nodes, or skilltree.fleet.spark with two workers, and kills one that reads repositories.

    run_engine.py ray|spark --repos DIR --out DIR [--keep]

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
    from ray.cluster_utils import Cluster

    # A head without processors, and two worker nodes, each with its own processes and its own store of objects.
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False, "object_store_memory": 256 << 20})
    for _ in range(2):
        cluster.add_node(num_cpus=1, object_store_memory=512 << 20)
    start = ray.init
    ray.init = lambda **options: start(address=cluster.address, **options)
else:
    os.environ["PYSPARK_SUBMIT_ARGS"] = "--master local[2,4] --conf spark.ui.enabled=false pyspark-shell"
    os.environ["PYSPARK_PYTHON"] = sys.executable
threading.Thread(target=watch, daemon=True).start()
status = 1
try:
    runpy.run_module(f"skilltree.fleet.{engine}", run_name="__main__")
except SystemExit as end:
    status = end.code
if engine == "ray":
    workers = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]
    assert len(workers) == 2, workers
    # In this order: a driver whose node ends first exits with another status.
    ray.shutdown()
    cluster.shutdown()
print(f"{engine}: peak {state['peak'] >> 20} MiB, killed worker {state['killed']}")
if not keep and state["killed"] is None:
    sys.exit("no worker was killed")
sys.exit(status)
