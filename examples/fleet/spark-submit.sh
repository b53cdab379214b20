#!/usr/bin/env bash
# The tables of all mirrors, on Spark in Kubernetes. The image has Python, skilltree-lint[fleet], pyspark and the mount.
set -euo pipefail
spark-submit \
    --master "k8s://$KUBERNETES_API" --deploy-mode cluster --name skilltree-fleet \
    --conf spark.kubernetes.container.image="$IMAGE" \
    --conf spark.executor.instances=20 --conf spark.executor.cores=4 --conf spark.executor.memory=4g \
    --conf spark.task.maxFailures=8 \
    local:///opt/skilltree/fleet/spark.py --repos /mnt/mirrors --out s3a://bucket/tables
