// Pointers that outlive a call, and keep the address of memory that it has freed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// The pointers that lines of the source allocate for, and free, that outlive the function, and that nothing sets to
/// null: where they are declared, in the order of their allocations.
std::vector<Setting> stale_pointers(std::string_view source);

/// Of memory that a second call frees although it is free, where the first call went well: shows such pointers.
/// `source` is the text of `file`.
void show_kept_pointers(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
