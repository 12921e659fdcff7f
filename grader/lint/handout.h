// What a handout has in its Markdown: the files it links to, and its sections.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cudalabs::lint {

/// The targets of links and pictures, "[text](target)", in order, without anchors; web addresses are left out.
std::vector<std::string> linked_files(const std::string& markdown);

/// The headings of the second level, "## Level 1", without the marks.
std::vector<std::string> sections(const std::string& markdown);

/// The words of a handout's body: not those of tables, of code blocks, and of what is folded, <details> to </details>.
std::size_t words_of_body(const std::string& markdown);

/// The ids in headings of the third level, "### `one`, `other`", in order.
std::vector<std::string> hinted_checks(const std::string& hints);

}  // namespace cudalabs::lint
