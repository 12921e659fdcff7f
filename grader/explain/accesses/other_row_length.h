// A pointer that the host moves on by rows of another matrix, before it hands it to a kernel.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// Of an access past the end of an array, or of elements that are wrong or missing, as the first finding: the argument
/// "d_a + done * p", where the kernel takes rows of `n` elements from that parameter, and rows of `p` from another one.
/// The launch is read, and the only calls of the functions around it. `source` is the text of `file`.
void show_other_row_length(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
