#!/usr/bin/env bash
# Grades every hostile sample in each tier of the sandbox that this machine has, one at a time, and writes counts by
# tier and the slowest gradings as JSON. An idle machine takes half an hour, a tier. `load`: how many processes wanted a
# processor at the end; seconds of a machine with much of it are no idle machine's.
#
#   measure_attacks.sh [--grade PROGRAM] [--tiers "A B C"] [--jobs N] [--only TEXT,TEXT] [--add FILE]... OUTPUT
#
# --jobs N: so many at a time, on a machine with more than two processors for each.
# --add FILE: gradings that `grade lint --json FILE` has written before; of two of one sample in one tier the last counts.
# Root's tier C is that of an ordinary user, by setpriv. Needs sqlite3.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
grade=$root/build/grade tiers="A B C" jobs=1 only=/hostile/ output= added=()
while [[ $# -gt 0 ]]; do
  case $1 in
    --grade) grade=$(realpath "$2"); shift ;;
    --tiers) tiers=$2; shift ;;
    --jobs) jobs=$2; shift ;;
    --only) only=$2; shift ;;
    --add) added+=("$(realpath "$2")"); shift ;;
    -*) echo "measure_attacks.sh: $1? see its first lines" >&2; exit 2 ;;
    *) output=$1 ;;
  esac
  shift
done
[[ $output ]] || { echo "measure_attacks.sh: which file shall be written? see its first lines" >&2; exit 2; }
command -v sqlite3 >/dev/null || { echo "measure_attacks.sh: there is no sqlite3 here" >&2; exit 2; }

work=$(mktemp -d "${TMPDIR:-/tmp}/cudalabs-attacks-XXXXXX")
trap 'rm -rf "$work"' EXIT
chmod 711 "$work"
for tier in $tiers; do
  as=()
  mkdir -m 777 "$work/$tier"
  if [[ $tier == C && $(id -u) -eq 0 ]]; then as=("$root/grader/tests/sandbox/as_ordinary_user.sh" 60901); fi
  # What is not as expected is in the file, too.
  "${as[@]}" "$grade" lint lab3 --frontend clang --jobs "$jobs" --only "$only" --sandbox "$tier" --json "$work/$tier/all.json" || true
  added+=("$work/$tier/all.json")
done

{
  echo "CREATE TABLE gradings (tier, sample, as_expected, points, seconds, processor_seconds, verdict, PRIMARY KEY (tier, sample));"
  for file in "${added[@]}"; do
    echo "INSERT OR REPLACE INTO gradings SELECT substr(value ->> 'tier', 1, 1), value ->> 'sample', value ->> 'objection' = '',
          value ->> 'points', round(value ->> 'seconds', 1), round(value ->> 'processor_seconds', 1), value ->> 'verdict'
          FROM json_each(readfile('$file')) WHERE value ->> 'kind' = 'hostile';"
  done
  echo "SELECT json_object('date', date(), 'processors', $(nproc), 'load', $(cut -d' ' -f1 /proc/loadavg), 'command', 'grader/bench/attacks/measure_attacks.sh',
        'tiers', (SELECT json_group_array(json_object('tier', tier, 'samples', samples, 'as_expected', expected, 'longest_seconds', longest))
                  FROM (SELECT tier, count(*) AS samples, sum(as_expected) AS expected, max(seconds) AS longest FROM gradings GROUP BY tier)),
        'slowest', (SELECT json_group_array(json_object('tier', tier, 'sample', sample, 'seconds', seconds, 'processor_seconds',
                    processor_seconds, 'points', points, 'verdict', verdict))
                    FROM (SELECT * FROM gradings ORDER BY seconds DESC LIMIT 10)),
        'gradings', (SELECT json_group_array(json_object('tier', tier, 'sample', sample, 'as_expected', as_expected, 'points', points,
                     'seconds', seconds, 'processor_seconds', processor_seconds, 'verdict', verdict))
                     FROM (SELECT * FROM gradings ORDER BY sample, tier)));"
} | sqlite3 :memory: | sed 's/},{/},\n {/g; s/\[{/[\n {/g' >"$work/result.json"
mv "$work/result.json" "$output"
