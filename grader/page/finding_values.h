// Findings for templates: as cards with their source lines, and as anchors that other parts of a page link to.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "page/finding_list.h"
#include "page/values.h"

namespace cudalabs::page {

/// "lab3-finding-2"; numbers count from 1.
std::string finding_anchor(const FindingList& list, std::size_t number);
/// "lab3-L12", a line of the first file that is shown whole, "lab3-F2-L12" of the second; empty for a line that the
/// page does not show.
std::string line_anchor(const FindingList& list, const SourcePlace& place);

/// For the template `finding`. `heading`: the level of its title. `checks`: "target", "name" and "last" of the checks
/// that do not pass because of it.
Values finding_values(const FindingList& list, std::size_t number, unsigned heading,
                      const std::vector<Values>& checks = {});

}  // namespace cudalabs::page
