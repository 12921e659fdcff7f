#!/usr/bin/env bash
# Every kernel of kernels/ and its mutants, and the labs' samples, under compute-sanitizer's four tools and under the
# virtual GPU: what was found, missed, and said of programs that are right, and how long it took. Writes OUTPUT.json and
# OUTPUT.md.
#
#   measure.sh [--vgpu PROGRAM] [--nvcc PROGRAM] [--jobs N] [--gpu-jobs N] [--only PATTERN] [--tools "NAME..."]
#              [--timeout SECONDS] [--work FOLDER] [--report] OUTPUT
#
# --jobs: so many compilers, and programs on the virtual GPU, at a time; --gpu-jobs: so many programs on the GPU. Each
# takes longer beside others.
# --only: programs whose name fits this extended regular expression.
# --tools: of native, memcheck, racecheck, synccheck, initcheck and vgpu; without it all that the machine has: the first
# five need a GPU, the four in the middle compute-sanitizer.
# --timeout: of one run; 30 s. What ran longer is a time-out, neither found nor missed.
# --work: keeps programs, logs and the line of each run there, and takes what it has already.
# --report: runs nothing, and makes the report of what --work has.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
vgpu=$root/build/grader/sanitizer/vgpu nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
jobs=$(nproc) gpu_jobs=4 only= tools= timeout=30 work= report= output=
while [[ $# -gt 0 ]]; do
  case $1 in
    --vgpu) vgpu=$(realpath "$2"); shift ;;
    --nvcc) nvcc=$2; shift ;;
    --jobs) jobs=$2; shift ;;
    --gpu-jobs) gpu_jobs=$2; shift ;;
    --only) only=$2; shift ;;
    --tools) tools=$2; shift ;;
    --timeout) timeout=$2; shift ;;
    --work) mkdir -p "$2"; work=$(realpath "$2"); shift ;;
    --report) report=1 ;;
    -*) echo "measure.sh: $1? see its first lines" >&2; exit 2 ;;
    *) output=$1 ;;
  esac
  shift
done
[[ $output ]] || { echo "measure.sh: which files shall be written? see its first lines" >&2; exit 2; }
if [[ -z $work ]]; then
  work=$(mktemp -d "${TMPDIR:-/tmp}/cudalabs-mutants-XXXXXX")
  trap 'rm -rf "$work"' EXIT
