#!/usr/bin/env bash
# Builds every step of the labs' ladders and times them on the GPU of this machine.
#   run_ladder.sh [--build FOLDER] [arguments of ladder_bench: --output FILE, --lab labN, --edges-only, --largest-edge VALUES]
# Needs nvcc and cuBLAS (CUDA Toolkit 11 or later), nlohmann-json and CLI11.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
build=$root/build/ladder
if [[ ${1:-} == --build ]]; then
  build=$2
  shift 2
fi
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
architecture=${ARCHITECTURE:-native}
libraries=$(cd "$(dirname "$(readlink -f "$nvcc")")/../lib64" && pwd)
flags=(-O3 -std=c++17 "-arch=$architecture" --cudart shared -Xcompiler=-fPIC -Xlinker "-rpath=$libraries")

jobs=()
for folder in "$root"/solutions/lab*/ladder; do
  lab=$(basename "$(dirname "$folder")")
  lab=${lab%%_*}
  rm -rf "${build:?}/$lab"
  mkdir -p "$build/$lab"
  for step in "$folder"/*.cu; do
    jobs+=("$step" "$build/$lab/$(basename "$step" .cu).so")
  done
done
printf '%s\0' "${jobs[@]}" | xargs -0 -n 2 -P "$(nproc)" bash -c '"${@:1:$#-2}" -shared "${@: -2:1}" -o "${@: -1}"' build \
  "$nvcc" "${flags[@]}"
printf '%s\0' "$here"/*.cu "$here"/*.cpp | xargs -0 -n 1 -P "$(nproc)" bash -c \
  '"${@:2:$#-2}" -c "${@: -1}" -o "$1/$(basename "${@: -1}").o"' build "$build" "$nvcc" "${flags[@]}"
"$nvcc" "${flags[@]}" "$build"/*.o -o "$build/ladder_bench" -lcublas -ldl

driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n 1 || true)
exec "$build/ladder_bench" "$build" --driver "$driver" "$@"
