#include "vgpu/exec/begin_order.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace cudalabs::vgpu::exec {

std::vector<std::uint64_t> begin_order(BeginOrder order, std::uint64_t group, std::uint64_t count) {
  std::vector<std::uint64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  if (order.kind == BeginOrder::Kind::descending) std::ranges::reverse(numbers);
  if (order.kind != BeginOrder::Kind::shuffled) return numbers;
  std::seed_seq seeds{order.seed, order.seed >> 32, group, group >> 32};
  std::mt19937_64 random(seeds);
  // Not std::shuffle, which every library does in its own way.
  for (std::uint64_t left = count; left > 1; --left) std::swap(numbers[left - 1], numbers[random() % left]);
  return numbers;
}

}  // namespace cudalabs::vgpu::exec
