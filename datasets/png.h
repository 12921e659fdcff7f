// PNG files to pictures and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "datasets/picture.h"

namespace cudalabs::datasets {

/// Bytes that are no picture, or one that is too large; `what()` says which, without naming a file.
class PngError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// In red, green and blue whatever the file holds; what is transparent is laid on white. A picture of more than
/// `most_pixels` is refused before anything of that size is allocated.
Picture decode_png(std::span<const std::byte> file, std::int64_t most_pixels);

/// The same bytes for the same picture with one version of libpng. Throws std::invalid_argument for a picture whose
/// sizes and bytes do not agree.
std::string encode_png(const Picture& picture);

}  // namespace cudalabs::datasets
