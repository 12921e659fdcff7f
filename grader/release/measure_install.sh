#!/usr/bin/env bash
# From a package file to the first score on a bare Debian 12, timed. Needs root, the network and debootstrap; not a test,
# because it downloads the compilers.
#
#   measure_install.sh PACKAGE.deb [ROOT]   ROOT: a minbase root to use again (default: a new one, removed at the end)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
package=$(realpath "$1")
pristine=${2:-}
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
if [ -z "$pristine" ]; then
  pristine=$work/pristine
  debootstrap --variant=minbase bookworm "$pristine" http://deb.debian.org/debian >"$work/debootstrap.log"
fi
cp -a "$pristine" "$work/root"
mkdir -p "$work/root/tmp/cudalabs"
cp "$package" "$here/container/install_package.sh" "$work/root/tmp/cudalabs/"
cp /etc/resolv.conf "$work/root/etc/resolv.conf"

# A root of its own, as a container has it: a chroot alone would refuse the sandbox its namespaces.
enter() {
  unshare --mount --pid --fork --kill-child sh -c '
    set -e
    mount --make-rprivate /
    mount --bind "$1" "$1"
    mount -t proc proc "$1/proc"
    mount -t tmpfs tmpfs "$1/run"
    mount --rbind /dev "$1/dev"
    cd "$1"
    mkdir -p .old
    pivot_root . .old
    umount -l /.old
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root sh -c "$2"' sh "$work/root" "$1"
}

now() { date +%s.%N; }
begin=$(now)
enter 'sh /tmp/cudalabs/install_package.sh /tmp/cudalabs' >"$work/install.log" 2>&1 || { cat "$work/install.log" >&2; exit 1; }
installed=$(now)
# The skeleton of a lab does not get full marks: 1 is a verdict, 2 and 3 are not.
enter 'cd "$(mktemp -d)" && cudalabs-grade start lab3 && { cudalabs-grade lab3 --submission matmul.cu --json r.json; [ $? -le 1 ]; } && grep -E "\"(sandbox|points)\"" r.json | head -2'
graded=$(now)
# What of this is ours: the package itself, once everything that it depends on is there.
enter "dpkg -r $(dpkg-deb -f "$package" Package) >/dev/null"
again=$(now)
enter 'dpkg -i /tmp/cudalabs/*.deb' >/dev/null
own=$(now)
awk -v a="$begin" -v b="$installed" -v c="$graded" -v d="$again" -v e="$own" 'BEGIN {
  printf "package file to first score: %.1f s (install %.1f s, first grading %.1f s); of the install, our own package: %.1f s\n", c - a, b - a, c - b, e - d }'
grep -E "newly installed|Need to get|After this" "$work/install.log" || true
