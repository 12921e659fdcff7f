// Names of several, of whom the first stand for all.
#include "course/listed.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "text/counted.h"

namespace cudalabs::course {

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 5;
  const std::span shown(names.data(), std::min(names.size(), kMost));
  const std::string text = fmt::format("{}", fmt::join(shown, ", "));
  return names.size() <= kMost ? text : fmt::format("{} and {} more", text, names.size() - kMost);
}

void note_missing(std::vector<std::string>& notes, const std::vector<std::string>& missing, std::size_t students,
                  const std::string& where) {
  if (missing.empty()) return;
  notes.push_back(fmt::format("{} of {} of the class {} not in the {}: {}", missing.size(),
                              counted(students, "student"), missing.size() == 1 ? "is" : "are", where,
                              listed(missing)));
}

void note_strangers(std::vector<std::string>& notes, const std::vector<std::string>& strangers,
                    const std::string& where) {
  if (strangers.empty()) return;
  notes.push_back(fmt::format("{} of the {} {} of nobody in this class: {}", counted(strangers.size(), "row"), where,
                              strangers.size() == 1 ? "is" : "are", listed(strangers)));
}

}  // namespace cudalabs::course
