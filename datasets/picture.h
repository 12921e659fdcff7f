// Pictures as the labs know them, and cases made from a picture that a person brings.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "datasets/dataset.h"

namespace cudalabs::datasets {

/// Rows from top to bottom, pixels from left to right, `channels` bytes each: 1 grey, 3 red, green and blue.
struct Picture {
  std::int64_t width = 0, height = 0;
  int channels = 3;
  std::vector<std::uint8_t> bytes;

  bool operator==(const Picture&) const = default;
};

/// Makes a case from a colour picture of at least one pixel; `spec` names it.
using PictureGenerator = Case (*)(const CaseSpec& spec, const Picture& picture);

/// The generator of this name, see generator_for(); null where it does not work on pictures.
PictureGenerator picture_generator_for(std::string_view name);

/// As RegisterGenerator, for one that works on pictures.
struct RegisterPictureGenerator {
  RegisterPictureGenerator(std::string_view name, PictureGenerator generator);
};

}  // namespace cudalabs::datasets
