// What a launch that races may come to, where the usual order of its threads does not show it.
//
// Nobody here knows which outcome is right. But what is right comes out the same in every order that happens to do no
// harm, while there are many ways to go wrong.
#include "vgpu/race_outcome.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "vgpu/memory/global_memory.h"

namespace cudalabs::vgpu {

namespace {

using Pages = std::vector<PageJournal::ChangedPage>;
using Kind = exec::BeginOrder::Kind;

/// Where many blocks or barriers each draw an order, one try is nearly always enough.
constexpr std::uint64_t kTries = 3, kTriesOfLarge = 1;
constexpr std::uint64_t kLarge = 2'000'000;  // accesses

/// An order by chance is too often that in which people think of so few blocks.
constexpr std::uint64_t kFewBlocks = 4;

/// Of a block, in instructions of a warp. Threads that lose what they wait for would go on to the usual limit, which
/// takes long.
constexpr std::uint64_t kLeastLimit = 1'000'000, kLimitPerAccess = 16;

/// FNV-1a, but of words.
std::uint64_t digest(const Pages& pages) {
  std::uint64_t sum = 0xCBF2'9CE4'8422'2325u;
  const auto add = [&](std::uint64_t word) { sum = (sum ^ word) * 0x100'0000'01B3u; };
  for (const PageJournal::ChangedPage& page : pages) {
    add(page.page);
    for (std::size_t at = 0; at < page.bytes.size(); at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, &page.bytes[at], sizeof word);
      add(word);
    }
  }
  return sum;
}

/// How many words that changed look like memory that nothing has written, or like NaN, which that mostly becomes.
std::uint64_t unwritten_words(const Pages& pages) {
  constexpr std::uint32_t kSign = 0x8000'0000, kInfinity = 0x7F80'0000;
  std::uint64_t found = 0;
  for (const PageJournal::ChangedPage& page : pages) {
    for (std::size_t at = 0; at < page.bytes.size(); at += sizeof(std::uint32_t)) {
      std::uint32_t word = 0;
      std::memcpy(&word, &page.bytes[at], sizeof word);
      found += (word & ~kSign) > kInfinity;
    }
  }
  return found;
}

struct Outcome {
  exec::BeginOrder order;
  std::uint64_t memory = 0;  // digest
  std::string text;
  std::uint64_t unwritten = 0;
  bool like(const Outcome& other) const { return memory == other.memory && text == other.text; }
};

Outcome outcome_of(const exec::LaunchResult& result, GlobalMemory& memory, exec::BeginOrder order) {
  const Pages pages = memory.journal().changed_pages();
  return {order, digest(pages), result.output, unwritten_words(pages)};
}

/// The one of them that is least probably right; null where none differs from the usual one.
const Outcome* most_telling(const std::vector<Outcome>& outcomes, const Outcome& usual) {
  const Outcome* chosen = nullptr;
  std::ptrdiff_t least = 0;
  for (const Outcome& outcome : outcomes) {
    // What has fewer unwritten words than the usual order leaves may be right by luck.
    if (outcome.like(usual) || outcome.unwritten < usual.unwritten) continue;
    const auto alike = std::ranges::count_if(outcomes, [&](const Outcome& other) { return other.like(outcome); });
    if (chosen != nullptr && alike > least) continue;
    chosen = &outcome;
    least = alike;
  }
  return chosen;
}

}  // namespace

exec::LaunchResult race_outcome(const exec::LaunchRequest& request, const exec::LaunchResult& result,
                                std::uint64_t accesses, std::uint64_t seed, GlobalMemory& memory,
                                exec::WorkerPool& pool) {
  const Outcome usual = outcome_of(result, memory, request.order);
  exec::LaunchRequest other = request;
  const std::uint64_t limit = kLeastLimit + kLimitPerAccess * accesses;
  if (limit < request.instruction_limit || request.instruction_limit == 0) other.instruction_limit = limit;
  const auto run = [&](exec::BeginOrder order) {
    memory.roll_back();
    other.order = order;
    other.disorder = order.seed;
    return exec::run_launch(other, memory, pool);
  };

  std::vector<Outcome> outcomes;
  exec::LaunchResult latest;
  for (std::uint64_t tried = 0; tried < (accesses < kLarge ? kTries : kTriesOfLarge); ++tried) {
    const bool backwards = tried == 0 && request.config.blocks() <= kFewBlocks;
    // Launches that are alike but for their data have orders of their own: one that spares a mistake in one of them
    // does not spare it in all.
    const std::uint64_t own_seed = (seed ^ usual.memory) + tried * 0x1'0000'0001;
    const exec::BeginOrder order{backwards ? Kind::descending : Kind::shuffled, own_seed};
    latest = run(order);
    if (latest.error == exec::LaunchError::none && !latest.cut_short)
      outcomes.push_back(outcome_of(latest, memory, order));
    if (latest.error == exec::LaunchError::too_many_instructions) break;  // the next one may run as long
  }
  if (const Outcome* chosen = most_telling(outcomes, usual)) {
    const bool in_memory = chosen == &outcomes.back() && other.order.seed == chosen->order.seed;
    return in_memory ? latest : run(chosen->order);
  }
  memory.roll_back();
  exec::run_launch(request, memory, pool);
  return result;
}

}  // namespace cudalabs::vgpu
