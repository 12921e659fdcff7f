// Moodle's offline grading worksheet: it is handed back as it came, with grades and feedback in it.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "course/csv.h"
#include "course/export.h"
#include "course/listed.h"
#include "course/roster.h"
#include "course/row_owners.h"

namespace cudalabs::course {
namespace {

std::optional<std::size_t> column(const CsvRow& header, std::initializer_list<std::string_view> names) {
  for (std::size_t i = 0; i < header.size(); ++i) {
    const std::string title = folded(header[i]);
    if (std::ranges::find(names, title) != names.end()) return i;
  }
  return std::nullopt;
}

struct Columns {
  std::size_t identifier = 0, grade = 0;
  std::optional<std::size_t> name, email, number, login, maximum, feedback;
};

Columns columns_of(const CsvRow& header, std::string_view file) {
  const auto identifier = column(header, {"identifier"}), grade = column(header, {"grade"});
  if (!identifier || !grade)
    throw CsvError(
        fmt::format("{}:1: this is no grading worksheet of Moodle in English: it needs the columns Identifier "
                    "and Grade",
                    file));
  return {.identifier = *identifier,
          .grade = *grade,
          .name = column(header, {"fullname", "name"}),
          .email = column(header, {"emailaddress", "email"}),
          .number = column(header, {"idnumber"}),
          .login = column(header, {"username"}),
          .maximum = column(header, {"maximumgrade"}),
          .feedback = column(header, {"feedbackcomments"})};
}

std::string& cell(CsvRow& row, std::size_t at) {
  if (at >= row.size()) row.resize(at + 1);
  return row[at];
}

Claim claim_of(CsvRow& row, const Columns& columns) {
  Claim claim;
  for (const auto& at : {columns.number, columns.login, columns.email}) {
    if (at && !cell(row, *at).empty()) claim.ids.push_back(cell(row, *at));
  }
  // "Participant 12345": the number that folders of the download have in their names.
  const std::string& identifier = cell(row, columns.identifier);
  claim.number = {identifier.substr(identifier.find_last_of(' ') + 1), System::moodle};
  if (columns.name) claim.name = cell(row, *columns.name);
  return claim;
}

double number_in(const std::string& text, double fallback) {
  double value = fallback;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && value > 0 ? value : fallback;
}

std::string feedback_of(const Standing& standing, double most) {
  std::string text = fmt::format("{} of {} points", shown_points(standing.total()), shown_points(most));
  if (standing.late_points > 0)
    text += fmt::format("; {}: {} points less", standing.late_note, shown_points(standing.late_points));
  if (standing.adjusted != 0) text += fmt::format("; adjusted by {}", shown_points(standing.adjusted));
  if (!standing.note.empty()) text += "; " + standing.note;
  return no_formula(text);
}

}  // namespace

Exported export_moodle(const ClassData& data, std::string_view worksheet, std::string_view file, bool missing_is_zero) {
  CsvTable table = read_csv(worksheet, file);
  if (table.rows.empty()) throw CsvError(fmt::format("{}:1: this worksheet is empty", file));
  const Columns columns = columns_of(table.rows[0], file);
  const Roster roster(data.students);
  const Lab& lab = data.labs.at(0);
  const double most = lab.max_points();
  std::vector<ClaimedRow> claims;
  for (std::size_t i = 1; i < table.rows.size(); ++i)
    claims.push_back({claim_of(table.rows[i], columns), cell(table.rows[i], columns.identifier), table.lines[i]});
  const std::vector<RowOwner> owners = row_owners(roster, claims);
  std::map<std::string, bool> seen;
  std::vector<std::string> missing, strangers;
  Exported exported;
  exported.text =
      std::string(table.byte_order_mark ? "\xef\xbb\xbf" : "").append(csv_line(table.rows[0], table.delimiter));
  for (std::size_t i = 1; i < table.rows.size(); ++i) {
    CsvRow& row = table.rows[i];
    const RowOwner& owner = owners[i - 1];
    for (const std::string& id : owner.meant) seen[id] = true;
    if (!owner.refusal.empty()) exported.refused.push_back(owner.refusal);
    if (owner.meant.empty()) strangers.push_back(cell(row, columns.identifier));
    if (owner.student != nullptr) {
      const std::vector<Standing> standings = data.standings_of(owner.student->id);
      const auto standing = std::ranges::find(standings, lab.id, &Standing::lab);
      const bool decided = standing != standings.end() && (standing->state == State::graded || standing->adjusted != 0);
      if (decided) {
        const double maximum = columns.maximum ? number_in(cell(row, *columns.maximum), most) : most;
        cell(row, columns.grade) = shown_points(standing->total() / most * maximum);
        if (columns.feedback) cell(row, *columns.feedback) = feedback_of(*standing, most);
      } else if (missing_is_zero && standing != standings.end() && standing->state == State::nothing) {
        cell(row, columns.grade) = shown_points(0);
      }
    }
    exported.text += csv_line(row, table.delimiter);
  }
  for (const Student& student : data.students) {
    if (!seen[student.id]) missing.push_back(student.id);
  }
  note_missing(exported.notes, missing, data.students.size(), "worksheet");
  note_strangers(exported.notes, strangers, "worksheet");
  return exported;
}

}  // namespace cudalabs::course
