#!/usr/bin/env bash
# check_exports.sh OURS THEIRS: every function of the toolkit's runtime library, or of its stub of the driver's, is one of
# ours, so that no program ends with an error of the loader: what is not supported answers by name.
set -euo pipefail
symbols() { nm -D --defined-only "$1" | awk '{ sub(/@.*/, "", $3); if ($3 ~ /^cu[A-Zd]/) print $3 }' | sort -u; }
missing=$(comm -13 <(symbols "$1") <(symbols "$2"))
[[ $(symbols "$2" | wc -l) -gt 100 ]] || { echo "$2 has hardly any symbol" >&2; exit 1; }
if [[ -n $missing ]]; then
  printf 'not exported, add them to unsupported_names.h and call_names.h, or to driver_names.h:\n%s\n' "$missing" >&2
  exit 1
fi
