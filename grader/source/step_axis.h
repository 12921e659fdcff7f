// Loops that begin along one axis of the launch and go on along another one, read as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/function_text.h"

namespace cudalabs {

/// Of a loop such as "for (row = blockIdx.y; row < m; row += gridDim.x)".
struct CrossedStep {
  std::string counter, begin, step, meant;  // "row", "blockIdx.y", "gridDim.x", "gridDim.y"
  std::uint32_t line = 0, column = 0;       // of the step's word, from 1
  std::size_t loop = 0;                     // where the loop begins
  std::size_t begin_axis = 0, step_axis = 0;
  bool of_grid = false;  // else of the block
};

/// Where the first value of a loop's counter has `blockIdx` along one axis alone, and its step `gridDim` along another
/// one alone; likewise `threadIdx` and `blockDim`. Variables of the function that are set once are followed. `code` has
/// no comments. In the order of the loops.
std::vector<CrossedStep> crossed_steps(std::string_view code);

/// "gridDim.x * blockDim.y", where the blocks' numbers are multiplied by "blockDim.x".
struct CrossedProduct {
  std::string number, extent, meant;   // "gridDim.x", "blockDim.y", "blockDim.x"
  std::string begin;                   // "blockIdx.x"
  std::uint32_t line = 0, column = 0;  // of the extent, from 1
  std::size_t axis = 0, other_axis = 0;
};

/// The only product in these functions of `gridDim` along one axis and `blockDim` along another one, where they have
/// `blockIdx` along the first one times `blockDim` along that, and nowhere times `blockDim` along the other one: blocks
/// may lie along x, and the threads of each along y. `code` has no comments, and `functions` are some of its.
std::optional<CrossedProduct> crossed_product(std::string_view code, const std::vector<FunctionBody>& functions);

}  // namespace cudalabs
