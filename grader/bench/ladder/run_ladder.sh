#!/usr/bin/env bash
# Builds every step of the labs' ladders and times them on the GPU of this machine.
#   run_ladder.sh [--build FOLDER] [--build-only] [--submissions] [arguments of ladder_bench: --output FILE, --lab labN,
#                 --edges-only, --largest-edge VALUES]
# --build-only: compiles and links all of it, for which no GPU is needed when ARCHITECTURE names one ("sm_90").
# --submissions: times solutions and alternative submissions instead, of the labs whose functions take device pointers; their
# sizes are those of the ladders, and no edge sizes are checked, for they promise less than a ladder's steps.
# Needs nvcc and cuBLAS (CUDA Toolkit 11 or later), nlohmann-json and CLI11.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
build=$root/build/ladder
what=ladder
build_only=
rest=()
while [[ $# -gt 0 ]]; do
  case $1 in
    --build) build=$2; shift ;;
    --build-only) build_only=yes ;;
    --submissions) what=submissions ;;
    *) rest+=("$1") ;;
  esac
  shift
done
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
architecture=${ARCHITECTURE:-native}
libraries=$(cd "$(dirname "$(readlink -f "$nvcc")")/../lib64" && pwd)
flags=(-O3 -std=c++17 "-arch=$architecture" --cudart shared -Xcompiler=-fPIC -Xlinker "-rpath=$libraries")

jobs=()
for mirror in "$root"/solutions/lab*; do
  name=$(basename "$mirror")
  lab=${name%%_*}
  if [[ $what == ladder ]]; then
    sources=("$mirror"/ladder/*.cu)
  else
    sources=("$mirror"/*.cu "$mirror"/alternative/*.cu)
    [[ $lab == lab1 ]] && continue  # its function takes host pointers
  fi
  [[ -e ${sources[0]} && -d $mirror/ladder ]] || continue
  rm -rf "${build:?}/$lab"
  mkdir -p "$build/$lab"
  for source in "${sources[@]}"; do
    jobs+=("-I$root/labs/$name" "$source" "$build/$lab/$(basename "$source" .cu).so")
  done
  if [[ $what == submissions ]]; then rest+=(--lab "$lab"); fi
done
if [[ $what == submissions ]]; then rest+=(--submissions); fi
printf '%s\0' "${jobs[@]}" | xargs -0 -n 3 -P "$(nproc)" bash -c '"${@:1:$#-1}" -shared -o "${@: -1}"' build \
  "$nvcc" "${flags[@]}"
bench=$build/ladder_bench
if [[ ! -e $bench || -n $(find "$here" -newer "$bench" -print -quit) ]]; then
  printf '%s\0' "$here"/*.cu "$here"/*.cpp | xargs -0 -n 1 -P "$(nproc)" bash -c \
    '"${@:2:$#-2}" -c "${@: -1}" -o "$1/$(basename "${@: -1}").o"' build "$build" "$nvcc" "${flags[@]}"
  "$nvcc" "${flags[@]}" "$build"/*.o -o "$bench" -lcublas -ldl
fi
if [[ -n $build_only ]]; then exit 0; fi

driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n 1 || true)
exec "$bench" "$build" --driver "$driver" "${rest[@]}"
