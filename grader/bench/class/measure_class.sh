#!/usr/bin/env bash
# How long a class takes: makes one out of a lab's samples (right, wrong, not compiling, empty, too long, hostile, late,
# handed in twice), as Canvas hands it out, grades it with an empty cache and once more, and prints a table.
#
#   measure_class.sh [--grade PROGRAM] [--students N] [--lab LAB_SLUG] [--jobs N] [--check] [--open TOOLS]
#
# --check: also grades every different submission alone, and compares the points. --open: also opens the class page in
# Chromium; TOOLS has the node_modules (BUILD/slides). Needs sqlite3, and an idle machine.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
grade=$root/build/grade students=300 lab=lab3_naive_matmul jobs= check= open=
while [[ $# -gt 0 ]]; do
  case $1 in
    --grade) grade=$(realpath "$2"); shift ;;
    --students) students=$2; shift ;;
    --lab) lab=$2; shift ;;
    --jobs) jobs=$2; shift ;;
    --check) check=1 ;;
    --open) open=$(realpath "$2"); shift ;;
    *) echo "measure_class.sh: $1? see its first lines" >&2; exit 2 ;;
  esac
  shift
done
command -v sqlite3 >/dev/null || { echo "measure_class.sh: there is no sqlite3 here" >&2; exit 2; }

work=$(mktemp -d "${TMPDIR:-/tmp}/cudalabs-class-XXXXXX")
chmod 711 "$work"  # jobs of other users pass through
trap 'rm -rf "$work"' EXIT
export CUDALABS_CACHE=$work/cache
solutions=$root/solutions/$lab
source=$(basename "$(ls "$solutions"/*.cu)")
id=${lab%%_*}

make_class() {
  local usual=("$solutions"/*.cu "$solutions"/alternative/*.cu "$solutions"/wrong/*.cu) hostile=("$solutions"/hostile/*.cu)
  local number name late before=
  mkdir "$work/in"
  echo "id,name,canvas id" >"$work/roster.csv"
  for ((number = 1; number <= students; ++number)); do
    late=
    if ((number % 10 == 0)); then late=LATE_; fi
    name=$work/in/student${number}_${late}$((1000 + number))_$((90000 + number))_$source
    echo "s$number,student$number,$((1000 + number))" >>"$work/roster.csv"
    if ((number % 50 == 7)); then
      : >"$name"
    elif ((number % 60 == 8)); then
      head -c 2000000 /dev/zero | tr '\0' ' ' >"$name"
    elif ((number % 11 == 0)) && [[ -n $before ]]; then
      cp "$before" "$name"
    elif ((number % 15 == 4)) && [[ -e ${hostile[0]} ]]; then
      { cat "${hostile[$((number / 15 % ${#hostile[@]}))]}"; echo "// $number"; } >"$name"
    else
      { cat "${usual[$((number % ${#usual[@]}))]}"; echo "// $number"; } >"$name"
    fi
    before=$name
  done
}

# The most memory that the process and its descendants hold at once, in MB, looked at every two seconds, for to look takes
# processor time from what is measured. A page that several of them share counts once.
watch_memory() {  # PID FILE
  local now most=0
  while kill -0 "$1" 2>/dev/null; do
    now=$(ps -eo pid=,ppid= | awk -v top="$1" '
      { parent[$1] = $2 }
      END {
        for (each in parent) {
          for (at = each; at > 1 && at != top; at = parent[at]) continue
          if (at == top) print each
        }
      }' | sed 's|.*|/proc/&/smaps_rollup|' | { xargs -r cat 2>/dev/null || true; } | awk '/^Pss:/ { sum += $2 } END { printf "%d", sum / 1024 }')
    if ((now > most)); then most=$now; fi
    sleep 2
  done
  echo "$most" >"$2"
}

TIMEFORMAT='%R %U %S'
grade_class() {  # NAME
  local memory
  {
    time {
      "$grade" class "$id" "$work/in" --out "$work/out" --roster "$work/roster.csv" --device virtual ${jobs:+--jobs "$jobs"} \
        >"$work/$1.log" 2>&1 &
      watch_memory $! "$work/$1.memory" &
      memory=$!
      wait %1 || [[ $? -eq 1 ]] || { cat "$work/$1.log" >&2; exit 1; }
    }
  } 2>"$work/$1.time"
  wait "$memory"
  awk -v name="$1" -v memory="$(cat "$work/$1.memory")" -v to_grade="$(head -n 1 "$work/$1.log")" \
    'END { printf "%-5s %s: %.1f s, %.1f s of processor time, at most %d MB\n", name, to_grade, $1, $2 + $3, memory }' "$work/$1.time"
}

ask() { sqlite3 -separator ' ' "$work/out/class.db" "$1"; }

make_class
printf '%s, %d students, gradings at a time: %s\n' "$lab" "$students" "${jobs:-as many as the lab takes}"
grade_class cold
grade_class warm
printf '\nseconds of a grading, on average\n'
ask "SELECT printf('%-28s %6.2f', 'processor time', avg(cpu_seconds)) FROM grading
     UNION ALL SELECT printf('%-28s %6.2f', 'from start to end', avg(wall_seconds)) FROM grading
     UNION ALL SELECT * FROM (SELECT printf('%-28s %6.2f', '  ' || key, avg(value)) FROM grading, json_each(report, '\$.timings')
       WHERE report != '' AND key IN ('build', 'fast_build', 'run') GROUP BY key)"
printf '%-28s %s\n' 'without a verdict' "$(ask "SELECT count(*) FROM grading WHERE failure != ''")"

if [[ -n $open ]]; then node "$root/grader/bench/class/open_page.mjs" "$open" "$work/out/index.html"; fi

if [[ -n $check ]]; then
  mkdir "$work/alone"
  different=0 checked=0
  while read -r digest points; do
    ask "SELECT writefile('$work/alone/$source', bytes) FROM submission WHERE digest = '$digest'" >/dev/null
    (cd "$work/alone" && "$grade" "$id" --submission "$source" --device virtual --json one.json) >/dev/null 2>&1 || [[ $? -eq 1 ]]
    alone=$(sqlite3 :memory: "SELECT json_extract(readfile('$work/alone/one.json'), '\$.score.points') + 0.0")
    checked=$((checked + 1))
    if [[ $alone != "$points" ]]; then
      different=$((different + 1))
      echo "$digest: $points in the class, $alone alone" >&2
    fi
  done < <(ask "SELECT digest, points + 0.0 FROM grading WHERE failure = ''")
  printf '%-28s %d of %d\n' 'other points when alone' "$different" "$checked"
  [[ $different -eq 0 ]]
fi
