// A member that owns memory, and is given other memory before that is freed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// Where memory of the member is lost whose allocation is in line `allocated`: the assignment of a move that frees
/// nothing, of a type whose destructor frees the member; or the allocation itself, in a function of such a type that
/// may be called again, and frees nothing before. `code` has no comments.
std::optional<Setting> overwritten_owner(std::string_view code, std::uint32_t allocated);

/// Shows it beside memory that leaks where no call has failed. `source` is the text of `file`.
void show_overwritten_owners(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                             const SubmissionRun& submission_run);

}  // namespace cudalabs
