// What earns points, as data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cudalabs {

enum class Category : std::uint8_t { build, correctness, sync, speed, quality };
std::string_view name_of(Category category);

/// One thing that a check asks of the submission. In lab.toml the name with hyphens: "right-results".
struct Ask {
  enum class Kind : std::uint8_t {
    builds,              // the submission compiles and defines the contract's functions
    right_results,       // the cases run to their end, and every output, or the one named, is right
    complete_results,    // likewise, and every element was written and is finite where it has to be
    message_on_failure,  // something is printed in a case in which a call is made to fail
    fast_enough,         // what [[speed]] of this check says
    none                 // "no shared-race", "no memory-errors": the cases show no such finding
  };
  Kind kind = Kind::builds;
  std::vector<std::string> findings = {};  // of `none`: ids of findings and names of groups, see ids_named()

  bool operator==(const Ask&) const = default;
};

/// Which cases a check looks at.
enum class CaseChoice : std::uint8_t {
  tagged,      // those that are tagged with the check's id, or all where none is
  all,         // whatever their tags
  undisturbed  // all in which no call is made to fail
};

/// One line of the rubric: it earns all or nothing. What it asks for decides it; where it asks for nothing, the Catch2
/// test case tagged [lab-id][check-id] in grader/check/checks/ does.
struct Check {
  std::string id;     // "rectangular"
  std::string title;  // the sentence the student reads: "rectangular products are right"
  Category category = Category::correctness;
  double points = 0;
  std::vector<std::string> needs;  // ids of checks that must pass first, else this one is skipped
  std::string help;                // what to read or do when it fails
  std::vector<Ask> asks = {};      // looked at in order, up to the first that is not met
  CaseChoice cases = CaseChoice::tagged;
  std::string output = {};  // of `right_results`: only this one counts; empty: all
};

}  // namespace cudalabs
