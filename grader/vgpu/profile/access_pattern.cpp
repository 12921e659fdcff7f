// Looks for runs of lanes with equal steps between their addresses.
#include "vgpu/profile/access_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <set>
#include <vector>

#include "text/counted.h"

namespace cudalabs::vgpu {
namespace {

/// A warp's values of 4 bytes, one after the other.
constexpr std::uint32_t kUsualSectors = kWarpSize * 4 / kSectorBytes;

/// Lanes that follow each other with equal steps between their addresses.
struct Run {
  std::uint64_t start = 0;
  std::int64_t step = 0;  // bytes from lane to lane; means nothing when there is one lane
  unsigned lanes = 1;
};

std::vector<Run> runs_of(const AccessSample& access) {
  std::vector<Run> runs;
  unsigned before = 0;
  for (LaneMask left = access.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const std::uint64_t address = access.address[lane];
    if (!runs.empty()) {
      Run& run = runs.back();
      const auto step = static_cast<std::int64_t>(address - access.address[before]);
      const auto apart = static_cast<std::int64_t>(lane - before);
      if (run.lanes == 1 && step % apart == 0) run.step = step / apart;
      if (step == run.step * apart) {
        ++run.lanes;
        before = lane;
        continue;
      }
      if (run.lanes == 1) run.step = 0;
    }
    runs.push_back({address});
    before = lane;
  }
  return runs;
}

std::string bytes_text(std::int64_t bytes) {
  return bytes == 1 ? "1 byte" : fmt::format("{} bytes", bytes);
}

std::string step_text(std::int64_t step, std::uint8_t bytes) {
  if (step == 0) return "at one address";
  if (step == bytes) return "consecutive";
  if (step == -std::int64_t{bytes}) return "consecutive downwards";
  if (step % bytes == 0) return fmt::format("stride {} ({})", step / bytes, bytes_text(std::abs(step)));
  return fmt::format("stride of {}", bytes_text(std::abs(step)));
}

/// The distance between the starts of neighbouring runs, where it is always the same.
std::optional<std::int64_t> distance_of(const std::vector<Run>& runs) {
  const auto distance = static_cast<std::int64_t>(runs[1].start - runs[0].start);
  for (std::size_t i = 1; i < runs.size(); ++i) {
    if (static_cast<std::int64_t>(runs[i].start - runs[i - 1].start) != distance) return std::nullopt;
  }
  return distance;
}

/// Bytes asked for, those of lanes at the same address once.
std::uint64_t distinct_bytes(const AccessSample& access) {
  std::set<std::uint64_t> addresses;
  for (LaneMask left = access.active; left != 0; left &= left - 1)
    addresses.insert(access.address[std::countr_zero(left)]);
  return addresses.size() * access.bytes;
}

std::array<std::optional<unsigned>, kWarpSize> sectors_of_lanes(const AccessSample& access) {
  std::map<std::uint64_t, unsigned> number;
  for (LaneMask left = access.active; left != 0; left &= left - 1) {
    number[access.address[std::countr_zero(left)] / kSectorBytes] = 0;
  }
  unsigned next = 0;
  for (auto& [sector, its] : number) its = next++;
  std::array<std::optional<unsigned>, kWarpSize> shares;
  for (LaneMask left = access.active; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    shares[lane] = number[access.address[lane] / kSectorBytes];
  }
  return shares;
}

std::array<std::optional<unsigned>, kWarpSize> passes_of_lanes(const AccessSample& access) {
  const std::uint32_t words = std::max<std::uint32_t>(1, access.bytes / kBankBytes);
  const std::uint32_t lanes_a_turn = kWarpSize / words;
  std::array<std::optional<unsigned>, kWarpSize> shares;
  unsigned done = 0;  // passes of the lanes before
  for (std::uint32_t first = 0; first < kWarpSize; first += lanes_a_turn) {
    std::array<std::vector<std::uint64_t>, kBanks> wanted;  // words, in the order in which they are delivered
    std::map<std::uint64_t, unsigned> at_address;
    unsigned last = done;
    for (std::uint32_t lane = first; lane < first + lanes_a_turn; ++lane) {
      if ((access.active >> lane & 1) == 0) continue;
      const std::uint64_t word = access.address[lane] / kBankBytes;
      unsigned pass = 0;
      for (std::uint64_t w = word; w < word + words; ++w) {
        std::vector<std::uint64_t>& bank = wanted[w % kBanks];
        const auto found = std::ranges::find(bank, w);
        pass = std::max(pass, static_cast<unsigned>(found - bank.begin()));
        if (found == bank.end()) bank.push_back(w);
      }
      if (access.kind == AccessKind::atomic) pass = std::max(pass, at_address[access.address[lane]]++);
      shares[lane] = done + pass;
      last = std::max(last, done + pass + 1);
    }
    done = last;
  }
  return shares;
}

}  // namespace

std::string pattern_of(const AccessSample& access) {
  const std::vector<Run> runs = runs_of(access);
  if (std::popcount(access.active) == 1) return "one lane";
  if (runs.size() == 1) return runs[0].step == 0 ? "all lanes at one address" : step_text(runs[0].step, access.bytes);
  const Run& longest = *std::ranges::max_element(runs, {}, &Run::lanes);
  const bool alike =
      std::ranges::all_of(runs, [&](const Run& run) { return run.lanes == 1 || run.step == longest.step; });
  if (!alike || longest.lanes == 1) return "irregular";
  std::string text = fmt::format("{} runs", runs.size());
  if (std::ranges::all_of(runs, [&](const Run& run) { return run.lanes == longest.lanes; })) {
    text += fmt::format(" of {} lanes", longest.lanes);
  }
  text += (longest.step == 0 ? ", each " : ", ") + step_text(longest.step, access.bytes);
  const auto distance = distance_of(runs);
  if (distance == 0) return text + ", the same for all runs";
  if (distance) text += fmt::format(", {} apart", bytes_text(std::abs(*distance)));
  return text;
}

AccessCost cost_of(const AccessSample& access) {
  const WarpAccess plain = as_access(access);
  if (access.space != MemorySpace::shared) return global_cost(plain);
  WordMarks marks;
  return shared_cost(plain, marks);
}

bool wastes(const AccessSample& access) {
  const AccessCost cost = cost_of(access);
  if (access.space == MemorySpace::shared) return cost.units > cost.ideal;
  return cost.units >= 2 * cost.ideal && cost.units > kUsualSectors;
}

std::string cost_in_words(const AccessSample& access) {
  const AccessCost cost = cost_of(access);
  const bool shared = access.space == MemorySpace::shared;
  const bool more = cost.units > cost.ideal && (shared || cost.units > kUsualSectors);
  const std::string would_do = more ? fmt::format(" where {} would do", cost.ideal) : "";
  if (access.space == MemorySpace::shared) {
    if (cost.units <= cost.ideal) return "no bank conflict";
    const std::uint32_t ways = (cost.units + cost.ideal - 1) / cost.ideal;
    return fmt::format("{}-way bank conflict: {}{}", ways, counted(cost.units, "pass", "passes"), would_do);
  }
  return fmt::format("{} for {}{}", counted(cost.units, "sector", "sectors"),
                     bytes_text(static_cast<std::int64_t>(distinct_bytes(access))), would_do);
}

std::array<std::optional<unsigned>, kWarpSize> shares_of_lanes(const AccessSample& access) {
  return access.space == MemorySpace::shared ? passes_of_lanes(access) : sectors_of_lanes(access);
}

}  // namespace cudalabs::vgpu
