// Where two submissions have the same rare features.
#include "course/similar/matches.h"

#include <algorithm>
#include <unordered_map>

namespace cudalabs::similar {
namespace {

/// Notes the other one's line for each line, the rarest feature's first. Lines of a feature are matched in order.
void note(const Feature& here, const Feature& there, LineMatches& lines) {
  if (here.first_line == 0 || there.first_line == 0) return;
  for (std::uint32_t line = here.first_line; line <= here.last_line; ++line)
    lines.emplace(line, std::min(there.last_line, there.first_line + (line - here.first_line)));
}

}  // namespace

Matches matches(const Rarity& rarity, const Features& one, const Features& other) {
  std::unordered_map<std::uint64_t, std::vector<const Feature*>> there;
  for (auto feature = other.rbegin(); feature != other.rend(); ++feature) there[feature->hash].push_back(&*feature);
  struct Match {
    std::size_t holders;
    const Feature *one, *other;
  };
  std::vector<Match> found;
  for (const Feature& feature : one) {
    const auto same = there.find(feature.hash);
    if (same == there.end() || same->second.empty() || rarity.weight(feature.hash) <= 0) continue;
    found.push_back({rarity.count(feature.hash), &feature, same->second.back()});
    same->second.pop_back();
  }
  std::ranges::stable_sort(found, {}, &Match::holders);
  Matches result;
  for (const Match& match : found) {
    note(*match.one, *match.other, result.one);
    note(*match.other, *match.one, result.other);
  }
  if (!found.empty()) result.typical_holders = found[(found.size() - 1) / 2].holders;
  return result;
}

}  // namespace cudalabs::similar
