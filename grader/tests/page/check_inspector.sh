#!/usr/bin/env bash
# The inspector of pages must find each of the faults in a page that has them all.
#
#   check_inspector.sh TOOLS
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
status=0
said=$("$here/../report/node_or_skip.sh" "$1" axe-core "$here/inspect_page.mjs" "$here/bad_page.html") || status=$?
[ "$status" = 77 ] && exit 77
[ "$status" = 1 ] || { printf 'the inspector ends with %s\n%s\n' "$status" "$said"; exit 1; }
missing=0
for fault in 'asks for file:' 'light: color-contrast' 'dark: color-contrast' 'html-has-lang' 'image-alt' 'document-title' \
  'does not load' 'is wider than its window' 'runs a script' 'is printed on' 'leads nowhere' 'breaks the word' 'px high' \
  'does not skip'; do
  grep -qF -- "$fault" <<<"$said" || { printf 'the inspector does not say: %s\n' "$fault"; missing=1; }
done
[ "$missing" = 0 ] || printf '%s\n' "$said"
exit "$missing"
