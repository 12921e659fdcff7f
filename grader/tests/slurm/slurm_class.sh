#!/usr/bin/env bash
# Grades thirty submissions through munged, slurmctld and slurmd, kills a shard on the way, and goes on.
#
#   slurm_class.sh GRADE SOURCE
#
# Everything runs as the current user, on loopback, in a temporary folder. Exit code 77: Slurm is not installed here.
set -euo pipefail
grade=$1 source=$2
PATH=$PATH:/usr/sbin
for program in munged slurmctld slurmd sbatch squeue scancel scontrol sinfo; do
  command -v "$program" >/dev/null ||
    { echo "skipped: there is no $program here; apt-get install slurmctld slurmd slurm-client munge brings it"; exit 77; }
done

folder=$(mktemp -d "${TMPDIR:-/tmp}/cudalabs-slurm-XXXXXX")
chmod 711 "$folder"  # munged wants a path that others cannot write, jobs of other users one that they can pass
# A shard that is killed leaves what it works on; here that goes with the folder.
export TMPDIR=$folder/tmp
mkdir -m 1777 "$TMPDIR"
daemons=()

finish() {
  local status=$?
  if [ "$status" -ne 0 ]; then
    tail -n 15 "$folder"/*.log "$folder"/*.out "$folder"/out*.txt "$folder"/class/slurm/*/logs/* 2>/dev/null || true
  fi
  if [ -n "${SLURM_CONF:-}" ]; then
    scancel --quiet --user="$(id -un)" 2>/dev/null || true
    for _ in $(seq 100); do
      if [ -z "$(squeue --noheader 2>/dev/null)" ]; then break; fi
      sleep 0.1
    done
  fi
  if [ ${#daemons[@]} -gt 0 ]; then
    kill "${daemons[@]}" 2>/dev/null || true
    wait "${daemons[@]}" 2>/dev/null || true
  fi
  rm -rf "$folder"
}
trap finish EXIT

fail() { echo "failed: $*"; exit 1; }

# Whether a program listens at the port.
is_taken() { (: <>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# The first of two free ports, below those that the system gives to others.
free_ports() {
  local port
  while true; do
    port=$((20000 + RANDOM % 12000))
    if ! is_taken "$port" && ! is_taken $((port + 1)); then echo "$port"; return; fi
  done
}

# Ends with this script, whatever ends that.
start_daemon() {
  setpriv --pdeathsig KILL "$@" &
  daemons+=($!)
}

start_cluster() {
  local host port
  host=$(hostname -s)
  port=$(free_ports)
  mkdir "$folder/state" "$folder/spool"
  (umask 077 && head -c 128 /dev/urandom >"$folder/munge.key")
  start_daemon munged --foreground --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" \
    --pid-file="$folder/munge.pid" --log-file="$folder/munge.log" --seed-file="$folder/munge.seed" --num-threads=1 \
    >"$folder/munged.out" 2>&1
  for _ in $(seq 600); do
    if [ -S "$folder/munge.socket" ]; then break; fi
    sleep 0.1
  done
  export SLURM_CONF=$folder/slurm.conf
  cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
SlurmctldPort=$port
SlurmdPort=$((port + 1))
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
  start_daemon slurmctld -D -f "$SLURM_CONF" -c >"$folder/slurmctld.out" 2>&1
  start_daemon slurmd -D -f "$SLURM_CONF" -N "$host" >"$folder/slurmd.out" 2>&1
  for _ in $(seq 600); do
    if sinfo --noheader --format=%t 2>/dev/null | grep -qx idle; then return; fi
    sleep 0.2
  done
  fail "the cluster has no idle node"
}

# Thirty submissions: ten files, each three times with another comment.
hand_in() {
  local samples sample number=0
  samples=("$source"/solutions/lab1_vector_add/vector_add.cu
    "$source"/solutions/lab1_vector_add/alternative/{grid_stride,block_of_100,two_dimensions,rows_of_a_volume}.cu
    "$source"/solutions/lab1_vector_add/wrong/{minus,no_guard,zero_blocks,missing_semicolon,leak_on_failure}.cu)
  while [ "$number" -lt 30 ]; do
    sample=${samples[$((number % 10))]}
    mkdir -p "$folder/in/s$number"
    { cat "$sample"; echo "// $number"; } >"$folder/in/s$number/vector_add.cu"
    number=$((number + 1))
  done
}

grade_class() {  # SBATCH-OPTION...
  "$grade" class lab1 "$folder/in" --out "$folder/class" --device virtual --slurm="--cpus-per-task=1 $*" --shards 3
}

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
jobs=$folder/class/slurm/1

grade_class --hold >"$folder/out1.txt" || fail "the first command"
grep -q '^30 to grade, 0 graded before$' "$folder/out1.txt" || fail "not 30 to grade"
job=$(cat "$jobs/job")
[ "$(find "$jobs/submissions" -type f | wc -l)" -eq 30 ] || fail "not 30 submissions for the jobs"

# The same command meanwhile submits nothing twice.
grade_class >"$folder/out2.txt" || fail "the command while jobs wait"
grep -q "^job $job is still grading$" "$folder/out2.txt" || fail "the job under way is not named"
grep -q '^0 to grade' "$folder/out2.txt" || fail "what is under way was submitted again"

# A shard is lost in its middle, as when its machine breaks down: it reads its sixth submission, 16 of all, until it is
# killed. That is a pipe which this script holds: when the script is gone, there is nothing to wait for.
sixth=$jobs/submissions/$(grep -o '"digest": "[0-9a-f]*"' "$jobs/tasks.json" | sed -n '17s/.*"\(.*\)"/\1/p')
mkfifo "$folder/pipe"
exec 9<>"$folder/pipe"
ln -sf "/proc/$$/fd/9" "$sixth"
squeue --noheader --format=%A | sort -u | xargs scontrol release
for _ in $(seq 3000); do
  if [ -e "$jobs/results/13.json" ]; then break; fi
  sleep 0.1
done
scancel --signal=KILL --full "${job}_1" || fail "nothing to kill"
# Only when it is gone may the pipe end: a shard that is not killed yet would take the end for an empty submission.
for _ in $(seq 600); do
  if [ -z "$(squeue --noheader --job="${job}_1" 2>/dev/null)" ]; then break; fi
  sleep 0.1
done
exec 9>&-
wait_for_jobs
[ -e "$folder/class/index.html" ] || fail "the collecting job wrote no page"
[ ! -e "$jobs/results" ] || fail "what was collected is still there"
[ -e "$jobs/logs/shard-0" ] || fail "the logs of a job that lost something are gone"

"$grade" class export csv --out "$folder/class" --to "$folder/some.csv"
[ "$(grep -c ',graded' "$folder/some.csv")" -eq 25 ] || {
  grep -v ',graded' "$folder/some.csv" >&2
  fail "not exactly the rest of a shard was lost"
}

grade_class >"$folder/out3.txt" || fail "the command again"
grep -q '^5 to grade, 25 graded before$' "$folder/out3.txt" || fail "not exactly what is missing was submitted"
wait_for_jobs
grade_class >"$folder/out4.txt" || fail "the last command"
grep -q '^0 to grade, 30 graded before$' "$folder/out4.txt" || fail "not everything is graded"
[ ! -e "$folder/class/slurm/2" ] || fail "the folder of jobs that left nothing to do is still there"
"$grade" class export csv --out "$folder/class" --to "$folder/all.csv"
[ "$(grep -c ',graded' "$folder/all.csv")" -eq 30 ] || fail "not 30 verdicts"

# What the cluster says is what this machine says, of each of the ten files, also where it tries no changes of them.
mkdir "$folder/ten"
cp -pr "$folder"/in/s? "$folder/ten"
"$grade" class lab1 "$folder/ten" --out "$folder/here" --device virtual --no-pages --no-patches >"$folder/out5.txt" || fail "grading here"
"$grade" class export csv --out "$folder/here" --to "$folder/here.csv"
grep -E '^(student|s[0-9]),' "$folder/all.csv" | cmp - "$folder/here.csv" || fail "the cluster's verdicts are others"
# Of the other twenty it says what it says of the same file.
verdicts() { sed -n "s/^s$1\([0-9],\)/\1/p" "$folder/all.csv" | cut -d, -f1,6-11; }
[ "$(verdicts '' | wc -l)" -eq 10 ] || fail "the table has other columns"
for tens in 1 2; do
  [ "$(verdicts "$tens")" = "$(verdicts '')" ] || fail "equal files got other verdicts"
done
echo "30 submissions, 25 before a shard was killed, 5 afterwards"
