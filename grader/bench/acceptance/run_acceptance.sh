#!/usr/bin/env bash
# Proves the project on a machine with a GPU, from a checkout: builds it, tests how it takes a GPU's failures, climbs the
# ladders, grades every other sample submission on both devices, holds modelled times against measured ones, and grades
# solutions again and again.
#   run_acceptance.sh [--build FOLDER] [--output FOLDER] [--stability "LAB ..."] [--steps "STEP ..."] [--labs "LAB ..."]
#                     [--sandbox TIER]
# Writes acceptance-GPU.json, acceptance-GPU.md, ladder-GPU.json, ladder-GPU.svg and submissions-GPU.json into the output
# folder (default: acceptance/ in the build folder), and what they were made from into work/ there. Takes about half an
# hour on 16 cores. Needs nvcc, cuBLAS and the README's packages; clang is not needed.
# --sandbox: grade in this tier, A to D, and name the acceptance after it: acceptance-GPU-sandbox-TIER.
# --steps: only these of build, faults, ladder, samples, model, stability and report; the others' results must lie in
# the output folder's work/ from a run before.
# --labs: grade the samples of these labs only (default: of all); the report takes those of the others from a run before.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
build=$root/build
output=
sandbox=
stability="lab4"
labs="lab1 lab2 lab3 lab4 lab5 lab6"
steps="build faults ladder samples model stability report"
while [[ $# -gt 0 ]]; do
  case $1 in
    --build) build=$2 ;;
    --output) output=$2 ;;
    --stability) stability=$2 ;;
    --steps) steps=$2 ;;
    --labs) labs=$2 ;;
    --sandbox) sandbox=$2 ;;
    *) echo "run_acceptance.sh: $1? see its first lines" >&2; exit 2 ;;
  esac
  shift 2
done
output=${output:-$build/acceptance}
mkdir -p "$output/work/stability" "$build"
output=$(cd "$output" && pwd)
build=$(cd "$build" && pwd)
work=$output/work
gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)
slug=$(tr '[:upper:] ' '[:lower:]-' <<<"${gpu#NVIDIA }")
ladder=$output/ladder-$slug.json
submissions=$output/submissions-$slug.json
acceptance=$output/acceptance-$slug${sandbox:+-sandbox-${sandbox,,}}
tier=(${sandbox:+--sandbox "$sandbox"})
running=

# Keeps how long the step took that runs.
end_step() {
  if [[ -n $running ]]; then echo $((SECONDS - since)) >"$work/$running.seconds"; fi
  running=
}

# begin_step NAME TITLE
begin_step() {
  end_step
  running=$1
  since=$SECONDS
  printf '\n== %s (%d s)\n' "$2" "$SECONDS"
}

# step NAME TITLE: whether the step is wanted; then it begins.
step() {
  end_step
  [[ " $steps " == *" $1 "* ]] || return 1
  begin_step "$1" "$2"
}

if step build "building"; then
  cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DCUDALABS_TESTS=ON -DCUDALABS_BENCH=ON >"$work/configure.log"
  cmake --build "$build" -j "$(nproc)" --target grade model_bench ladder_figure acceptance_report test_run_gpu \
    >"$work/build.log" 2>&1 || { tail -n 40 "$work/build.log"; exit 1; }
fi

if step faults "illegal accesses, exhausted memory and endless kernels on the GPU"; then
  (cd "$build" && "$(find grader/tests/run -name test_run_gpu -type f)" -r junit -o "$work/faults.xml") || true
fi

if step ladder "the ladders, solutions and alternative submissions against cuBLAS and the copy"; then
  climb=$root/grader/bench/ladder/run_ladder.sh
  "$climb" --build "$build/ladder" --output "$ladder" >"$work/ladder.md"
  "$climb" --build "$build/ladder" --submissions --output "$submissions" >"$work/submissions.md"
  "$build/grader/bench/ladder_figure" "$ladder" "${ladder%.json}.svg"
fi

# The virtual GPU's model of this GPU, if it has one.
model_of=
for name in t4 rtx3060 a100 h200; do
  if [[ ${slug//-/} == *$name* ]]; then model_of=$name; fi
done

# Needs no GPU and grades nothing, but keeps the cores busy: beside the samples, of which one at a time measures.
model=
if [[ -n $model_of ]] && step model "modelled against measured, beside what follows"; then
  "$build/grader/bench/model_bench" --frontend nvcc --gpu "$model_of" --json "$work/model.json" "$ladder" "$submissions" \
    >"$work/model.txt" 2>&1 &
  model=$!
fi

if [[ " $steps " == *" samples "* ]]; then
  for lab in $labs; do
    begin_step "samples-$lab" "every sample submission of $lab, on the virtual GPU and on this one"
    "$build/grade" lint "$lab" --device cuda --frontend nvcc --ladder none "${tier[@]}" --json "$work/samples-$lab.json" \
      >"$work/samples-$lab.txt" || true
    tail -n 20 "$work/samples-$lab.txt"
  done
  end_step
fi
if [[ -n $model ]]; then wait "$model"; fi

if step stability "$stability: twenty gradings each"; then
  for lab in $stability; do
    for i in $(seq -w 20); do
      "$build/grade" "$lab" --solution --device cuda "${tier[@]}" --json "$work/stability/$lab-$i.json" >/dev/null || true
    done
  done
fi

if step report "the report"; then
  samples=("$work"/samples-*.json)
  modelled=(${model_of:+--model "$work/model.json"})
  "$build/grader/bench/acceptance_report" --ladder "$ladder" "${samples[@]/#/--samples=}" --faults "$work/faults.xml" \
    "${modelled[@]}" --date "$(date -I)" --seconds $(($(cat "$work"/*.seconds | paste -sd+))) \
    --output "$acceptance" "$work"/stability/*.json
fi
