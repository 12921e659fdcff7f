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

#include "text/lower_case.h"

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
  std::vector<std::pair<std::size_t, System>> others;
  bool own_is_number = false;  // the id is the system's own number: this is a table that the system wrote
};

/// Whose ids a column has, by its folded name. A login there is one of the school's, as a rule.
System system_of(std::string_view title) {
  const auto has = [&](std::string_view word) { return title.find(word) != std::string_view::npos; };
  for (const std::string_view ours : {"login", "username", "idnumber", "sisuserid"}) {
    if (title.ends_with(ours) && !has("github")) return System::none;
  }
  if (has("canvas")) return System::canvas;
  if (has("moodle")) return System::moodle;
  return has("github") || has("gitlab") || has("gradescope") ? System::other : System::none;
}

constexpr std::string_view kParticipant = "participant ";  // "Participant 12345": Moodle's number in its own tables

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
    if (is_id && i != columns.id) columns.others.emplace_back(i, system_of(name));
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

std::string_view name_of(System system) {
  switch (system) {
    case System::none:
      return "";
    case System::canvas:
      return "canvas";
    case System::moodle:
      return "moodle";
    case System::other:
      return "other";
  }
  return "";
}

System system_named(std::string_view name) {
  for (const System system : {System::none, System::canvas, System::moodle}) {
    if (name == name_of(system)) return system;
  }
  return System::other;
}

bool Student::is_known_by_number() const {
  return std::ranges::any_of(other_ids,
                             [&](const OtherId& other) { return other.system != System::none && other.id == id; });
}

Roster::Roster(std::vector<Student> students) : students_(std::move(students)) {
  for (std::size_t i = 0; i < students_.size(); ++i) {
    const Student& student = students_[i];
    std::set<std::string> ids, any{lower(student.id)};
    if (!student.is_known_by_number()) ids.insert(lower(student.id));
    if (!student.email.empty()) {
      ids.insert(lower(student.email));
      local_parts_.emplace(lower(student.email.substr(0, student.email.find('@'))), i);
    }
    std::set<std::pair<System, std::string>> numbers;
    for (const OtherId& other : student.other_ids) {
      any.insert(lower(other.id));
      if (other.system == System::none) ids.insert(lower(other.id));
      numbers.emplace(other.system, lower(other.id));
    }
    any.insert(ids.begin(), ids.end());
    for (const auto& [system, number] : numbers) numbers_[system].emplace(number, i);
    for (const std::string& id : ids) ids_.emplace(id, i);
    for (const std::string& id : any) any_ids_.emplace(id, i);
    for (const std::string& name : spellings(student.name)) names_.emplace(name, i);
  }
}

/// Who is still meant, as one thing after another is known of a person.
class Roster::Search {
 public:
  explicit Search(const Roster& roster) : roster_(roster) {}

  /// A key that leads to nobody says nothing.
  void narrow(const Index& index, const std::string& key) {
    const auto [first, last] = index.equal_range(key);
    std::set<std::size_t> found;
    for (auto each = first; each != last; ++each) found.insert(each->second);
    if (found.empty() || key.empty()) return;
    all_.insert(found.begin(), found.end());
    if (known_) std::erase_if(left_, [&](std::size_t student) { return !found.contains(student); });
    if (!known_) left_ = std::move(found);
    known_ = true;
  }
  bool known() const { return known_; }

  Match match(bool by_id) const {
    if (!known_) return {};
    if (left_.size() == 1) return {Answer::one, &roster_.students_[*left_.begin()], by_id};
    Match match{Answer::several, nullptr};
    // Nobody is left where two keys lead to different students.
    for (const std::size_t student : left_.empty() ? all_ : left_) match.meant.push_back(roster_.students_[student].id);
    return match;
  }

 private:
  const Roster& roster_;
  std::set<std::size_t> left_, all_;
  bool known_ = false;
};

Roster::Match Roster::find(const Claim& claim) const {
  Search search(*this);
  for (const std::string& id : claim.ids) search.narrow(ids_, lower(trimmed(id)));
  if (const auto own = numbers_.find(claim.number.system); own != numbers_.end() && !claim.number.id.empty())
    search.narrow(own->second, lower(claim.number.id));
  const bool by_id = search.known();
  if (!by_id) {
    for (const std::string& id : claim.ids) search.narrow(local_parts_, lower(trimmed(id)));
  }
  for (const Index* index : {&any_ids_, &local_parts_}) {
    for (const std::string& guess : claim.guesses) {
      if (!search.known()) search.narrow(*index, lower(trimmed(guess)));
    }
  }
  const bool guessed = !claim.guesses.empty() && search.known();
  if (!guessed) search.narrow(names_, folded(claim.name));
  for (const auto* words : {&claim.ids, &claim.guesses}) {
    for (const std::string& word : *words) {
      if (!search.known()) search.narrow(names_, folded(word));
    }
  }
  return search.match(by_id);
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
    for (const auto& [other, system] : columns.others) {
      const std::string id = field(other);
      const bool participant = lower(id).starts_with(kParticipant);
      if (!id.empty())
        student.other_ids.push_back(participant ? OtherId{id.substr(kParticipant.size()), System::moodle}
                                                : OtherId{id, system});
    }
    if (columns.own_is_number) student.other_ids.push_back({student.id, System::canvas});
    students.push_back(std::move(student));
  }
  if (students.empty()) throw CsvError(fmt::format("{}:{}: this roster names nobody", file, table.lines[0]));
  return Roster(std::move(students));
}

}  // namespace cudalabs::course
