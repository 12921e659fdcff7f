// Findings for templates: as cards with their source lines, and as anchors that other parts of a page link to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "page/values.h"
#include "report/report.h"
#include "report/source_text.h"

namespace cudalabs::page {

/// "lab3-finding-2"; numbers count from 1.
std::string finding_anchor(const Report& report, std::size_t number);
/// "lab3-check-edges"
std::string check_anchor(const Report& report, const std::string& check);
/// "lab3-L12": a line of the submission; empty for a line that the page does not show.
std::string line_anchor(const Report& report, const FileSources& sources, const SourcePlace& place);

/// For the template `finding`. `heading`: the level of its title.
Values finding_values(const Report& report, std::size_t number, const FileSources& sources, unsigned heading);

}  // namespace cudalabs::page
