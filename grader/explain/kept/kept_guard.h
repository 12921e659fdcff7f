// Conditions that decide by what a program keeps whether it has to do a thing again.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// "if (now.width == last.width) return true;", "if (n <= capacity) return;": the only condition of the host's code
/// that compares a `static` variable with something else and returns early. Its name is that variable.
std::optional<Setting> only_kept_guard(std::string_view source);

/// Of findings in the second of two calls, of which the first was right: shows that condition, where nothing surer is
/// known. `source` is the text of `file`.
void show_kept_guards(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
