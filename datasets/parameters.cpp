// Refuses cases whose parameters a generator cannot use.
#include "datasets/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cudalabs::datasets {

std::int64_t parameter(const CaseSpec& spec, std::string_view name, std::int64_t smallest, std::int64_t largest) {
  const auto found = spec.parameters.find(std::string(name));
  if (found == spec.parameters.end()) {
    throw std::invalid_argument(fmt::format("case `{}`: parameter `{}` is missing", spec.name, name));
  }
  if (found->second < smallest || found->second > largest) {
    throw std::invalid_argument(fmt::format("case `{}`: parameter `{}` is {}, not {} to {}", spec.name, name,
                                            found->second, smallest, largest));
  }
  return found->second;
}

void only_parameters(const CaseSpec& spec, std::initializer_list<std::string_view> known) {
  for (const auto& [name, value] : spec.parameters) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw std::invalid_argument(fmt::format("case `{}`: this lab's cases have no parameter `{}`", spec.name, name));
    }
  }
}

}  // namespace cudalabs::datasets
