// What a handout promises in its Markdown: the points table, and the files it links to.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace cudalabs::lint {

/// The rows of the points table, as "id points": the lines "| `id` | … | points |" below the line that starts with
/// "| Check |", up to the first one that is no row.
std::set<std::string> points_table(const std::string& markdown);

/// The targets of links and pictures, "[text](target)", in order, without anchors; web addresses are left out.
std::vector<std::string> linked_files(const std::string& markdown);

/// The headings of the second level, "## Level 1", without the marks.
std::vector<std::string> sections(const std::string& markdown);

}  // namespace cudalabs::lint
