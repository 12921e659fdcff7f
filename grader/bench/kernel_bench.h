// Kernel seconds of the textbook kernels on the virtual GPU, with and without its checks.
#pragma once

#include <cstdint>
#include <string>

namespace cudalabs::bench {

struct KernelTime {
  double seconds = 0;              // median over launches, wall time of the launch
  std::uint64_t instructions = 0;  // warp instructions of one launch; 0 when not counted
};

enum class Product { naive, tiled };

/// n x n matrices. Every output is compared with a reference; throws std::runtime_error when one is wrong.
KernelTime time_product(const std::string& ptx, Product product, int n, bool checks, int launches);

/// Sums 2^22 floats in blocks of 256 threads; verified the same way.
KernelTime time_reduction(const std::string& ptx, bool checks, int launches);

/// Counts 2^20 numbers in 256 bins of shared memory, by atomics; verified the same way.
KernelTime time_histogram(const std::string& ptx, bool checks, int launches);

/// Sorts 2^18 numbers in blocks of 256, by merging in shared memory; verified the same way.
KernelTime time_merge_sort(const std::string& ptx, bool checks, int launches);

}  // namespace cudalabs::bench
