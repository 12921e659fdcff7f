// Cases of a submission's own: next to the sizes at which its code may do something else.
#pragma once

#include <string_view>
#include <vector>

#include "lab/lab.h"

namespace cudalabs {

/// Of the numbers that `source` has, as its lab asks for them; each is called after the one before, so that what is
/// kept from call to call is of another size. Empty where the lab tries no such shapes or the source has no such
/// numbers. The same for the same source, whatever its comments say.
std::vector<datasets::CaseSpec> boundary_cases(const Lab& lab, std::string_view source);

/// The lab with these cases after its own.
Lab with_boundary_cases(const Lab& lab, std::string_view source);

}  // namespace cudalabs
