// What a repair is in the words of the source.
#pragma once

#include <string>
#include <string_view>

#include "check/submission_run.h"

namespace cudalabs {

/// "`<` in place of `<=`"; empty where the source does not have what was changed in words that leave no doubt. `source`
/// is the submission's text.
std::string words_of(const Repair& repair, std::string_view source);

/// Whether it multiplies by a number what the line multiplies already, as "threadIdx.y * blockDim.y": then the factor
/// that is there is wrong, and nobody knows for what the number stands.
bool multiplies_product(const Repair& repair, std::string_view source);

}  // namespace cudalabs
