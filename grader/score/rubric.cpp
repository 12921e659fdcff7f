// The rule that rubric and test cases belong together one to one.
#include "score/rubric.h"

#include <fmt/format.h>

#include <algorithm>

namespace cudalabs {
namespace {

struct Decided {
  const Lab* lab;
  const Check* check;
};

std::vector<Decided> decided_by(const TestCase& test, const std::vector<Lab>& labs) {
  std::vector<Decided> found;
  for (const Lab& lab : labs) {
    if (!test.has_tag(lab.id)) continue;
    for (const Check& check : lab.checks) {
      if (test.has_tag(check.id)) found.push_back({&lab, &check});
    }
  }
  return found;
}

void check_test_case(const TestCase& test, const std::vector<Lab>& labs, std::vector<std::string>& faults) {
  const std::vector<Decided> decided = decided_by(test, labs);
  if (decided.size() != 1) {
    faults.push_back(fmt::format("test case \"{}\" decides {} checks, not one", test.name, decided.size()));
    return;
  }
  const auto [lab, check] = decided.front();
  if (!(check->points > 0)) {
    faults.push_back(
        fmt::format("test case \"{}\" decides `{}` of {}, which earns no points", test.name, check->id, lab->id));
  }
  const std::string name = fmt::format("{}: {}", lab->id, check->title);
  if (check->asks.empty() && test.name != name)
    faults.push_back(fmt::format("test case \"{}\" should be called \"{}\"", test.name, name));
}

void check_lab(const Lab& lab, const std::vector<TestCase>& registered, std::vector<std::string>& faults) {
  for (auto check = lab.checks.begin(); check != lab.checks.end(); ++check) {
    const auto deciding = std::ranges::count_if(
        registered, [&](const TestCase& test) { return test.has_tag(lab.id) && test.has_tag(check->id); });
    if (deciding != 1) {
      faults.push_back(fmt::format("`{}` of {} is decided by {} test cases, not one", check->id, lab.id, deciding));
    }
    for (const std::string& need : check->needs) {
      if (std::ranges::find(lab.checks.begin(), check, need, &Check::id) == check) {
        faults.push_back(fmt::format("`{}` of {} needs `{}`, which does not stand before it", check->id, lab.id, need));
      }
    }
  }
}

}  // namespace

std::vector<std::string> rubric_faults(const std::vector<Lab>& labs, const std::vector<TestCase>& registered) {
  std::vector<std::string> faults;
  for (const Lab& lab : labs) check_lab(lab, registered, faults);
  for (const TestCase& test : registered) check_test_case(test, labs, faults);
  return faults;
}

}  // namespace cudalabs
