#!/usr/bin/env bash
# The mutants of grader/bench/mutants: each differs from its kernel by what its rule says and by nothing else, bad marks
# are refused, and, where there is nvcc, a few of them are found by the virtual GPU, and a right one is not accused.
# Usage: check_mutants.sh PROJECT_ROOT VGPU [NVCC]
set -euo pipefail

mutants=$1/grader/bench/mutants vgpu=$2 nvcc=${3:-}
work=$(mktemp -d "${TMPDIR:-/tmp}/cudalabs-mutants-XXXXXX")
trap 'rm -rf "$work"' EXIT

fail() { echo "check_mutants.sh: $*" >&2; exit 1; }

mkdir "$work/source"
awk -v out="$work/source" -f "$mutants/mutate.awk" "$mutants"/kernels/*.cu

# A line a difference: the program, its rule, then what diff says.
while IFS=$'\t' read -r name kernel rule _; do
  if [[ $name == "$kernel" ]]; then
    cmp "$work/source/$name.cu" "$mutants/kernels/$name.cu" || fail "$name is not the kernel as it stands"
  else
    diff "$work/source/$kernel.cu" "$work/source/$name.cu" | sed "s/^/$name\t$rule\t/" || true
  fi
done <"$work/source/mutants.tsv" >"$work/differences"

awk -F '\t' '
  function bare(text) { gsub(/[ \t]+/, " ", text); return text }
  function judge() {
    if (program == "") return
    if (rule ~ /-(deleted|dropped|skipped|forgotten)$/ && rule != "guard-dropped") right = hunks == "d"
    else if (rule ~ /-duplicated$/) right = hunks == "a"
    else if (rule ~ /-(moved|early)$/) right = hunks ~ /^(ad|da)$/ && removed == added
    else if (rule == "early-return") right = hunks == "a" && added ~ /^ if [(].*[)] return;$/
    else if (rule == "guard-dropped") right = hunks == "d" || (hunks == "c" && length(added) < length(removed))
    else if (rule == "barrier-guarded") right = hunks == "c" && added ~ /^ if [(].*[)] __sync/
    else right = hunks == "c"
    if ((hunks == "d" || hunks == "a" || hunks == "c") && marks != 0) right = 0
    if (!right) { print program ": " hunks ", removed `" removed "`, added `" added "`"; wrong = 1 }
    ++mutants
  }
  $1 != program { judge(); program = $1; rule = $2; hunks = removed = added = ""; marks = 0 }
  {
    text = substr($0, length($1) + length($2) + 3)
    if (text ~ /^[0-9]/) { match(text, /[acd]/); hunks = hunks substr(text, RSTART, 1) }
    if (text ~ /^[<>] *\/\//) ++marks  # a comment is part of no rule
    if (text ~ /^</) removed = removed bare(substr(text, 2))
    if (text ~ /^>/) added = added bare(substr(text, 2))
  }
  END {
    judge()
    print mutants " mutants"
    if (mutants < 120) wrong = 1
    exit wrong
  }
' "$work/differences" || fail "a mutant does not differ from its kernel as its rule says"

in_order=$(awk -F '\t' '$1 != $2 && $4 == "none"' "$work/source/mutants.tsv" | wc -l)
[[ $in_order -ge 20 ]] || fail "only $in_order mutants are in order"

# refuses MARK LINE WORDS: a kernel with this mark above this line is refused with these words.
refuses() {
  printf '  // MUTANT %s\n  %s\n' "$1" "$2" >"$work/bad.cu"
  mkdir -p "$work/bad"
  if awk -v out="$work/bad" -f "$mutants/mutate.awk" "$work/bad.cu" 2>"$work/bad.txt"; then fail "taken: $1"; fi
  grep -qF "bad.cu:1: $3" "$work/bad.txt" || fail "$1: $(cat "$work/bad.txt")"
}
refuses 'barrier-lost (race): why.' '__syncthreads();' 'no rule has the name `barrier-lost`'
refuses 'barrier-deleted (race): why.' 'x = 1;' 'barrier-deleted does not fit'
refuses 'barrier-deleted: why.' '__syncthreads();' '(TRUTH): and a reason are missing'
refuses 'off-by-one `<` -> `<=` (bounds): why.' 'if (i > n) x = 1;' '`<` is not in the line'
refuses 'off-by-one `i` -> `j` (bounds): why.' 'x[i] = i;' '`i` is there more than once'
refuses 'off-by-one (bounds): why.' 'x[i] = i;' 'off-by-one needs two texts'
refuses 'atomic-weakened (race): why.' 'if (atomicAdd(x, 1) == 2) y = 3;' 'the atomic is no statement of its own'
refuses 'barrier-moved `2` (race): why.' '__syncthreads();' 'moved out of the file'

[[ $nvcc ]] || exit 0
few='^(reduce_tree[.](barrier-deleted|barrier-duplicated)|saxpy[.]off-by-one|two_streams[.]order-dropped)$'
"$mutants/measure.sh" --vgpu "$vgpu" --nvcc "$nvcc" --tools vgpu --jobs 2 --only "$few" "$work/few"
grep -qF '"tool":"vgpu","bugs":3,"found":3,"in_order":1,"accused":0,"timed_out":0,"failed":0' "$work/few.json" ||
  fail "not as expected: $(cat "$work/few.json")"
grep -qF '"barrier-deleted","truth":"race","vgpu":["reported","error[shared-race]' "$work/few.json" ||
  fail "not as expected: $(cat "$work/few.json")"
grep -qF '| barrier-duplicated | 1 |' "$work/few.md" || fail "not as expected: $(cat "$work/few.md")"
