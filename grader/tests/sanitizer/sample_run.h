// A run as a program might have had it, with everything that renderers show.
#pragma once

#include "report/source_text.h"
#include "sanitizer/run_report.h"

namespace cudalabs::test {

/// A race with both places, a leak without a line, advice, one finding that is suppressed; a failure and a remark.
sanitizer::RunReport sample_run();

/// Nothing found.
sanitizer::RunReport clean_run();

/// As hostile as names in a program can be.
sanitizer::RunReport hostile_run();

/// The text of "src/tree.cu".
FileSources sample_sources();

}  // namespace cudalabs::test
