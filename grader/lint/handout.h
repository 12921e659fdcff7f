// What a handout promises in its Markdown: the points table, and the files it links to.
#pragma once

#include <cstddef>
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

/// The words of a handout's body: not those of tables, of code blocks, and of what is folded, <details> to </details>.
std::size_t words_of_body(const std::string& markdown);

/// The ids in headings of the third level, "### `one`, `other`", in order.
std::vector<std::string> hinted_checks(const std::string& hints);

}  // namespace cudalabs::lint
