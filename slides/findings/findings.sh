#!/usr/bin/env bash
# The findings that slides show, as `grade` prints them: `write` renews them, `check` fails when one is no longer what it says.
#
#   findings.sh write|check GRADE SOURCE   GRADE is the program, SOURCE the project's folder; exits 77 without clang 14
#
# Each LAB/NAME.txt is the first error of solutions/LAB/wrong/NAME.cu. The place in a line and counts of instructions are one
# compiler's, so they are made and checked with the same one.
set -euo pipefail
mode=$1 grade=$2 source=$3
readonly kCompiler="clang version 14" kSkip=77

# The first error, with the file's name instead of its path.
finding() {  # lab file
  local said
  said=$("$grade" "$1" --device virtual --frontend clang --all --submission "$2" 2>&1) || true
  if [[ $said != *"$kCompiler"* ]]; then
    printf 'findings are those of %s; this is another compiler\n' "$kCompiler" >&2
    exit "$kSkip"
  fi
  printf '// snippet: finding\n'
  awk '/^error\[/ { on = 1 } on && /^$/ { exit } on' <<<"$said" | sed -E 's#^(  (-->|:::) ).*/#\1#'
  printf '// end snippet\n'
}

status=0
for kept in "$source"/slides/findings/*/*.txt; do
  lab=$(basename "$(dirname "$kept")")
  text=$(finding "$lab" "$source/solutions/$lab/wrong/$(basename "$kept" .txt).cu")
  if [ "$mode" = write ]; then
    printf '%s\n' "$text" >"$kept"
  elif ! diff -u "$kept" <(printf '%s\n' "$text"); then
    printf '%s: not what `grade` says now; run `make findings decks`\n' "$kept" >&2
    status=1
  fi
done
exit "$status"
