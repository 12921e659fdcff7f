// The submission's text for templates: each line with what ran of it, and what was found there.
#pragma once

#include <optional>
#include <string>

#include "page/graded_work.h"
#include "page/values.h"

namespace cudalabs::page {

/// The lab's id as a name for anchors.
std::string anchor_of(const Report& report);

/// Whether the page shows the line of the submission that `place` names.
bool is_shown(const Report& report, const FileSources& sources, const SourcePlace& place);

/// For the section `source` of the template `grading`; nothing where the text of the submission is not known.
std::optional<Values> source_values(const GradedWork& work);

}  // namespace cudalabs::page
