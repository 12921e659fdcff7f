#!/usr/bin/env bash
# Names every place that clang-format would change. Usage: check_format.sh CLANG_FORMAT PROJECT_ROOT
# Left out: CUDA's own names, which keep the order of the toolkit's headers, and the tests' kernels, whose findings are
# expected at fixed lines, and submissions that no compiler reads.
set -euo pipefail
cd "$2"
find datasets grader labs slides solutions -name '*.cpp' -o -name '*.h' -o -name '*.cu' | grep -vE \
  '^grader/vgpu/cudart/include/|^grader/tests/.*\.cu$|/node_modules/|/missing_semicolon\.cu$' | LC_ALL=C sort | xargs "$1" --dry-run --Werror
