#!/usr/bin/env bash
# Proves the project on a machine with a GPU, from a checkout: builds it, climbs the ladders, grades every other sample
# submission on both devices, grades solutions again and again, and holds modelled times against measured ones.
#   run_acceptance.sh [--build FOLDER] [--output FOLDER] [--stability "LAB ..."] [--ladder FILE]
# Writes acceptance-GPU.json, acceptance-GPU.md, ladder-GPU.json and ladder-GPU.svg into the output folder (default:
# acceptance/ in the build folder). Takes less than ten minutes on 16 cores with an H200. Needs nvcc, cuBLAS and the
# README's packages; clang is not needed. --ladder takes what `make ladder` wrote on this machine before.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
build=$root/build
output=
ladder=
stability="lab4"
while [[ $# -gt 0 ]]; do
  case $1 in
    --build) build=$2 ;;
    --output) output=$2 ;;
    --stability) stability=$2 ;;
    --ladder) ladder=$2 ;;
    *) echo "run_acceptance.sh: $1? see its first lines" >&2; exit 2 ;;
  esac
  shift 2
done
output=${output:-$build/acceptance}
work=$build/acceptance-work
mkdir -p "$output" "$work/stability"
rm -f "$work"/*.json "$work"/stability/*.json
gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)
slug=$(tr '[:upper:] ' '[:lower:]-' <<<"${gpu#NVIDIA }")
begin=$SECONDS

step() { printf '\n== %s (%d s)\n' "$1" $((SECONDS - begin)); }

step "building"
cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DCUDALABS_TESTS=OFF -DCUDALABS_BENCH=ON >"$work/configure.log"
cmake --build "$build" -j "$(nproc)" --target grade model_bench ladder_figure acceptance_report >"$work/build.log" 2>&1 ||
  { tail -n 40 "$work/build.log"; exit 1; }

step "the ladders, against cuBLAS and the copy"
if [[ -n $ladder ]]; then
  cp "$ladder" "$output/ladder-$slug.json"
else
  "$root/grader/bench/ladder/run_ladder.sh" --build "$build/ladder" --output "$output/ladder-$slug.json" >"$work/ladder.md"
fi
"$build/grader/bench/ladder_figure" "$output/ladder-$slug.json" "$output/ladder-$slug.svg"

step "every sample submission, on the virtual GPU and on this one"
"$build/grade" lint --device cuda --frontend nvcc --no-ladder --json "$work/samples.json" || true

step "modelled against measured"
"$build/grader/bench/model_bench" --json "$work/model.json" "$output/ladder-$slug.json" >"$work/model.txt"

step "$stability: twenty gradings each"
for lab in $stability; do
  for i in $(seq -w 20); do
    "$build/grade" "$lab" --solution --device cuda --json "$work/stability/$lab-$i.json" >/dev/null || true
  done
done

step "the report"
"$build/grader/bench/acceptance_report" --ladder "$output/ladder-$slug.json" --samples "$work/samples.json" \
  --model "$work/model.json" --seconds $((SECONDS - begin)) --output "$output/acceptance-$slug" "$work"/stability/*.json
