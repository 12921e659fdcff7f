#!/bin/sh
# Installs a Debian package of CUDA Labs with what it depends on, and nothing besides. Run by root on Debian 12 or a system
# like it; container recipes and course hosts use this one script.
#
#   install_package.sh FOLDER|FILE.deb    the package, or the folder that holds one
set -eu
die() { printf 'install_package.sh: %s\n' "$*" >&2; exit 1; }
[ $# -eq 1 ] || die "name the package, or the folder it is in"

package=$1
if [ -d "$package" ]; then
  set -- "$package"/cudalabs*.deb
  [ $# -eq 1 ] && [ -f "$1" ] || die "$package: there must be one cudalabs*.deb"
  package=$1
fi
[ -f "$package" ] || die "$package: there is no such file"
# apt takes a name without a slash for the name of a package.
case $package in /*) ;; *) package=./$package ;; esac

export DEBIAN_FRONTEND=noninteractive
apt-get update -q
# Recommended packages would be a second compiler's headers, and several times the size.
apt-get install -y -q --no-install-recommends "$package"
cudalabs-grade list
