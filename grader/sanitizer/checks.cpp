// What `vgpu run` looks for.
#include "sanitizer/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "vgpu/check/finding_ids.h"
#include "vgpu/check/finding_table.h"

namespace cudalabs::sanitizer {
namespace {

constexpr std::array<CheckName, 6> kNames{{
    {Check::memory, "memory", "memcheck", "accesses that are out of bounds, misaligned, or through no valid pointer"},
    {Check::race, "race", "racecheck", "accesses of threads, streams and copies that nothing orders"},
    {Check::initialisation, "initialisation", "initcheck", "reads of memory that nothing has written"},
    {Check::synchronisation, "synchronisation", "synccheck", "barriers, shuffles and votes that not all threads reach"},
    {Check::leak, "leak", "leakcheck", "memory that is never freed"},
    {Check::advice, "advice", "", "barriers that order nothing"},
}};

}  // namespace

std::span<const CheckName> check_names() {
  return kNames;
}

std::optional<Check> check_of(std::string_view finding_id) {
  if (is_of(finding_id, FindingGroup::memory_errors)) return Check::memory;
  if (is_of(finding_id, FindingGroup::races)) return Check::race;
  if (is_of(finding_id, FindingGroup::barriers)) return Check::synchronisation;
  if (finding_id == finding_ids::kUninitializedRead) return Check::initialisation;
  if (finding_id == finding_ids::kMemoryLeak) return Check::leak;
  if (finding_id == finding_ids::kRedundantBarrier) return Check::advice;
  return std::nullopt;
}

Checks Checks::all() {
  Checks checks;
  for (const CheckName& name : kNames) checks.add(name.check);
  return checks;
}

Checks Checks::parse(std::string_view list) {
  if (list == "none") return {};
  Checks checks;
  while (true) {
    const auto end = list.find(',');
    const std::string_view word = list.substr(0, end);
    const auto found = std::ranges::find_if(
        kNames, [&](const CheckName& name) { return word == name.name || word == name.compute_sanitizer; });
    if (word == "all") {
      checks = all();
    } else if (found != kNames.end() && !word.empty()) {
      checks.add(found->check);
    } else {
      std::vector<std::string_view> known;
      for (const CheckName& name : kNames) known.push_back(name.name);
      throw std::invalid_argument(
          fmt::format("`{}` is no check; there are {}, all and none", word, fmt::join(known, ", ")));
    }
    if (end == std::string_view::npos) return checks;
    list = list.substr(end + 1);
  }
}

bool Checks::report(std::string_view finding_id) const {
  const std::optional<Check> check = check_of(finding_id);
  return !check || has(*check);
}

std::string Checks::text() const {
  std::vector<std::string_view> names;
  for (const CheckName& name : kNames) {
    if (has(name.check)) names.push_back(name.name);
  }
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace cudalabs::sanitizer
