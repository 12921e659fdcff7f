// What to do about names and headers that a compiler does not find.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "build/error_source.h"
#include "vgpu/finding.h"

namespace cudalabs::builder {

/// What an error says is not declared anywhere, unless the compiler takes it for a slip of another name.
std::optional<std::string_view> unknown_name(std::string_view text);

/// The header that an error says is not there.
std::optional<std::string_view> missing_header(std::string_view text);

/// Of an error of a name, a member of `std` or a header; empty: it is of none, or no advice is known. What follows
/// another error of its line may follow from it.
std::string help_with_name(const Finding& error, const ErrorSource& source, bool first_of_line);

}  // namespace cudalabs::builder
