#!/usr/bin/env bash
# Grades thirty submissions through munged, slurmctld and slurmd, kills a shard on the way, and goes on.
#
#   slurm_class.sh GRADE SOURCE
#
# Everything runs as the current user, on loopback, in a temporary folder. Exit code 77: Slurm is not installed here.
set -euo pipefail
grade=$1 source=$2
for program in munged slurmctld slurmd sbatch squeue scancel sinfo; do
  PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || { echo "skipped: no $program here"; exit 77; }
done
PATH=$PATH:/usr/sbin

folder=$(mktemp -d "${TMPDIR:-/tmp}/cudalabs-slurm-XXXXXX")
chmod 711 "$folder"  # munged wants a path that others cannot write, jobs of other users one that they can pass

stop() {  # PID-FILE
  local process
  process=$(cat "$1" 2>/dev/null) || return 0
  kill "$process" 2>/dev/null || return 0
  for _ in $(seq 100); do
    kill -0 "$process" 2>/dev/null || return 0
    sleep 0.1
  done
  kill -KILL "$process" 2>/dev/null || true
}

finish() {
  local status=$?
  if [ "$status" -ne 0 ]; then
    tail -n 15 "$folder"/*.log "$folder"/out*.txt "$folder"/class/slurm/*/logs/* 2>/dev/null || true
  fi
  if [ -n "${SLURM_CONF:-}" ]; then scancel --quiet --user="$(id -un)" 2>/dev/null || true; fi
  for name in slurmd slurmctld munge; do stop "$folder/$name.pid"; done
  rm -rf "$folder"
}
trap finish EXIT

fail() { echo "failed: $*"; exit 1; }

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

start_cluster() {
  local host
  host=$(hostname -s)
  mkdir "$folder/state" "$folder/spool"
  (umask 077 && head -c 128 /dev/urandom >"$folder/munge.key")
  munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munge.pid" \
    --log-file="$folder/munge.log" --seed-file="$folder/munge.seed" --num-threads=1
  export SLURM_CONF=$folder/slurm.conf
  cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1
ReturnToService=2
MpiDefault=none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
KillWait=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
  slurmctld -f "$SLURM_CONF" -c
  slurmd -f "$SLURM_CONF" -N "$host"
  for _ in $(seq 300); do
    if sinfo --noheader --format=%t 2>/dev/null | grep -qx idle; then return; fi
    sleep 0.2
  done
  fail "the cluster has no idle node"
}

# Thirty submissions, each other by a comment at least.
hand_in() {
  local samples sample number=0
  samples=("$source"/solutions/lab1_vector_add/vector_add.cu "$source"/solutions/lab1_vector_add/alternative/*.cu
    "$source"/solutions/lab1_vector_add/wrong/{minus,no_guard,zero_blocks,missing_semicolon,leak_on_failure}.cu)
  while [ "$number" -lt 30 ]; do
    sample=${samples[$((number % ${#samples[@]}))]}
    mkdir -p "$folder/in/s$number"
    { cat "$sample"; echo "// $number"; } >"$folder/in/s$number/vector_add.cu"
    number=$((number + 1))
  done
}

grade_class() { "$grade" class lab1 "$folder/in" --out "$folder/class" --device virtual --slurm="--cpus-per-task=1" --shards 3; }

results() { find "$folder"/class/slurm/1/results -name '*.json' 2>/dev/null | wc -l; }

wait_for_jobs() {
  for _ in $(seq 3000); do
    if [ -z "$(squeue --noheader)" ]; then return; fi
    sleep 0.2
  done
  fail "the jobs did not end"
}

start_cluster
hand_in
export CUDALABS_CACHE=$folder/cache

grade_class >"$folder/out1.txt" || fail "the first command"
grep -q '^30 to grade, 0 graded before$' "$folder/out1.txt" || fail "not 30 to grade"
job=$(cat "$folder/class/slurm/1/job")
[ "$(find "$folder"/class/slurm/1/submissions -type f | wc -l)" -eq 30 ] || fail "not 30 submissions for the jobs"

# The same command meanwhile submits nothing twice.
grade_class >"$folder/out2.txt" || fail "the command while jobs run"
grep -q "^job $job is still grading$" "$folder/out2.txt" || fail "the job under way is not named"
grep -q '^0 to grade' "$folder/out2.txt" || fail "what is under way was submitted again"

# A shard is lost in its middle, as when its machine breaks down.
for _ in $(seq 3000); do
  if [ -e "$folder/class/slurm/1/results/1.json" ]; then break; fi
  sleep 0.1
done
scancel --signal=KILL --full "${job}_1" || fail "nothing to kill"
wait_for_jobs
[ -e "$folder/class/index.html" ] || fail "the collecting job wrote no page"
[ ! -e "$folder/class/slurm/1/results" ] || fail "what was collected is still there"
[ -e "$folder/class/slurm/1/logs/shard-0" ] || fail "the logs of a job that lost something are gone"

"$grade" class export csv --out "$folder/class" --to "$folder/some.csv"
some=$(grep -c ',graded' "$folder/some.csv" || true)
[ "$some" -ge 20 ] || fail "only $some graded: more than a shard was lost"
[ "$some" -lt 30 ] || fail "nothing was lost with the shard"

grade_class >"$folder/out3.txt" || fail "the command again"
grep -q "^$((30 - some)) to grade, $some graded before$" "$folder/out3.txt" || fail "not exactly what is missing was submitted"
wait_for_jobs
grade_class >"$folder/out4.txt" || fail "the last command"
grep -q '^0 to grade, 30 graded before$' "$folder/out4.txt" || fail "not everything is graded"
[ ! -e "$folder/class/slurm/2" ] || fail "the folder of jobs that left nothing to do is still there"
"$grade" class export csv --out "$folder/class" --to "$folder/all.csv"
[ "$(grep -c ',graded' "$folder/all.csv")" -eq 30 ] || fail "not 30 verdicts"

# What the cluster says is what this machine says.
"$grade" class lab1 "$folder/in" --out "$folder/here" --device virtual --no-pages >"$folder/out5.txt" || fail "grading here"
"$grade" class export csv --out "$folder/here" --to "$folder/here.csv"
cmp "$folder/all.csv" "$folder/here.csv" || fail "the cluster's verdicts are others"
echo "30 submissions, $some before a shard was killed, $((30 - some)) afterwards"
