// Whose the rows of another system's table are.
#include "course/row_owners.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace cudalabs::course {
namespace {

/// The rows that lead to one student: by ids, and by a name or a part of an address.
struct LeadingRows {
  std::vector<std::size_t> by_id, by_name;
};

}  // namespace

std::vector<RowOwner> row_owners(const Roster& roster, const std::vector<ClaimedRow>& rows) {
  std::vector<RowOwner> owners(rows.size());
  std::map<const Student*, LeadingRows> leading;
  const auto refuse = [&](std::size_t row, const std::string& why) {
    owners[row].student = nullptr;
    owners[row].refusal =
        fmt::format("{} (line {}): {}; the row stays as it was", rows[row].shown, rows[row].line, why);
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Roster::Match match = roster.find(rows[i].claim);
    if (match.answer == Roster::Answer::several)
      refuse(i, fmt::format("its ids and name lead to more than one student: {}", fmt::join(match.meant, ", ")));
    owners[i].meant = match.meant;
    if (match.answer != Roster::Answer::one) continue;
    owners[i].student = match.student;
    owners[i].meant = {match.student->id};
    LeadingRows& all = leading[match.student];
    (match.by_id ? all.by_id : all.by_name).push_back(i);
  }
  for (const auto& [student, all] : leading) {
    if (all.by_id.size() + all.by_name.size() < 2) continue;
    for (const auto* some : {&all.by_id, &all.by_name}) {
      const bool only_one = some == &all.by_id && some->size() == 1;
      for (const std::size_t row : *some) {
        if (!only_one) refuse(row, fmt::format("it leads to {}, and another row does so, too", student->id));
      }
    }
  }
  return owners;
}

}  // namespace cudalabs::course
