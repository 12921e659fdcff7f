#include "lint/nearest_right.h"

#include <fmt/format.h>

#include <algorithm>

#include "lint/code_tokens.h"
#include "text/file_text.h"

namespace cudalabs::lint {

std::size_t places_from_nearest_right(const Sample& wrong, const std::vector<Sample>& samples) {
  const std::vector<std::string> own = tokens_of(text_of(wrong.file));
  std::size_t fewest = 0;
  for (const Sample& sample : samples) {
    if (sample.kind != SampleKind::solution && sample.kind != SampleKind::alternative &&
        sample.kind != SampleKind::ladder)
      continue;
    const std::string rest = sample.rest.empty() ? std::string() : text_of(sample.rest);
    const std::size_t places = places_of_difference(tokens_of(text_of(sample.file) + rest), own);
    fewest = fewest == 0 ? places : std::min(fewest, places);
    if (fewest == 1) break;
  }
  return fewest;
}

void count_places(PlacesOfWrong& counts, const std::vector<Sample>& samples) {
  for (const Sample& sample : samples) {
    if (sample.kind == SampleKind::wrong) ++counts[places_from_nearest_right(sample, samples)];
  }
}

std::string described(const PlacesOfWrong& counts) {
  std::string text;
  std::size_t more = 0;
  for (const auto& [places, samples] : counts) {
    if (places > kMostPlaces) {
      more += samples;
    } else {
      text += fmt::format("{}{} in {}", text.empty() ? "" : ", ", samples, places);
    }
  }
  if (more > 0) text += fmt::format("{}{} in more, with a reason", text.empty() ? "" : ", ", more);
  return text.empty() ? text
                      : fmt::format("places in which wrong samples differ from the nearest right one: {}\n", text);
}

}  // namespace cudalabs::lint
