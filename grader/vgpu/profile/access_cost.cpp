// Counting distinct sectors and words.
#include "vgpu/profile/access_cost.h"

#include <algorithm>
#include <array>
#include <bit>

namespace cudalabs::vgpu {

namespace {

/// The active lanes' addresses in rising order, one for each distinct address. Nearly all accesses have them in order,
/// or in two runs, one for each half of the warp.
struct Addresses {
  std::array<std::uint64_t, kWarpSize> at;
  std::size_t count = 0;  // distinct
  std::size_t lanes = 0;

  explicit Addresses(const WarpAccess& a) {
    for (LaneMask left = a.active; left != 0; left &= left - 1) at[lanes++] = a.address[std::countr_zero(left)];
    const auto end = at.begin() + lanes;
    if (const auto fall = std::is_sorted_until(at.begin(), end); fall != end) {
      if (std::is_sorted(fall, end)) {
        const auto runs = at;
        const auto middle = runs.begin() + (fall - at.begin());
        std::merge(runs.begin(), middle, middle, runs.begin() + lanes, at.begin());
      } else {
        std::sort(at.begin(), end);
      }
    }
    count = static_cast<std::size_t>(std::unique(at.begin(), end) - at.begin());
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

/// The words of shared memory that the lanes in `group` want.
struct WantedWords {
  std::uint32_t busiest_bank = 0;         // words that it has to give
  std::uint32_t most_alike = 0;           // the most lanes at one address; of accesses of whole words
  std::uint32_t lanes = 0, distinct = 0;  // active lanes; addresses that they access, of accesses of whole words

  WantedWords(const WarpAccess& a, LaneMask group, WordMarks& marks) {
    const std::uint32_t words = std::max<std::uint32_t>(1, a.bytes / kBankBytes);
    std::array<std::uint8_t, kBanks> wanted{};
    marks.begin();
    for (LaneMask left = a.active & group; left != 0; left &= left - 1) {
      const std::uint64_t word = a.address[std::countr_zero(left)] / kBankBytes;
      const std::uint32_t times = marks.note(word);
      most_alike = std::max(most_alike, times);
      ++lanes;
      distinct += times == 1;
      wanted[word % kBanks] += times == 1;
      for (std::uint32_t w = 1; w < words; ++w) wanted[(word + w) % kBanks] += marks.note(word + w) == 1;
    }
    busiest_bank = *std::max_element(wanted.begin(), wanted.end());
  }
};

/// Lanes that access the address of an earlier one, and the most lanes at one address: of atomics narrower than a word.
struct AlikeLanes {
  std::uint32_t conflicts = 0, most = 0;

  explicit AlikeLanes(const WarpAccess& a) {
    for (LaneMask left = a.active; left != 0; left &= left - 1) {
      std::uint32_t alike = 0;  // this one and those after it
      for (LaneMask rest = left; rest != 0; rest &= rest - 1)
        alike += a.address[std::countr_zero(rest)] == a.address[std::countr_zero(left)];
      conflicts += alike > 1;
      most = std::max(most, alike);
    }
  }
};

}  // namespace

void WordMarks::restart() {
  std::ranges::fill(marks_, 0);
  now_ = 1;
}

AccessCost global_cost(const WarpAccess& a, Passes passes) {
  AccessCost cost;
  if (a.consecutive) {
    const std::uint64_t first = a.address[0], last = first + std::uint64_t{kWarpSize} * a.bytes - 1;
    cost.units = static_cast<std::uint32_t>(last / kSectorBytes - first / kSectorBytes + 1);
    cost.ideal = divided_up(std::uint64_t{kWarpSize} * a.bytes, kSectorBytes);
    const std::uint32_t words = std::max<std::uint32_t>(1, a.bytes / kBankBytes);  // of each bank
    const std::uint64_t lines = last / kLineBytes - first / kLineBytes + 1;
    if (passes == Passes::wanted) cost.passes = std::max(words, divided_up(lines, kLinesACycle));
    return cost;
  }
  const Addresses lanes(a);
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
  if (passes == Passes::wanted)
    cost.passes = std::max(words_of_busiest_bank(lanes, a.bytes), divided_up(distinct_lines(lanes), kLinesACycle));
  return cost;
}

// While addresses were sorted here, this was 40 % of the time of a histogram and of a merge sort.
AccessCost shared_cost(const WarpAccess& a, WordMarks& marks, Passes passes) {
  const std::uint32_t words = std::max<std::uint32_t>(1, a.bytes / kBankBytes);
  if (a.consecutive) return {.units = words, .ideal = words, .passes = passes == Passes::wanted ? words : 0};
  const bool atomic = a.kind == AccessKind::atomic;
  const bool narrow_atomic = atomic && a.bytes < kBankBytes;
  const AlikeLanes alike(narrow_atomic ? a : WarpAccess{});
  const std::uint32_t lanes_a_pass = kWarpSize / words;
  AccessCost cost;
  for (std::uint32_t first = 0; first < kWarpSize; first += lanes_a_pass) {
    const LaneMask group = (lanes_a_pass == kWarpSize ? ~0u : (1u << lanes_a_pass) - 1) << first;
    if ((a.active & group) == 0) continue;
    const WantedWords wanted(a, group, marks);
    const std::uint32_t turns = !atomic ? 0 : narrow_atomic ? alike.most : wanted.most_alike;
    cost.units += std::max(wanted.busiest_bank, turns);
    cost.ideal += 1;
    if (atomic) cost.conflicts += narrow_atomic ? alike.conflicts : wanted.lanes - wanted.distinct;
  }
  if (passes == Passes::unwanted) return cost;
  if (words == 1) {
    cost.passes = cost.units;
  } else {
    const WantedWords all(a, a.active, marks);
    cost.passes = std::max(all.busiest_bank, atomic ? all.most_alike : 0);
  }
  return cost;
}

}  // namespace cudalabs::vgpu