fi
toolkit=$(dirname "$(dirname "$(realpath "$nvcc")")")
sanitizer=$(command -v compute-sanitizer || echo "$toolkit/bin/compute-sanitizer")
flags="-std=c++17 -lineinfo -arch=sm_80 -cudart shared"
mkdir -p "$work"/{source,bin,logs,runs}
awk -v out="$work/source" -f "$here/mutate.awk" "$here"/kernels/*.cu
{
  cat "$work/source/mutants.tsv"
  (cd "$root" && awk -f "$here/samples.awk" solutions/*/wrong/*.cu solutions/*/alternative/*.cu)
} >"$work/programs.tsv"
programs=$(cut -f1 "$work/programs.tsv" | { grep -E -- "$only" || true; })
export here root work vgpu nvcc sanitizer flags timeout toolkit

build() {
  [[ -s $work/bin/$1 ]] && return
  local sources=("$work/source/$1.cu") sample lab
  if [[ ! -f ${sources[0]} ]]; then
    sample=$(awk -F '\t' -v name="$1" '$1 == name { print $5 }' "$work/programs.tsv")
    lab=$root/labs/$(cut -d / -f 2 <<<"$sample")
    sources=(-I "$lab" "$work/bin/$(basename "$lab").o" "$work/bin/stand_in.o" "$root/$sample")
  fi
  # shellcheck disable=SC2086
  "$nvcc" $flags -o "$work/bin/$1" "${sources[@]}" >"$work/logs/$1.build" 2>&1 || echo "$1 does not compile" >&2
}

# What the samples of a lab have in common.
build_common() {
  local object=$work/bin/$(basename "${1%/runner.cpp}" .cpp).o
  [[ -s $object ]] && return
  # shellcheck disable=SC2086
  "$nvcc" $flags -include cuda_profiler_api.h -I "$(dirname "$1")" -I "$root/grader/run/include" -c -o "$object" "$1" \
    >"$object.log" 2>&1 || echo "$1 does not compile" >&2
}

# What a lab's sample is run with: small sizes that are no multiples of a block.
arguments_of() {
  case $1 in
    lab1.*) echo n=1000 a=1000 b=1000 ;;
    lab2.*) echo quiz=0 gray_first=0 width=61 height=43 picture=2623 rgb=7869 ;;
    lab3.* | lab4.*) echo m=61 n=53 p=37 a=3233 b=1961 ;;
    lab5.*) echo n=10007 floats=10007 integers=10007 ;;
    lab6.*) echo function=4 n=3000 in=3000 ;;
  esac
}

# Kinds of errors in a log of compute-sanitizer, joined by commas. A hazard is told by what races with what.
said_by_sanitizer() {
  { grep -oE 'Invalid __[a-z]+__ [a-z]+|Invalid device free|Address .* out of bounds|Leaked|Program hit [A-Za-z]+|(Error|Warning): Race reported|Divergent thread|Invalid arguments|Uninitialized [_a-z]+ memory read|Barrier error detected[^.]*|Missing wait|Misaligned' "$1" || true; } |
    sort | uniq | head -n 6 | tr '\n\t' ', ' | sed 's/,$//'
}

# run_one TOOL PROGRAM: writes a line: program, tool, outcome (reported, silent, timed-out, failed), what was said,
# the program's exit code, seconds.
run_one() {
  local tool=$1 name=$2 code=0 outcome=silent said= begin log=$work/logs/$2.$1 end program
  [[ -s $work/runs/$name.$tool || ! -s $work/bin/$name ]] && return
  read -ra program <<<"$work/bin/$name $(arguments_of "$name")"
  begin=$EPOCHREALTIME
  case $tool in
    native)
      LD_LIBRARY_PATH=$toolkit/lib64 timeout -k 5 "$timeout" "${program[@]}" >"$log" 2>&1 || code=$? ;;
    vgpu)
      timeout -k 5 "$timeout" "$vgpu" run --model a100 --color never --max-findings 0 --error-exitcode 0 --log "$log" \
        "${program[@]}" >/dev/null 2>&1 || code=$? ;;
    *)
      LD_LIBRARY_PATH=$toolkit/lib64 timeout -k 5 "$timeout" "$sanitizer" --tool "$tool" $(sanitizer_options "$tool") \
        --log-file "$log" "${program[@]}" >"$log.out" 2>&1 || code=$? ;;
  esac
  end=$EPOCHREALTIME
  case $tool in
    native) if [[ $code -ne 0 ]]; then outcome=reported; fi ;;
    vgpu)
      said=$({ grep -oE '^(error|warning)\[[a-z-]+\]' "$log" || true; } | sort -u | tr '\n' ',' | sed 's/,$//')
      if [[ $said ]]; then outcome=reported; elif ! grep -q '^vgpu: 0 errors' "$log"; then outcome=failed; fi ;;
    *)
      said=$(said_by_sanitizer "$log")
      if grep -qE 'SUMMARY: ([1-9]|.*\([1-9][0-9]* error)' "$log"; then
        outcome=reported
      elif ! grep -q 'SUMMARY: 0' "$log"; then
        outcome=failed
      fi ;;
  esac
  if [[ $code -eq 124 || $code -eq 137 ]]; then
    outcome=timed-out
    said=${said/error\[timed-out\]/}  # that it was stopped
  fi
  printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "$tool" "$outcome" "$said" "$code" \
    "$(awk -v a="$begin" -v b="$end" 'BEGIN { printf "%.3f", b - a }')" >"$work/runs/$name.$tool"
}

sanitizer_options() {
  case $1 in
    memcheck) echo --leak-check full ;;
    initcheck) if "$sanitizer" --help 2>/dev/null | grep -q initcheck-address-space; then echo --initcheck-address-space all; fi ;;
  esac
}
export -f build build_common arguments_of run_one said_by_sanitizer sanitizer_options

has_gpu() { nvidia-smi -L >/dev/null 2>&1; }

if [[ -z $report ]]; then
  if [[ -z $tools ]]; then
    if has_gpu; then
      tools=native
      if [[ -x $sanitizer ]]; then tools+=" memcheck racecheck synccheck initcheck"; fi
    fi
    tools+=" vgpu"
  fi
  {
    printf 'date\t%s\n' "$(date -I)"
    printf 'device\t%s\n' "$(has_gpu && nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1 || echo none)"
    printf 'driver\t%s\n' "$(has_gpu && nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1 || echo none)"
    printf 'toolkit\t%s\n' "$("$nvcc" --version | sed -n 's/.*, V//p')"
    printf 'compute_sanitizer\t%s\n' "$([[ -x $sanitizer ]] && "$sanitizer" --version | sed -n 's/.*Version //p' | head -n 1 || echo none)"
    printf 'virtual_gpu\t%s\n' "a100"
    printf 'flags\t%s\n' "$flags"
    printf 'processors\t%s\n' "$(nproc)"
    printf 'at_a_time_on_gpu\t%s\n' "$gpu_jobs"
    printf 'timeout_seconds\t%s\n' "$timeout"
  } >"$work/facts.tsv"
  if grep -q '^lab[0-9]' <<<"$programs"; then
    printf '%s\n' "$here/stand_in.cpp" "$root"/labs/*/runner.cpp | xargs -P "$jobs" -I{} bash -c 'build_common {}'
  fi
  xargs -P "$jobs" -I{} bash -c 'build {}' <<<"$programs"
  for tool in $tools; do
    at_a_time=$gpu_jobs
    if [[ $tool == vgpu ]]; then at_a_time=$jobs; fi
    since=$SECONDS
    xargs -P "$at_a_time" -I{} bash -c "run_one $tool {}" <<<"$programs"
    echo "$tool: $((SECONDS - since)) s, $at_a_time at a time"
  done
fi

find "$work/runs" -type f -exec cat {} + | LC_ALL=C sort >"$work/runs.tsv"
awk -v form=json -f "$here/report.awk" "$work/facts.tsv" "$work/programs.tsv" "$work/runs.tsv" >"$output.json"
awk -v form=markdown -f "$here/report.awk" "$work/facts.tsv" "$work/programs.tsv" "$work/runs.tsv" >"$output.md"
