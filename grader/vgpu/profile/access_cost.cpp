// Counting distinct sectors and words.
#include "vgpu/profile/access_cost.h"

#include <algorithm>
#include <array>
#include <bit>

namespace cudalabs::vgpu {

namespace {

/// The active lanes' addresses in rising order, one for each distinct address.
struct Addresses {
  std::array<std::uint64_t, kWarpSize> at;
  std::size_t count = 0;       // distinct
  std::size_t most_alike = 0;  // the most lanes at one address
  std::size_t lanes = 0;

  Addresses(const WarpAccess& a, LaneMask active) {
    for (; active != 0; active &= active - 1) at[lanes++] = a.address[std::countr_zero(active)];
    std::sort(at.begin(), at.begin() + lanes);
    for (std::size_t i = 0, alike = 0; i < lanes; ++i) {
      alike = i != 0 && at[i] == at[count - 1] ? alike + 1 : 1;
      if (alike == 1) at[count++] = at[i];
      most_alike = std::max(most_alike, alike);
    }
  }
};

constexpr std::uint32_t divided_up(std::uint64_t n, std::uint64_t by) {
  return static_cast<std::uint32_t>((n + by - 1) / by);
}

/// The most words that one bank has to give; `lanes` in rising order.
std::uint32_t words_of_busiest_bank(const Addresses& lanes, std::uint32_t bytes) {
  std::array<std::uint8_t, kBanks> wanted{};
  std::uint64_t next = 0;  // first word not yet counted
  for (std::size_t i = 0; i < lanes.count; ++i) {
    const std::uint64_t last = (lanes.at[i] + bytes - 1) / kBankBytes;
    for (std::uint64_t word = std::max(next, lanes.at[i] / kBankBytes); word <= last; ++word) ++wanted[word % kBanks];
    next = std::max(next, last + 1);
  }
  return *std::max_element(wanted.begin(), wanted.end());
}

std::uint32_t distinct_lines(const Addresses& lanes) {
  std::uint32_t lines = 0;
  for (std::size_t i = 0; i < lanes.count; ++i) {
    if (i == 0 || lanes.at[i] / kLineBytes != lanes.at[i - 1] / kLineBytes) ++lines;
  }
  return lines;
}

}  // namespace

AccessCost global_cost(const WarpAccess& a) {
  const Addresses lanes(a, a.active);
  AccessCost cost;
  std::uint64_t next = 0;  // first sector not yet counted
  for (std::size_t i = 0; i < lanes.count; ++i) {
    const std::uint64_t first = std::max(next, lanes.at[i] / kSectorBytes);
    const std::uint64_t last = (lanes.at[i] + a.bytes - 1) / kSectorBytes;
    if (last < first) continue;
    cost.units += static_cast<std::uint32_t>(last - first + 1);
    next = last + 1;
  }
  cost.ideal = divided_up(lanes.count * a.bytes, kSectorBytes);
  cost.conflicts = static_cast<std::uint32_t>(lanes.lanes - lanes.count);
  cost.passes = std::max(words_of_busiest_bank(lanes, a.bytes), divided_up(distinct_lines(lanes), kLinesACycle));
  return cost;
}

AccessCost shared_cost(const WarpAccess& a) {
  const std::uint32_t words = std::max<std::uint32_t>(1, a.bytes / kBankBytes);
  const std::uint32_t lanes_a_pass = kWarpSize / words;
  AccessCost cost;
  for (std::uint32_t first = 0; first < kWarpSize; first += lanes_a_pass) {
    const LaneMask group = (lanes_a_pass == kWarpSize ? ~0u : (1u << lanes_a_pass) - 1) << first;
    if ((a.active & group) == 0) continue;
    const Addresses lanes(a, a.active & group);
    std::array<std::uint8_t, kBanks> wanted{};
    std::uint64_t last_word = ~0ull;
    for (std::size_t i = 0; i < lanes.count; ++i) {
      const std::uint64_t word = lanes.at[i] / kBankBytes;
      for (std::uint32_t w = 0; w < words; ++w) {
        if (word + w == last_word) continue;  // lanes that ask for parts of one word
        last_word = word + w;
        ++wanted[last_word % kBanks];
      }
    }
    std::uint32_t passes = *std::max_element(wanted.begin(), wanted.end());
    if (a.kind == AccessKind::atomic) passes = std::max(passes, static_cast<std::uint32_t>(lanes.most_alike));
    cost.units += passes;
    cost.ideal += 1;
    cost.conflicts += static_cast<std::uint32_t>(lanes.lanes - lanes.count);
  }
  const Addresses lanes(a, a.active);
  cost.passes = words_of_busiest_bank(lanes, a.bytes);
  if (a.kind == AccessKind::atomic) cost.passes = std::max(cost.passes, static_cast<std::uint32_t>(lanes.most_alike));
  return cost;
}

}  // namespace cudalabs::vgpu
