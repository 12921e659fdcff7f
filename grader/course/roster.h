// Who is in the class, and whom a submission says it is from.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "course/csv.h"

namespace cudalabs::course {

constexpr std::size_t kLongestId = 128;  // of a student, in bytes

struct Student {
  std::string id;  // names the student's rows and page; unique
  std::string name, email, section;
  std::vector<std::string> other_ids;  // in learning management systems: numbers and logins
};

/// What a submission says of whom it is from. Empty parts are not known.
struct Claim {
  std::vector<std::string> ids;      // ids, logins or e-mail addresses, the most certain first
  std::vector<std::string> numbers;  // of a learning management system's own, which are nobody's id elsewhere
  std::string name;                  // a person's, in any order of its words and with any signs between them
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
  };
  /// An id decides before a name does, and a number and a name must not contradict each other. `several`: it fits more
  /// than one student, so that nobody can tell.
  Match find(const Claim& claim) const;
  /// By the roster's own id alone; null when there is none.
  const Student* by_id(std::string_view id) const;

 private:
  Match find_in(const std::multimap<std::string, std::size_t>& index, const std::string& key) const;

  std::vector<Student> students_;
  std::multimap<std::string, std::size_t> ids_, numbers_, local_parts_, names_;
};

/// Reads a roster: a header, then a student a row. Columns are known by their names in any case: `id` (or `student id`,
/// `student`, `sid`, `username`, `sis user id`), `name` (or `first name` and `last name`, ...), `email`, `section`; all
/// of whatever else ends in `id`, `login`, `username`, `github`, `number` or `identifier` are further ids. Throws
/// CsvError naming the line: no column of ids, a row without an id, an id twice.
Roster read_roster(std::string_view text, std::string_view file);

/// Letters and digits of `text` alone, ASCII letters in lower case: as people and machines spell a name differently.
std::string folded(std::string_view text);

}  // namespace cudalabs::course
