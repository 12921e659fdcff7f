// A lab's hints.md: sections "## Level N", in each of them a paragraph or more under "### `check`, `check`".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"

namespace cudalabs {

/// The check whose failure is to be fixed first; empty: none failed.
std::string check_to_fix(const Report& report);

/// What hints.md says about `check` at this level, from 1; empty: nothing. As Markdown.
std::string hint_for(std::string_view markdown, std::string_view check, unsigned level);

/// The levels that hints.md has.
unsigned hint_levels(std::string_view markdown);

/// Markdown's paragraphs and code blocks as a terminal shows them: wrapped at `width`, without marks; code is indented
/// and not wrapped.
std::string plain_text(std::string_view markdown, unsigned width);

}  // namespace cudalabs
