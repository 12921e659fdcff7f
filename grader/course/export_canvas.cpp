// Canvas's gradebook: its importer knows columns by title and assignment's number, and students by number.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "course/csv.h"
#include "course/export.h"
#include "course/listed.h"
#include "course/roster.h"
#include "course/row_owners.h"
#include "text/lower_case.h"

namespace cudalabs::course {
namespace {

/// "Lab 3" of "Lab 3 (12345)".
std::string without_number(const std::string& title) {
  const std::size_t open = title.rfind(" (");
  const bool numbered = open != std::string::npos && title.ends_with(')') && open + 3 < title.size() &&
                        std::all_of(title.begin() + static_cast<std::ptrdiff_t>(open) + 2, title.end() - 1,
                                    [](unsigned char c) { return std::isdigit(c) != 0; });
  return numbered ? title.substr(0, open) : title;
}

std::optional<std::size_t> column_of(const CsvRow& header, std::size_t first, const Lab& lab, const Course& course) {
  const CourseLab* named = course.find(lab.id);
  const auto find = [&](const std::string& title) -> std::optional<std::size_t> {
    for (std::size_t i = first; i < header.size(); ++i) {
      if (header[i] == title || folded(without_number(header[i])) == folded(title)) return i;
    }
    return std::nullopt;
  };
  if (named != nullptr && !named->canvas.empty()) return find(named->canvas);
  for (const std::string& title : {lab.title, lab.slug, lab.id}) {
    if (const auto column = find(title)) return column;
  }
  return std::nullopt;
}

std::string new_title(const Lab& lab, const Course& course) {
  const CourseLab* named = course.find(lab.id);
  return named != nullptr && !named->canvas.empty() ? named->canvas : lab.title;
}

bool is_points_possible(const CsvRow& row) {
  return !row.empty() && lower(row[0]).find("points possible") != std::string::npos;
}

std::string cell(const CsvRow& row, std::size_t at) {
  return at < row.size() ? row[at] : std::string();
}

class Gradebook {
 public:
  Gradebook(const ClassData& data, CsvTable table, std::string_view file, bool missing_is_zero)
      : data_(data), table_(std::move(table)), roster_(data.students), missing_is_zero_(missing_is_zero) {
    if (table_.rows.empty() || table_.rows[0].size() < 3 ||
        lower(table_.rows[0][0]).find("student") == std::string::npos)
      throw CsvError(
          fmt::format("{}:1: this is no gradebook of Canvas: its first column is Student, its second ID", file));
    const CsvRow& header = table_.rows[0];
    const auto section = std::ranges::find_if(header, [](const auto& title) { return lower(title) == "section"; });
    if (section == header.end())
      throw CsvError(fmt::format("{}:1: this is no gradebook of Canvas: it has no column Section", file));
    info_ = static_cast<std::size_t>(section - header.begin()) + 1;
    for (const Lab& lab : data.labs) columns_.push_back(column_of(header, info_, lab, data.course));
  }

  Exported write() {
    Exported exported;
    const CsvRow& header = table_.rows[0];
    CsvRow first(header.begin(), header.begin() + static_cast<std::ptrdiff_t>(info_));
    for (std::size_t i = 0; i < data_.labs.size(); ++i) {
      first.push_back(columns_[i] ? header[*columns_[i]] : new_title(data_.labs[i], data_.course));
      if (!columns_[i])
        exported.notes.push_back(fmt::format("{}: no column is named so: Canvas will make a new assignment `{}`",
                                             data_.labs[i].id, first.back()));
    }
    exported.text = csv_line(first);
    std::vector<const CsvRow*> kept;
    std::vector<ClaimedRow> claims;  // of those that are students'
    for (std::size_t i = 1; i < table_.rows.size(); ++i) {
      const CsvRow& row = table_.rows[i];
      if (claims.empty() && !is_points_possible(row) && cell(row, 1).empty()) continue;  // remarks for people
      kept.push_back(&row);
      if (!is_points_possible(row)) claims.push_back({claim_of(row), cell(row, 0), table_.lines[i]});
    }
    const std::vector<RowOwner> owners = row_owners(roster_, claims);
    std::map<std::string, bool> seen;
    std::vector<std::string> missing, strangers;
    auto owner = owners.begin();
    for (const CsvRow* row : kept) {
      if (is_points_possible(*row)) {
        exported.text += csv_line(points_possible(*row));
        continue;
      }
      exported.text += csv_line(row_of(*row, owner->student));
      for (const std::string& id : owner->meant) seen[id] = true;
      if (!owner->refusal.empty()) exported.refused.push_back(owner->refusal);
      if (owner->meant.empty()) strangers.push_back(cell(*row, 0));
      ++owner;
    }
    for (const Student& student : data_.students) {
      if (!seen[student.id]) missing.push_back(student.id);
    }
    note_missing(exported.notes, missing, data_.students.size(), "gradebook");
    note_strangers(exported.notes, strangers, "gradebook");
    return exported;
  }

 private:
  CsvRow points_possible(const CsvRow& row) const {
    CsvRow out = about(row);
    // A new column has no entry: Canvas reads the points of the assignment from here.
    for (std::size_t i = 0; i < columns_.size(); ++i)
      out.push_back(columns_[i] ? cell(row, *columns_[i]) : shown_points(data_.labs[i].max_points()));
    return out;
  }

  /// `student`: null where the row stays as it is.
  CsvRow row_of(const CsvRow& row, const Student* student) const {
    CsvRow out = about(row);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string before = columns_[i] ? cell(row, *columns_[i]) : std::string();
      out.push_back(student == nullptr ? before : grade_of(*student, data_.labs[i], before));
    }
    return out;
  }

  CsvRow about(const CsvRow& row) const {
    CsvRow out;
    for (std::size_t i = 0; i < info_; ++i) out.push_back(cell(row, i));
    return out;
  }

  /// `ID` is Canvas's own number. The other columns have what the school calls the student.
  Claim claim_of(const CsvRow& row) const {
    Claim claim;
    claim.name = cell(row, 0);
    for (std::size_t i = 1; i + 1 < info_; ++i) {
      const std::string title = folded(table_.rows[0][i]), text = cell(row, i);
      if (title == "id") {
        claim.number = {text, System::canvas};
      } else if (!text.empty() && title != "rootaccount") {
        claim.ids.push_back(text);
      }
    }
    return claim;
  }

  std::string grade_of(const Student& student, const Lab& lab, const std::string& before) const {
    for (const Standing& standing : data_.standings) {
      if (standing.student != student.id || standing.lab != lab.id) continue;
      const bool decided = standing.state == State::graded || standing.adjusted != 0;
      if (decided) return shown_points(standing.total());
      if (missing_is_zero_ && standing.state == State::nothing) return "0";
    }
    return before;
  }

  const ClassData& data_;
  CsvTable table_;
  Roster roster_;
  bool missing_is_zero_;
  std::size_t info_ = 0;                             // columns that say who a row is
  std::vector<std::optional<std::size_t>> columns_;  // of the labs
};

}  // namespace

Exported export_canvas(const ClassData& data, std::string_view gradebook, std::string_view file, bool missing_is_zero) {
  return Gradebook(data, read_csv(gradebook, file), file, missing_is_zero).write();
}

}  // namespace cudalabs::course
