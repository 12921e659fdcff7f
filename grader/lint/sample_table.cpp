// The table of solutions/README.md.
#include "lint/sample_table.h"

#include <fmt/format.h>

#include <set>

namespace cudalabs::lint {
namespace {

std::string code_words(const std::set<std::string>& names) {
  std::string words;
  for (const std::string& name : names) words += fmt::format("{}`{}`", words.empty() ? "" : ", ", name);
  return words.empty() ? "-" : words;
}

}  // namespace

std::string table_of_samples(const std::vector<std::pair<Lab, std::vector<Sample>>>& labs) {
  std::string table = "| lab | findings that `wrong/` must get | checks that fail there without one |\n|---|---|---|\n";
  for (const auto& [lab, samples] : labs) {
    std::set<std::string> findings, checks;
    for (const Sample& sample : samples) {
      if (sample.kind != SampleKind::wrong) continue;
      const Expectation& expected = sample.expected;
      if (expected.kind == Expectation::Kind::errors) findings.insert(expected.names.begin(), expected.names.end());
      if (expected.kind == Expectation::Kind::failed_checks)
        checks.insert(expected.names.begin(), expected.names.end());
    }
    table += fmt::format("| `{}` | {} | {} |\n", lab.slug, code_words(findings), code_words(checks));
  }
  return table;
}

}  // namespace cudalabs::lint
