// What each kind of finding is about, whatever submission it was seen in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cudalabs {

/// Sentences in Markdown without a full stop at the end of `title`.
struct FindingRule {
  std::string_view id;
  std::string_view title;  // what is wrong, in a line
  std::string_view help;   // why it matters and what to do
};

/// One for each id there is.
const std::vector<FindingRule>& finding_rules();

/// Null for an id that no rule is about.
const FindingRule* finding_rule(std::string_view id);

/// "SharedRace" of "shared-race".
std::string camel_case(std::string_view id);

}  // namespace cudalabs
