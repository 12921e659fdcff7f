// Objects without a name, which end with their statement: what their destructors do comes before the next line.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// The last statement before `line`, in the same function, that makes an object of the type and gives it no name:
/// "Guard(stream);". Its name is the type's.
std::optional<Setting> unnamed_object(std::string_view source, std::string_view type, std::uint32_t line);

/// Of a launch that nobody asks about, but for a destructor before it: the statement whose object ended there.
/// `source` is the text of the finding's file.
void show_unnamed_object(MergedFinding& finding, std::string_view source);

}  // namespace cudalabs
