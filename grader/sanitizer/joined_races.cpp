#include "sanitizer/joined_races.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "vgpu/check/finding_table.h"

namespace cudalabs::sanitizer {
namespace {

/// "sum<float>" and "sum<int>" have the same source lines.
std::string template_of(const std::string& kernel) {
  return kernel.substr(0, kernel.find('<'));
}

using Line = std::pair<std::string, std::uint32_t>;
using Lines = std::tuple<std::string, Severity, std::string, Line, Line, std::string, std::string>;

Lines lines_of(const Finding& finding) {
  return {finding.id,
          finding.severity,
          template_of(finding.kernel),
          {finding.where.file, finding.where.line},
          {finding.other->place.file, finding.other->place.line},
          finding.access.array,
          finding.access.shared_array};
}

}  // namespace

std::vector<Finding> join_races(std::vector<Finding> findings) {
  struct Joined {
    std::size_t at = 0, others = 0;
  };
  std::map<Lines, Joined> seen;
  std::vector<Finding> result;
  for (Finding& finding : findings) {
    const bool race = is_of(finding.id, FindingGroup::races);
    if (race && finding.where.known() && finding.other && finding.other->place.known()) {
      const auto [found, first] = seen.try_emplace(lines_of(finding), Joined{result.size(), 0});
      if (!first) {
        result[found->second.at].count += finding.count;
        ++found->second.others;
        continue;
      }
    }
    result.push_back(std::move(finding));
  }
  for (const auto& [lines, joined] : seen) {
    if (joined.others == 0) continue;
    std::string& note = result[joined.at].note;
    if (!note.empty()) note += '\n';
    note += fmt::format("{} more {} of accesses of these lines {}, for the same cause", joined.others,
                        joined.others == 1 ? "pair" : "pairs", joined.others == 1 ? "races" : "race");
  }
  return result;
}

}  // namespace cudalabs::sanitizer
