// How many elements of a shared array one line writes, where there are too few threads for all that is read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "check/merge.h"
#include "check/submission_run.h"
#include "source/array_text.h"
#include "source/function_text.h"

namespace cudalabs {

/// The first elements of the array.
struct WrittenPrefix {
  std::int64_t elements = 0;
  std::string text;  // the same in terms of the launch, "blockDim.x / 32", where that is so; else the number
  std::string why;   // "the block has 8 warps"; empty: not known
};

/// Of a read of an element that the only line cannot write which stores to the array: the threads of the block write
/// elements before it, all from the first on, in each launch that may have been the one. `code` has no comments.
std::optional<WrittenPrefix> written_prefix(const MergedFinding& finding, std::string_view code,
                                            const FunctionBody& function, const ElementText& store,
                                            const SubmissionRun& submission_run);

}  // namespace cudalabs
