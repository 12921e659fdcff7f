// Arrays of two dimensions as pictures, and where an output is wrong as a map.
#pragma once

#include <optional>

#include "check/comparison.h"
#include "datasets/picture.h"

namespace cudalabs {

/// Bytes of shape {height, width} or {height, width, 3} as they are; numbers of shape {height, width} from black, the
/// smallest, to white. Nothing for arrays of another shape.
std::optional<datasets::Picture> drawn(const datasets::Array& array);

/// What was expected, what came, and where it is wrong. Nothing for outputs that are not of two dimensions, and for
/// those whose expected values are a secret.
struct OutputPictures {
  datasets::Picture expected;
  datasets::Picture got;    // in the expected one's range of brightness; what is NaN or infinite is violet
  datasets::Picture wrong;  // right pixels pale, wrong ones red, never written ones blue, NaN and infinite ones violet
};
std::optional<OutputPictures> drawn(const Comparison& comparison);

/// Each pixel as a square of pixels, so large that a small picture can be seen: its longer side gets at least `side`
/// pixels unless a pixel would get more than 32 of them.
datasets::Picture enlarged(const datasets::Picture& picture, std::int64_t side = 512);

}  // namespace cudalabs
