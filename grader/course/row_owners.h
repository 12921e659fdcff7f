// Whose the rows of another system's table are, so that no row gets another student's grade.
#pragma once

#include <string>
#include <vector>

#include "course/roster.h"

namespace cudalabs::course {

struct ClaimedRow {
  Claim claim;
  std::string shown;     // for people
  std::size_t line = 0;  // in the file
};

struct RowOwner {
  const Student* student = nullptr;
  std::string refusal;  // why nobody can tell whose it is; empty where it is the student's, or nobody's of the class
  std::vector<std::string> meant = {};  // ids of those whose it is, or may be
};

/// In the order of `rows`. Refused are rows that lead to several students, and rows of which more than one lead to the
/// same student; where ids lead there from one row alone, that one is the student's.
std::vector<RowOwner> row_owners(const Roster& roster, const std::vector<ClaimedRow>& rows);

}  // namespace cudalabs::course
