// Pages, held against files in golden/, and kept for the browser that looks at them.
#pragma once

#include <string>

namespace cudalabs::test {

/// Holds the page `html`, but for its style sheet, against golden/`file`, and writes it whole to the build folder's
/// pages/`file`. Every page has the same sheet, grader/page/templates/page.css.
void check_golden_page(const std::string& file, const std::string& html);

}  // namespace cudalabs::test
