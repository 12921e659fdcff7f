// A generator's view of a case's parameters: present, in range, and no others.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "datasets/dataset.h"

namespace cudalabs::datasets {

/// The parameter `name` of a case. Throws std::invalid_argument naming it when it is missing or not in [smallest,
/// largest].
std::int64_t parameter(const CaseSpec& spec, std::string_view name, std::int64_t smallest, std::int64_t largest);

/// Throws std::invalid_argument naming the first parameter of a case that is not among `known`.
void only_parameters(const CaseSpec& spec, std::initializer_list<std::string_view> known);

}  // namespace cudalabs::datasets
