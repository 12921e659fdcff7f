// How cases are called in messages.
#include "check/case_name.h"

#include <fmt/format.h>

#include "text/enumeration.h"

namespace cudalabs {

std::string describe(const datasets::CaseSpec& spec) {
  if (spec.hidden) return fmt::format("hidden case `{}`", spec.name);
  return spec.title.empty() ? fmt::format("case `{}`", spec.name)
                            : fmt::format("case `{}` ({})", spec.name, spec.title);
}

std::string list_names(const std::vector<std::string>& names, std::size_t shown) {
  // "and 1 more" would be as long as the name it hides.
  const std::size_t count = names.size() <= shown + 1 ? names.size() : shown;
  if (count == names.size()) return enumeration_of_names(names);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += fmt::format("{}`{}`", i == 0 ? "" : ", ", names[i]);
  return text + fmt::format(" and {} more", names.size() - count);
}

}  // namespace cudalabs
