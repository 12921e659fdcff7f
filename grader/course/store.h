// All that is known of a class, in one database. Gradings are only ever added.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "course/collect.h"
#include "course/database.h"
#include "course/records.h"
#include "course/roster.h"

namespace cudalabs::course {

/// An attempt as it was kept; its bytes are asked for by digest.
struct KeptAttempt {
  std::int64_t id = 0;
  Attempt attempt;  // without its bytes
};

class Store {
 public:
  enum class Open { make, existing };
  /// `folder`/class.db. Throws DatabaseError: when it is not there and should be, is of another version, or fails.
  Store(const std::filesystem::path& folder, Open how);

  /// Takes the place of the roster there was.
  void put_roster(const Roster& roster);
  /// Everybody who is on the roster or has handed something in, by id.
  std::vector<Student> students();
  /// Those on the roster alone.
  std::vector<Student> roster();

  /// Takes the place of what was collected from the same `source` for the same labs before.
  void put_collected(const std::string& source, const std::vector<std::string>& labs, const Collected& collected);
  /// In the order they came in.
  std::vector<KeptAttempt> attempts();
  std::vector<NotTaken> not_taken();
  std::string submission(const std::string& digest);

  /// Gradings that follow are of it. Its number.
  std::int64_t begin_run(const std::string& asked, std::int64_t started);
  /// Those that graded something, in their order.
  std::vector<Run> runs();

  void add(const Grading& grading);
  /// The last grading that came to a verdict, else the last, of every submission for every lab, by lab and digest;
  /// without its report. `last_run`: of this run and those before it alone.
  std::map<std::pair<std::string, std::string>, Grading> latest_gradings(
      std::optional<std::int64_t> last_run = std::nullopt);
  std::string report(std::int64_t grading);

  void add(const Adjustment& adjustment);
  std::vector<Adjustment> adjustments();

  /// Labs in whose class something was asked for, by id.
  std::vector<std::string> labs();

 private:
  std::vector<Student> students_where(const char* condition);

  Database database_;
};

}  // namespace cudalabs::course
