#!/usr/bin/env bash
# The tables of all mirrors, on Spark in Kubernetes. The image has Python, skilltree-lint[fleet], pyspark and the mount.
# PROGRAM is the path in the image that this prints: python -c 'import skilltree.fleet.spark as s; print(s.__file__)'
set -euo pipefail
spark-submit \
    --master "k8s://$KUBERNETES_API" --deploy-mode cluster --name skilltree-fleet \
    --conf spark.kubernetes.container.image="$IMAGE" \
    --conf spark.executor.instances=20 --conf spark.executor.cores=4 --conf spark.executor.memory=4g \
    --conf spark.task.maxFailures=8 \
    "local://$PROGRAM" --repos /mnt/mirrors --out "s3a://bucket/tables/$(date --utc +%F)"
