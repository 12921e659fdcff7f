// What a page shows of a case as pictures.
#include "cli/page_pictures.h"

#include <algorithm>

#include "check/case_name.h"
#include "check/pictures.h"
#include "datasets/png.h"

namespace cudalabs {
namespace {

/// One byte a pixel where its three are the same: numbers make long files.
datasets::Picture without_needless_colors(const datasets::Picture& picture) {
  if (picture.channels != 3) return picture;
  datasets::Picture grey{picture.width, picture.height, 1, {}};
  for (std::size_t i = 0; i < picture.bytes.size(); i += 3) {
    if (picture.bytes[i] != picture.bytes[i + 1] || picture.bytes[i] != picture.bytes[i + 2]) return picture;
    grey.bytes.push_back(picture.bytes[i]);
  }
  return grey;
}

page::Image image(const std::string& name, const datasets::Picture& picture) {
  return {name, datasets::encode_png(without_needless_colors(picture)), picture.width, picture.height};
}

}  // namespace

std::optional<page::CasePictures> pictures_for_page(const CaseRun& case_run) {
  page::CasePictures pictures{describe(case_run.test.spec), {}, {}};
  bool bytes = false;
  for (const Comparison& comparison : case_run.judged().comparisons) {
    const auto drawings = drawn(comparison);
    if (!drawings) continue;
    const std::int64_t wrong = comparison.elements() - comparison.count(Fault::none);
    bytes = bytes || comparison.type == datasets::ElementType::u8;
    pictures.outputs.push_back({comparison.name, wrong, comparison.elements()});
    pictures.images.push_back(image("`" + comparison.name + "` as it is", drawings->got));
    if (wrong == 0) continue;  // the three would be one
    pictures.images.push_back(image("`" + comparison.name + "` as expected", drawings->expected));
    pictures.images.push_back(image("difference", drawings->wrong));
  }
  if (pictures.outputs.empty() || (!bytes && !pictures.wrong())) return std::nullopt;
  if (!bytes) return pictures;
  std::vector<page::Image> inputs;
  for (const datasets::Array& input : case_run.test.inputs) {
    if (const auto picture = drawn(input)) inputs.push_back(image("input `" + input.name + "`", *picture));
  }
  pictures.images.insert(pictures.images.begin(), inputs.begin(), inputs.end());
  return pictures;
}

}  // namespace cudalabs
