#!/usr/bin/env bash
# Sets CUDA Labs up on a Debian-like machine: packages, configure, build; then grades the solution of lab3, or runs all tests.
#
#   ./setup.sh            packages, configure, build, and the main job: `make lab3 && ./grade lab3` on the reference solution
#   ./setup.sh build      packages, configure, build
#   ./setup.sh test       the same, then every test: the quick ones, then the slow corpora
#   ./setup.sh acceptance the same, then every sample submission by every compiler that is there, and every attack in every
#                         tier of the sandbox: about two hours
#   ./setup.sh sanitizers packages, then the quick tests under AddressSanitizer and UndefinedBehaviorSanitizer, and under
#                         ThreadSanitizer: two more builds, in build-debug and build-tsan; hours on two processors
#   ./setup.sh slides     packages, configure, and the decks as HTML and PDF in the build folder's slides/
#   ./setup.sh packages   only the packages
#
# CUDALABS_BUILD_DIR changes the build folder (default: build), CUDALABS_NO_APT=1 skips the packages. What students get has a
# grader that is built already, which is used where it runs; CUDALABS_NO_PREBUILT=1 builds another.
set -euo pipefail
cd "$(dirname "$0")"
build_dir=${CUDALABS_BUILD_DIR:-build}
# A compilation takes up to a GiB: more at a time than that fits would end in "Killed".
memory_gib=$(awk '/^MemAvailable:/ { print int($2 / 1048576) }' /proc/meminfo)
jobs=$(nproc)
jobs=$((memory_gib < 1 ? 1 : memory_gib < jobs ? memory_gib : jobs))

say() { printf '\n== %s\n' "$*"; }
die() { printf 'setup.sh: %s\n' "$*" >&2; exit 1; }

