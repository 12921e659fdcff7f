// What a wrong sum or matrix product has to do with how often the kernels read each element of its inputs.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "check/comparison.h"
#include "check/mismatch.h"
#include "datasets/dataset.h"
#include "vgpu/array_reads.h"

namespace cudalabs {

/// What is to be done about elements that each block adds.
inline constexpr std::string_view kOneBlockAlone =
    "let one block alone take such elements, by a condition on `blockIdx`, or give each block elements of its own";

/// Of a sum that has the elements of one input so often each as `counts` says: who reads an element that is there too
/// often, where the kernels read each of those just as many times more than the others; or whether anybody reads one
/// that is left out. Blames the line of that read. Does nothing where the reads do not account for the counts.
/// `launches`: of the case, in their order, as far as they are known; they tell whether each block reads an element:
/// returns whether that is said.
bool name_readers(Mismatch& mismatch, std::span<const std::int64_t> counts, const vgpu::ArrayReads& reads,
                  std::span<const vgpu::LaunchCounters> launches = {});

/// Of a matrix product with inputs `a` (m×n) and `b` (n×p), in single precision: where some columns of `a`, and the
/// same rows of `b`, are read several times as often as others, or never, and the wrong elements are the sums with each
/// product so many times: says which, and who reads them. False, and nothing is said, where they are not.
bool name_product_reads(Mismatch& mismatch, const Comparison& comparison, const datasets::Case& test,
                        std::span<const vgpu::ArrayReads> reads);

}  // namespace cudalabs
