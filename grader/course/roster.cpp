// Who is in the class, and whom a submission says it is from.
#include "course/roster.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>

#include "course/lowercase.h"

namespace cudalabs::course {
namespace {

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

/// Every way to begin a name with another of its words: "Ada King Lovelace", "Lovelace, Ada King", ...
std::set<std::string> spellings(const std::string& name) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : name + " ") {
    if (c != ' ' && c != ',') {
      word += c;
    } else if (const std::string plain = folded(word); !plain.empty()) {
      words.push_back(plain);
      word.clear();
    }
  }
  std::set<std::string> all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::rotate(words.begin(), words.begin() + 1, words.end());
    all.insert(std::accumulate(words.begin(), words.end(), std::string()));
  }
  return all;
}

/// Which columns of a roster are what.
struct Columns {
  std::optional<std::size_t> id, name, first, last, email, section;
  std::vector<std::size_t> others;
  bool own_is_number = false;  // the id is the system's own number: this is a table that the system wrote
};

/// A column that is known by a word, not by an LMS's own name, is wanted first: the words stand in that order.
std::optional<std::size_t> column(const CsvRow& header, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) {
    for (std::size_t i = 0; i < header.size(); ++i) {
      if (folded(header[i]) == word) return i;
    }
  }
  return std::nullopt;
}

Columns columns_of(const CsvRow& header) {
  Columns columns;
  columns.id = column(header, {"id", "studentid", "sid", "studentnumber", "matriculationnumber", "sisuserid",
                               "idnumber", "username", "login", "student"});
  columns.name = column(header, {"name", "fullname", "studentname", "student"});
  columns.first = column(header, {"firstname", "first", "givenname"});
  columns.last = column(header, {"lastname", "last", "surname", "familyname"});
  columns.email = column(header, {"email", "emailaddress", "mail"});
  columns.section = column(header, {"section", "sections", "group", "groups"});
  if (columns.name == columns.id) columns.name.reset();
  columns.own_is_number =
      columns.id && folded(header[*columns.id]) == "id" && column(header, {"sisuserid", "sisloginid"});
  constexpr std::array<std::string_view, 6> kEnds = {"id", "login", "username", "github", "number", "identifier"};
  for (std::size_t i = 0; i < header.size(); ++i) {
    const std::string name = folded(header[i]);
    const bool is_id = std::ranges::any_of(kEnds, [&](std::string_view end) { return name.ends_with(end); });
    if (is_id && i != columns.id) columns.others.push_back(i);
  }
  return columns;
}

}  // namespace

std::string folded(std::string_view text) {
  std::string plain;
  for (const unsigned char c : text) {
    if (std::isalnum(c) || c >= 0x80) plain += static_cast<char>(std::tolower(c));
  }
  return plain;
}

Roster::Roster(std::vector<Student> students) : students_(std::move(students)) {
  for (std::size_t i = 0; i < students_.size(); ++i) {
    const Student& student = students_[i];
    std::set<std::string> ids{lower(student.id)};
    if (!student.email.empty()) {
      ids.insert(lower(student.email));
      local_parts_.emplace(lower(student.email.substr(0, student.email.find('@'))), i);
    }
    for (const std::string& other : student.other_ids) {
      ids.insert(lower(other));
      numbers_.emplace(lower(other.substr(other.find_last_of(' ') + 1)), i);  // "Participant 12345"
    }
    for (const std::string& id : ids) ids_.emplace(id, i);
    for (const std::string& name : spellings(student.name)) names_.emplace(name, i);
  }
}

Roster::Match Roster::find_in(const std::multimap<std::string, std::size_t>& index, const std::string& key) const {
  const auto [first, last] = index.equal_range(key);
  if (first == last) return {};
  if (std::next(first) != last) return {Answer::several, nullptr};
  return {Answer::one, &students_[first->second]};
}

Roster::Match Roster::find(const Claim& claim) const {
  for (const auto* index : {&ids_, &local_parts_}) {
    for (const std::string& id : claim.ids) {
      if (const Match match = find_in(*index, lower(trimmed(id))); match.answer != Answer::nobody) return match;
    }
  }
  const Match named = find_in(names_, folded(claim.name));
  for (const std::string& number : claim.numbers) {
    const Match match = find_in(numbers_, lower(number));
    if (match.answer == Answer::nobody) continue;
    const bool contradicted = named.answer == Answer::one && named.student != match.student;
    return contradicted ? Match{Answer::several, nullptr} : match;
  }
  if (named.answer != Answer::nobody) return named;
  for (const std::string& id : claim.ids) {
    if (const Match match = find_in(names_, folded(id)); match.answer != Answer::nobody) return match;
  }
  return {};
}

const Student* Roster::by_id(std::string_view id) const {
  const auto found = std::ranges::find(students_, id, &Student::id);
  return found == students_.end() ? nullptr : &*found;
}

Roster read_roster(std::string_view text, std::string_view file) {
  const CsvTable table = read_csv(text, file);
  if (table.rows.empty()) throw CsvError(fmt::format("{}:1: this roster is empty", file));
  const Columns columns = columns_of(table.rows[0]);
  if (!columns.id) {
    throw CsvError(
        fmt::format("{}:{}: no column is named `id`; the first line names the columns: id,name,email,section", file,
                    table.lines[0]));
  }
  std::vector<Student> students;
  std::map<std::string, std::size_t> lines;
  for (std::size_t i = 1; i < table.rows.size(); ++i) {
    const CsvRow& row = table.rows[i];
    const auto field = [&](const std::optional<std::size_t>& at) {
      return at && *at < row.size() ? trimmed(row[*at]) : std::string();
    };
    Student student{.id = field(columns.id),
                    .name = field(columns.name),
                    .email = field(columns.email),
                    .section = field(columns.section),
                    .other_ids = {}};
    if (student.name.empty()) student.name = trimmed(field(columns.first) + " " + field(columns.last));
    if (student.id.empty()) throw CsvError(fmt::format("{}:{}: this row has no id", file, table.lines[i]));
    if (student.id.size() > kLongestId)
      throw CsvError(fmt::format("{}:{}: this id is longer than {} bytes", file, table.lines[i], kLongestId));
    const auto [known, fresh] = lines.emplace(lower(student.id), table.lines[i]);
    if (!fresh)
      throw CsvError(
          fmt::format("{}:{}: the id `{}` stands in line {}, too", file, table.lines[i], student.id, known->second));
    for (const std::size_t other : columns.others) {
      if (const std::string id = field(other); !id.empty()) student.other_ids.push_back(id);
    }
    if (columns.own_is_number) student.other_ids.push_back(student.id);
    students.push_back(std::move(student));
  }
  if (students.empty()) throw CsvError(fmt::format("{}:{}: this roster names nobody", file, table.lines[0]));
  return Roster(std::move(students));
}

}  // namespace cudalabs::course
