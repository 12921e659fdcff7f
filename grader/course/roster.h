// Who is in the class, and whom a submission says it is from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "course/csv.h"

namespace cudalabs::course {

constexpr std::size_t kLongestId = 128;  // of a student, in bytes

/// Whose ids are nobody's elsewhere: each system numbers people from 1.
enum class System : std::uint8_t { none, canvas, moodle, other };

/// "canvas", ...; empty for none.
std::string_view name_of(System system);
System system_named(std::string_view name);

struct OtherId {
  std::string id;
  System system = System::none;  // none: the school's own, as logins and numbers of students are

  bool operator==(const OtherId&) const = default;
};

struct Student {
  std::string id;  // names the student's rows and page; unique
  std::string name, email, section;
  std::vector<OtherId> other_ids;  // numbers and logins

  /// Whether `id` is the number of a system: so it is where there is no roster.
  bool is_known_by_number() const;
};

/// What a submission, or a row of a gradebook, says of whom it is from. Empty parts are not known.
struct Claim {
  std::vector<std::string> ids;      // the school's ids, logins and e-mail addresses: one person's
  OtherId number;                    // a system's own
  std::string name;                  // a person's, in any order of its words and with any signs between them
  std::vector<std::string> guesses;  // what the name of a folder may mean: any id, the most certain first
};

class Roster {
 public:
  Roster() = default;
  explicit Roster(std::vector<Student> students);

  const std::vector<Student>& students() const { return students_; }
  bool empty() const { return students_.empty(); }

  enum class Answer { nobody, one, several };
  struct Match {
    Answer answer = Answer::nobody;
    const Student* student = nullptr;
    bool by_id = false;                // a whole id led to the student, not a name or the beginning of an address
    std::vector<std::string> meant{};  // ids of those it could be, where they are several
  };
  /// Ids, number and name must not lead to different students. `several`: they do, or they fit more than one student,
  /// so that nobody can tell.
  Match find(const Claim& claim) const;

 private:
  using Index = std::multimap<std::string, std::size_t>;
  class Search;

  std::vector<Student> students_;
  Index ids_;                        // the school's ids and e-mail addresses
  std::map<System, Index> numbers_;  // a system's own
  Index any_ids_;                    // all of these
  Index local_parts_;                // of e-mail addresses: logins, as a rule
  Index names_;
};

/// Reads a roster: a header, then a student a row. Columns are known by their names in any case: `id` (or `student id`,
/// `student`, `sid`, `username`, `sis user id`), `name` (or `first name` and `last name`, ...), `email`, `section`; all
/// of whatever else ends in `id`, `login`, `username`, `github`, `number` or `identifier` are further ids. Which
/// system's they are says the column's name. Throws CsvError naming the line: no column of ids, a row without an id, an
/// id twice.
Roster read_roster(std::string_view text, std::string_view file);

/// Letters and digits of `text` alone, ASCII letters in lower case: as people and machines spell a name differently.
std::string folded(std::string_view text);

}  // namespace cudalabs::course
