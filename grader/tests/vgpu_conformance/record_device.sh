#!/usr/bin/env bash
# Asks this machine's GPU what it makes of every form of instruction, every function and many random programs.
#   record_device.sh OUTPUT [PROCESSES]
# Writes into the folder OUTPUT: conformance-GPU.json, the record that the test vgpu.conformance wants, and all results
# for looking into a difference, in parts: cat raw.tar.xz-* | tar -xJ. Needs a GPU, nvcc, g++, fmt and nlohmann-json, and
# builds only what it needs.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
output=${1:?"record_device.sh OUTPUT [PROCESSES]"}
processes=${2:-$(nproc)}
mkdir -p "$output"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PATH=$PATH:/usr/local/cuda/bin CUDA_CACHE_DISABLE=1

reference=$root/grader/tests/vgpu_reference
exec=$root/grader/vgpu/exec
sources=("$here"/*.cpp "$reference"/{generator,generated_frame,generated_memory,generated_statements,generated_together}.cpp
  "$reference"/{byte_float,forms,oracle,random_source,rounded,video,cuda_gpu,processes}.cpp "$exec"/handlers/lane_forms.cpp
  "$exec"/builtins/{bessel,libdevice,arithmetic}.cpp "$root"/grader/vgpu/ptx/types.cpp)
echo "== building ($SECONDS s)"
printf '%s\n' "${sources[@]}" | grep -v '_test\.cpp$\|/virtual_' | xargs -P "$processes" -I{} sh -c '
  g++ -std=c++20 -O1 -frounding-math -ffp-contract=off -DFMT_HEADER_ONLY -I "$1" -I "$1/grader" -I "$2" -I "$3" -c "$4" \
    -o "$5/$(basename "$4").o"' sh "$root" "$reference" "$here" {} "$work"
g++ "$work"/*.o -o "$work/record_device" -ldl

echo "== compiling the functions ($SECONDS s)"
"$work/record_device" source >"$work/functions.cu"
nvcc -arch=sm_90 -cubin -w "$work/functions.cu" -o "$work/functions.cubin"

echo "== asking the GPU ($SECONDS s)"
gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)
toolkit=$(nvcc --version | sed -n 's/.*release \([0-9.]*\), V\([0-9.]*\).*/\2/p')
slug=$(tr '[:upper:] ' '[:lower:]-' <<<"${gpu#NVIDIA }")
mkdir "$work/results"
"$work/record_device" run "$work/functions.cubin" "$work/results" "$processes" "$driver" "$toolkit" "$(date -u +%F)" \
  "$output/conformance-$slug.json"
echo "== packing ($SECONDS s)"
tar -C "$work/results" -cf - . | xz -T0 -3 | split -b 15M - "$output/raw.tar.xz-"
ls -l "$output"
echo "== done ($SECONDS s)"
