#!/usr/bin/env bash
# Runs a test program as a user who owns nothing but a temporary folder of its own.
# Usage: as_ordinary_user.sh USER PROGRAM ARGUMENT...
# Exit code 77 where that user cannot reach the program, as when the build folder is inside root's home.
set -euo pipefail
user=$1
shift
as_user() { setpriv --reuid "$user" --regid "$user" --clear-groups "$@"; }

if ! as_user test -x "$1"; then
  echo "user $user cannot execute $1: choose a build folder that others may enter"
  exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
chown "$user" "$scratch"
cd /
TMPDIR=$scratch as_user "$@"