installed() { dpkg-query -W -f='${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed; }
available() { apt-cache show "$1" >/dev/null 2>&1; }

# The clang versions to install: the tested ones that this release of the distribution has, else the newest it has.
clang_packages() {
  local wanted=() version
  for version in "$@"; do
    if available "clang-$version"; then wanted+=("clang-$version" "llvm-$version"); fi
  done
  if [ ${#wanted[@]} -eq 0 ]; then
    for version in 21 20 19 18 17 16 15 14; do
      if available "clang-$version"; then wanted=("clang-$version" "llvm-$version"); break; fi
    done
  fi
  [ ${#wanted[@]} -gt 0 ] || die "no clang with the NVPTX target among this machine's packages; install clang and llvm (14 or newer), then run again with CUDALABS_NO_APT=1"
  printf '%s\n' "${wanted[@]}"
}

# The path of a browser the slides can be built with, if there is one. Not called like any of them: `command -v` would
# find this function.
find_browser() {
  local name
  for name in "${CHROME_PATH:-}" chromium chromium-browser google-chrome google-chrome-stable chrome; do
    if [ -n "$name" ] && type -P "$name"; then return; fi
  done
}

install_packages() {  # "build", "test", "slides", or "prebuilt": what the grader needs that is built already
  [ "${CUDALABS_NO_APT:-0}" = 1 ] && return
  command -v apt-get >/dev/null || die "no apt-get here; install the packages of the README's table by hand, then run again with CUDALABS_NO_APT=1"
  local packages=(g++ cmake make bubblewrap ca-certificates binutils
    catch2 libcli11-dev libfmt-dev nlohmann-json3-dev libkainjow-mustache-dev libtomlplusplus-dev libseccomp-dev libssl-dev libhwy-dev libpng-dev liblz4-dev libzstd-dev pkg-config)
  if [ "$1" = prebuilt ]; then packages=(make bubblewrap ca-certificates binutils libc6-dev libstdc++-12-dev); fi
  # Whole classes: what students get grades none.
  if [ -d grader/course ]; then packages+=(libarchive-dev libgit2-dev libsqlite3-dev libyaml-cpp-dev); fi
  # `make package`.
  if [ -d grader/release ] && [ "$1" != prebuilt ]; then packages+=(dpkg-dev file); fi
  local root=()
  if [ "$(id -u)" -ne 0 ]; then root=(sudo); fi
  # Package lists may be empty on a fresh machine; clang's names depend on the release.
  if ! available clang-14 && ! available clang-16; then "${root[@]}" apt-get update -q; fi
  # Debian 13 does not have it: there grade class similar compares less.
  if [ -d grader/course ] && available similarity-tester; then packages+=(similarity-tester); fi
  if [ "$1" = test ]; then
    mapfile -t -O "${#packages[@]}" packages < <(clang_packages 14 16)
    packages+=(lcov git ccache ninja-build lld)
    if available libclang-rt-14-dev; then packages+=(libclang-rt-14-dev); fi
    # Slurm's are for one test, which starts a cluster of its own.
    for tool in clang-format clang-tidy slurmctld slurmd slurm-client munge; do if available "$tool"; then packages+=("$tool"); fi; done
  else
    mapfile -t -O "${#packages[@]}" packages < <(clang_packages 14)
  fi
  if [ "$1" = prebuilt ]; then
    # Where these have other names it does not run anyway.
    for library in libfmt9 libhwy1 liblz4-1 libpng16-16 libseccomp2 libssl3 libzstd1; do if available "$library"; then packages+=("$library"); fi; done
  fi
  if [ "$1" = slides ] || [ "$1" = test ]; then
    # Node may come from elsewhere and bring npm along, and any Chromium will do. Tests are skipped without them.
    local page_tools=(fonts-dejavu-core)
    command -v node >/dev/null || page_tools+=(nodejs)
    command -v npm >/dev/null || page_tools+=(npm)
    [ -n "$(find_browser)" ] || page_tools+=(chromium)
    for tool in "${page_tools[@]}"; do if [ "$1" = slides ] || available "$tool"; then packages+=("$tool"); fi; done
  fi
  local missing=() package
  for package in "${packages[@]}"; do installed "$package" || missing+=("$package"); done
  [ ${#missing[@]} -eq 0 ] && return
  say "installing ${#missing[@]} packages: ${missing[*]}"
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" ||
    { "${root[@]}" apt-get update -q && "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"; }
  # Nobody asked for a cluster on this machine: services that came with these packages do not run, now and later.
  if [ -d /run/systemd/system ]; then
    for package in "${missing[@]}"; do
      case "$package" in slurmctld | slurmd | munge) "${root[@]}" systemctl disable --now --quiet "$package" || true ;; esac
    done
  fi
}

# The grader that students' archive brings along, in the build folder, if it runs on this machine. The folder then has a
# `make labN` for each lab, as a build has.
prebuilt_runs() {
  if [ ! -x prebuilt/grade ] || [ -e "$build_dir/CMakeCache.txt" ] || [ "${CUDALABS_NO_PREBUILT:-0}" = 1 ]; then return 1; fi
  install_packages prebuilt || return 1
  local probe
  probe=$(mktemp -d)
  # A grading of the skeleton comes to a verdict: 1, or 0. Another system's libraries or processor may say no.
  local status=0
  CUDALABS_CACHE="$probe" prebuilt/grade lab1 >/dev/null 2>&1 || status=$?
  rm -rf "$probe"
  [ "$status" -le 1 ] || return 1
  mkdir -p "$build_dir"
  ln -sfn "$PWD/prebuilt/grade" "$build_dir/grade"
  printf 'lab%%:\n\t@./grade build $@\n' >"$build_dir/Makefile"
  say "this machine runs the grader that was brought along: nothing to build"
}

configure() {
  say "configuring in $build_dir"
  cmake --preset default -B "$build_dir" "$@" >"${TMPDIR:-/tmp}/cudalabs-configure.$$" 2>&1 ||
    { cat "${TMPDIR:-/tmp}/cudalabs-configure.$$"; rm -f "${TMPDIR:-/tmp}/cudalabs-configure.$$"; die "cmake failed; the lines above say why"; }
  rm -f "${TMPDIR:-/tmp}/cudalabs-configure.$$"
}

# Builds these targets, or all.
build() {
  cmake --build "$build_dir" -j "$jobs" ${1:+--target "$@"}
}

configure_and_build() {
  configure "$@"
  say "building"
  build
}

# One test builds what students get, elsewhere: it finds the objects of this build again. Without the sloppiness ccache
# keeps nothing that reads a precompiled header: no test. What the sample submissions are compiled to is kept, too.
keep_caches() {
  export CUDALABS_LINT_CACHE=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/cudalabs-lint
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros
}

# Runs CTest with these arguments on the built tests, and names the ten slowest at its end, also when some failed.
run_tests() {
  local log failed=0
  log=$(mktemp)
  ctest --test-dir "$build_dir" --output-on-failure --no-tests=error "$@" | tee "$log" || failed=1
  say "the slowest of these tests, in seconds"
  sed -nE 's|^ *[0-9]+/[0-9]+ Test +#[0-9]+: ([^ ]+) .* ([0-9.]+) sec$|\2 \1|p' "$log" | sort -rn | head -n 10
  rm -f "$log"
  return "$failed"
}

case "${1:-main}" in
  packages)
    install_packages build ;;
  build)
    if prebuilt_runs; then exit; fi
    install_packages build
    configure_and_build -DCUDALABS_TESTS=OFF -DCUDALABS_BENCH=OFF ;;
  main)
    if [ ! -d solutions ]; then
      bash "./${0##*/}" build
      say "ready: cd $build_dir && ./grade list"
      exit
    fi
    install_packages build
    configure -DCUDALABS_TESTS=OFF -DCUDALABS_BENCH=OFF
    say "building what a grading needs"
    build grader
    say "the main job: grading lab3's reference solution"
    (cd "$build_dir" && make --no-print-directory lab3 && ./grade lab3 --solution)
    say "building the rest: whole classes, and the virtual GPU for any program"
    build
    say "now it is your turn: edit labs/lab3_naive_matmul/matmul.cu, then: cd $build_dir && make lab3 && ./grade lab3" ;;
  test)
    [ -d grader/tests ] || die "this is what students get: it has no tests; ./setup.sh build sets it up"
    install_packages test
    keep_caches
    configure_and_build -DCUDALABS_TESTS=ON -DCUDALABS_BENCH=ON
    # Prose and SARIF files are checked without a browser, too.
    if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
      printf 'setup.sh: no Node with npm here: the tests of pages, decks, prose and SARIF are skipped\n' >&2
    elif ! cmake --build "$build_dir" --target slides-tools; then
      printf 'setup.sh: npm did not get the packages of slides/package.json (is the network there?): the tests of pages, decks, prose and SARIF are skipped\n' >&2
    elif [ -z "$(find_browser)" ]; then
      printf 'setup.sh: no Chromium here: the tests that look at pages and decks are skipped\n' >&2
    fi
    # One more than there are processors: tests wait now and then, for processes that start and end.
    at_once=$((jobs + 1))
    say "quick tests"
    run_tests -j "$at_once" -LE "slow|hostile"
    say "slow corpora: fuzzing, sample submissions, differential programs"
    run_tests -j "$at_once" -L slow ;;
  acceptance)
    [ -d grader/tests ] || die "this is what students get: it has no tests; ./setup.sh build sets it up"
    install_packages test
    configure_and_build -DCUDALABS_TESTS=ON -DCUDALABS_BENCH=ON
    failed=0
    say "every sample submission"
    "$build_dir/grade" lint --judge-time --jobs "$jobs" || failed=1
    say "every attack"
    run_tests -L hostile || failed=1
    exit "$failed" ;;
  sanitizers)
    [ -d grader/tests ] || die "this is what students get: it has no tests; ./setup.sh build sets it up"
    install_packages test
    keep_caches
    failed=0
    for preset in debug tsan; do
      build_dir=build-$preset
      say "configuring and building in $build_dir"
      cmake --preset "$preset" >/dev/null
      cmake --build --preset "$preset" -j "$jobs"
      say "the quick tests in $build_dir"
      run_tests -j "$jobs" -LE "slow|hostile" || failed=1
    done
    exit "$failed" ;;
  slides)
    [ -d slides ] || die "this is what students get: it has no slides"
    install_packages slides
    configure
    say "the slides"
    cmake --build "$build_dir" --target slides
    ls "$build_dir"/slides/*.html "$build_dir"/slides/*.pdf ;;
  *)
    sed -n '2,16s/^# \{0,1\}//p' "$0"
    exit 2 ;;
esac
