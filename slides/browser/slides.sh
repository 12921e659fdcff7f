#!/usr/bin/env bash
# Makes and inspects decks with Node and Chromium; CMake calls it.
#
#   slides.sh tools TOOLS                      installs Marp and the inspector's browser library into the folder TOOLS
#   slides.sh build DECK TOOLS SOURCE STEM     SOURCE.md to STEM.html and STEM.pdf; DECK is the `deck` program
#   slides.sh check DECK TOOLS SOURCE          builds SOURCE.md in a temporary folder and inspects it; exits 77 where a tool is missing
#   slides.sh check-bad TOOLS SOURCE EXPECTED  inspects a bad deck; what the inspector says of it, but for lengths and folders,
#                                              must be EXPECTED
#   slides.sh prose ARGUMENT SCRIPT FILE...    checks what students read with SCRIPT of slides/prose; exits 77 without Node
#   slides.sh prose-bad TOOLS SOURCE EXPECTED [--messages]  what is said of bad prose must be EXPECTED
#
# Chromium is taken from CHROME_PATH or found on the PATH.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly kSkip=77

find_chromium() {
  if [ -n "${CHROME_PATH:-}" ]; then
    printf '%s\n' "$CHROME_PATH"
    return
  fi
  local name
  for name in chromium chromium-browser google-chrome google-chrome-stable chrome; do
    if command -v "$name"; then return; fi
  done
}

# Says what is missing and exits with $1; sets `chromium` otherwise.
need_tools() {  # status tools
  local missing=()
  command -v node >/dev/null || missing+=(nodejs)
  chromium=$(find_chromium)
  [ -n "$chromium" ] || missing+=(chromium)
  [ -f "$2/node_modules/@marp-team/marp-cli/marp-cli.js" ] || missing+=("the packages of slides/package.json")
  [ ${#missing[@]} -eq 0 ] && return
  local list
  list=$(printf ', %s' "${missing[@]}")
  printf 'no decks can be built here: missing %s; `./setup.sh slides` installs it\n' "${list:2}" >&2
  exit "$1"
}

marp() {  # tools arguments...
  local tools=$1 said temporary status=0
  shift
  # Marp leaves the browser's profile behind; a process of the browser may still be at its end in there.
  temporary=$(mktemp -d)
  said=$(TMPDIR=$temporary CHROME_PATH=$chromium SLIDES_TOOLS=$tools \
    node "$tools/node_modules/@marp-team/marp-cli/marp-cli.js" --no-stdin --config-file "$here/../marp.config.mjs" "$@" 2>&1) || status=$?
  rm -rf "$temporary" || true
  [ "$status" -eq 0 ] || { printf '%s\n' "$said" >&2; return 1; }
}

build() {  # deck tools source stem
  "$1" bundle "$3" "$4.bundle.md"
  marp "$2" --output "$4.html" "$4.bundle.md"
  marp "$2" --pdf --output "$4.pdf" "$4.bundle.md"
  rm "$4.bundle.md"
}

case "${1:-}" in
  tools)
    command -v npm >/dev/null || { printf 'no npm here; `./setup.sh slides` installs it\n' >&2; exit 1; }
    mkdir -p "$2"
    cp "$here/../package.json" "$here/../package-lock.json" "$2"
    cd "$2"
    npm ci --no-audit --no-fund --ignore-scripts --loglevel=error ;;
  build)
    need_tools 1 "$3"
    build "$2" "$3" "$4" "$5" ;;
  check)
    need_tools "$kSkip" "$3"
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    build "$2" "$3" "$4" "$folder/deck"
    node "$here/inspect_deck.mjs" "$3" "$chromium" "$("$2" count "$4")" "$folder/deck.html" "$folder/deck.pdf" ;;
  check-bad)
    need_tools "$kSkip" "$2"
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    marp "$2" --output "$folder/deck.html" "$3"
    if node "$here/inspect_deck.mjs" "$2" "$chromium" 1 "$folder/deck.html" >"$folder/said"; then
      printf 'the inspector passes a bad deck\n' >&2
      exit 1
    fi
    diff -u "$4" <(sed -E 's/[0-9.]+ ?px/N px/; s/[0-9]+ x [0-9]+/N x N/; s#file://.*/#file:///#' "$folder/said") ;;
  prose)
    command -v node >/dev/null || { printf 'no node here; `./setup.sh slides` installs it\n' >&2; exit "$kSkip"; }
    node "$here/../prose/$3" "$2" "${@:4}" ;;
  prose-bad)
    command -v node >/dev/null || { printf 'no node here; `./setup.sh slides` installs it\n' >&2; exit "$kSkip"; }
    status=0
    said=$(cd "$(dirname "$3")" && node "$here/../prose/check_prose.mjs" "$2" "${@:5}" "$(basename "$3")") || status=$?
    [ "$status" -ne "$kSkip" ] || exit "$kSkip"
    [ "$status" -eq 1 ] || { printf 'bad prose passes\n' >&2; exit 1; }
    diff -u "$4" <(printf '%s\n' "$said") ;;
  *)
    sed -n '2,12s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2 ;;
esac
