#!/usr/bin/env bash
# A SLURM of one node on this machine, for tests: one_node_slurm.sh start FOLDER | stop FOLDER
#
# Needs root and Debian's packages slurm-wlm and munge. Everything it writes lies in FOLDER, its daemons listen on ports of
# their own, and `stop` ends them by their process ids and removes FOLDER: a SLURM that is installed is left alone. After
# `start`, commands reach it with SLURM_CONF=FOLDER/slurm.conf, and jobs, which get no such variable, with FOLDER/bin first in
# PATH. The node claims four cores and two GPUs, which are no GPUs: SLURM hands them out and sets CUDA_VISIBLE_DEVICES all
# the same.
set -euo pipefail

usage() {
    echo "usage: $0 start FOLDER | stop FOLDER" >&2
    exit 2
}
[[ $# == 2 && $2 == /* ]] || usage
folder=$2
export SLURM_CONF=$folder/slurm.conf

start() {
    mkdir -m 755 "$folder"
    mkdir "$folder"/{munge,state,spool}
    chmod 755 "$folder"/munge
    dd if=/dev/urandom of="$folder/munge/key" bs=128 count=1 status=none
    chmod 600 "$folder/munge/key"
    mkdir "$folder/bin"
    printf '#!/bin/sh\nSLURM_CONF=%q exec %q "$@"\n' "$SLURM_CONF" "$(command -v srun)" >"$folder/bin/srun"
    chmod 755 "$folder/bin/srun"
    node=$(hostname -s)
    port=$((20000 + RANDOM % 10000))
    cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
MinJobAge=600
GresTypes=gpu
NodeName=$node NodeAddr=127.0.0.1 CPUs=4 RealMemory=64000 Gres=gpu:2 State=UNKNOWN
PartitionName=test Nodes=$node Default=YES MaxTime=60 State=UP
CONF
    printf 'Name=gpu File=%s\n' /dev/null /dev/zero >"$folder/gres.conf"
    trap 'stop; exit 1' ERR
    # Under --force a folder that only root may enter is no error.
    munged --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" --pid-file="$folder/munged.pid" \
        --log-file="$folder/munge/log" --seed-file="$folder/munge/seed"
    slurmctld -c
    slurmd
    until=$((SECONDS + 30))
    while ((SECONDS < until)); do
        [[ $(timeout 5 sinfo --noheader --format %T 2>"$folder/sinfo.err") == idle ]] && return
        sleep 0.5
    done
    echo "the node did not become idle:" >&2
    tail -n 20 "$folder"/*.log "$folder/sinfo.err" >&2
    false
}

stop() {
    trap - ERR
    [[ -d $folder ]] || return 0
    scancel --user "$(id -un)" 2>/dev/null || true
    for daemon in slurmd slurmctld munged; do
        [[ -f $folder/$daemon.pid ]] || continue
        pid=$(<"$folder/$daemon.pid")
        kill "$pid" 2>/dev/null || continue
        for _ in $(seq 100); do
            kill -0 "$pid" 2>/dev/null || continue 2
            sleep 0.1
        done
        kill -KILL "$pid" 2>/dev/null || true
    done
    rm -rf "$folder"
}

case $1 in
    start) start ;;
    stop) stop ;;
    *) usage ;;
esac
