// Headers of libraries, and files of programs.
#include "vgpu/ptx/library_files.h"

#include "catch.h"

using namespace cudalabs::vgpu::ptx;

TEST_CASE("headers of the toolkit, the system and the runtime are a library's") {
  for (const char* file : {"/usr/local/cuda/bin/../targets/x86_64-linux/include/cuda_fp16.hpp",
                           "/opt/cuda/targets/sbsa-linux/include/cooperative_groups.h",
                           "/usr/local/cuda-13.0/include/cccl/cub/block/block_reduce.cuh", "/usr/include/math.h",
                           "/usr/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/cmath",
                           "/usr/lib/llvm-14/lib/clang/14.0.6/include/__clang_cuda_cmath.h",
                           "/opt/gcc/include/c++/13/bits/stl_algobase.h", "//include/cudart/cudalabs_device/warp.h",
                           "include/cudart/cuda_fp16.h", "/src/grader/vgpu/cudart/include/cuda_fp16.h"}) {
    CAPTURE(file);
    CHECK(is_of_library(file));
  }
}

TEST_CASE("a program's own files are no library's") {
  for (const char* file : {"k.cu", "/src/project/include/reduce.cuh", "include/warp.h", "/usr/me/k.cu",
                           "submission/k.cu", "//submission/k.cu", "lab/matmul.h", "", "<stdin>"}) {
    CAPTURE(file);
    CHECK_FALSE(is_of_library(file));
  }
}
