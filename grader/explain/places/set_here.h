// Where a variable is set, as the other place of a finding.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "vgpu/finding.h"

namespace cudalabs {

inline OtherPlace set_here(std::string_view variable, SourcePlace place) {
  return {
      fmt::format("`{}` is set here", variable), std::move(place), {}, {}, PlaceRole::setting, std::string(variable)};
}

}  // namespace cudalabs
