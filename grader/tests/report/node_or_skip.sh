#!/usr/bin/env bash
# Runs a script with Node and the packages that the slides' tools bring; exits 77 where they are not installed.
#
#   node_or_skip.sh TOOLS PACKAGE SCRIPT ARGUMENTS...
#
# TOOLS is the folder with the node_modules, PACKAGE one of them that the script needs. The script gets TOOLS first.
set -euo pipefail
tools=$1 package=$2 script=$3
shift 3
command -v node >/dev/null || { printf 'no Node here; `./setup.sh slides` installs it\n' >&2; exit 77; }
[ -d "$tools/node_modules/$package" ] ||
  { printf 'the package %s is missing; the target slides-tools installs it\n' "$package" >&2; exit 77; }
exec node "$script" "$tools" "$@"
