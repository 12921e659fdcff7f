#!/usr/bin/env bash
# Fuzzes, and kills gradings at random, by turns, until a time is over; then prints what came of it.
# Usage: soak.sh KILL-TEST FUZZER...    each fuzzer is PROGRAM,MAX-LENGTH,DICTIONARY,CORPUS-FOLDER...
# The time is $CUDALABS_SOAK_SECONDS, 600 by default. New corpus files stay in the folder `found` beside each fuzzer, what
# makes one crash in `crashes`. Exit code 1 where something crashed, survived or failed.
set -uo pipefail
export CUDALABS_FUZZ_THREADS=1 # the session as programs have it, beside the device; inputs need not come again here
duration=${CUDALABS_SOAK_SECONDS:-600}
case $duration in
  '' | *[!0-9]*)
    echo "CUDALABS_SOAK_SECONDS is \`$duration\`, not a number of seconds"
    exit 2
    ;;
esac
kill_test=$1
shift
turn=$((duration / (2 * ($# + 1)) + 1)) # each of them comes twice, at least
end=$((SECONDS + duration))
log=$(mktemp)
trap 'rm -f "$log"' EXIT
executions=0 crashes=0 gradings=0 kills=0 kill_failures=0 round=0

fuzz() {
  local program length dictionary folder
  IFS=, read -r program length dictionary folder <<<"$1"
  local left=$((end - SECONDS)) place
  place=$(dirname "$program")
  ((left > turn)) && left=$turn
  ((left > 0)) || return
  local -a words=("-max_total_time=$left" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 "-max_len=$length"
    "-seed=$((RANDOM + 1))" "-artifact_prefix=$place/crashes/")
  [ -n "$dictionary" ] && words+=("-dict=$dictionary")
  (cd "$place" && "$program" "${words[@]}" "$place/found" ${folder//,/ }) >"$log" 2>&1 || {
    crashes=$((crashes + 1))
    tail -n 30 "$log"
  }
  local count
  count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  executions=$((executions + ${count:-0}))
}

kill_some() {
  CUDALABS_KILLS=5 CUDALABS_KILL_SEED=$((RANDOM + 1)) "$kill_test" >"$log" 2>&1 || {
    kill_failures=$((kill_failures + 1))
    tail -n 30 "$log"
  }
  local tried hit
  read -r tried hit < <(sed -n 's/^\([0-9]*\) gradings, \([0-9]*\) kills$/\1 \2/p' "$log")
  gradings=$((gradings + ${tried:-0}))
  kills=$((kills + ${hit:-0}))
}

while ((SECONDS < end)); do
  for fuzzer in "$@"; do
    fuzz "$fuzzer"
  done
  until=$((SECONDS + turn))
  while ((SECONDS < end && SECONDS < until)); do kill_some; done
  round=$((round + 1))
done
echo "soak: $duration s, $round rounds; fuzzers: $executions executions, $crashes crashes; gradings: $gradings, of which" \
  "$kills lost a process to kill -9; $kill_failures runs left something behind or failed"
((crashes == 0 && kill_failures == 0))
