// PNG files to pictures and back, by libpng's simplified interface.
#include "datasets/png.h"

#include <fmt/format.h>
#include <png.h>

#include <array>
#include <string_view>

namespace cudalabs::datasets {
namespace {

/// libpng's state; freed whatever happens.
class Image {
 public:
  Image() { image_.version = PNG_IMAGE_VERSION; }
  ~Image() { png_image_free(&image_); }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  png_image* operator->() { return &image_; }
  png_image* get() { return &image_; }

 private:
  png_image image_{};
};

constexpr std::array kSignature{0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A};

bool is_png(std::span<const std::byte> file) {
  if (file.size() < kSignature.size()) return false;
  for (std::size_t i = 0; i < kSignature.size(); ++i) {
    if (std::to_integer<int>(file[i]) != kSignature[i]) return false;
  }
  return true;
}

}  // namespace

Picture decode_png(std::span<const std::byte> file, std::int64_t most_pixels) {
  if (!is_png(file)) throw PngError("it is no PNG");
  Image image;
  if (png_image_begin_read_from_memory(image.get(), file.data(), file.size()) == 0) {
    throw PngError(fmt::format("it is a damaged PNG ({})", image->message));
  }
  const auto width = static_cast<std::int64_t>(image->width), height = static_cast<std::int64_t>(image->height);
  if (width > most_pixels / height) {
    throw PngError(fmt::format("it has {} × {} pixels, and at most {} are taken", width, height, most_pixels));
  }
  image->format = PNG_FORMAT_RGB;
  Picture picture{width, height, 3, std::vector<std::uint8_t>(static_cast<std::size_t>(3 * width * height))};
  const png_color white{255, 255, 255};
  if (png_image_finish_read(image.get(), &white, picture.bytes.data(), 0, nullptr) == 0) {
    throw PngError(fmt::format("it is a damaged PNG ({})", image->message));
  }
  return picture;
}

std::string encode_png(const Picture& picture) {
  if (picture.width < 1 || picture.height < 1 || (picture.channels != 1 && picture.channels != 3) ||
      static_cast<std::int64_t>(picture.bytes.size()) != picture.width * picture.height * picture.channels) {
    throw std::invalid_argument("a picture whose sizes and bytes do not agree");
  }
  Image image;
  image->width = static_cast<png_uint_32>(picture.width);
  image->height = static_cast<png_uint_32>(picture.height);
  image->format = picture.channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(*image.get());
  std::string file(size, '\0');
  if (png_image_write_to_memory(image.get(), file.data(), &size, 0, picture.bytes.data(), 0, nullptr) == 0) {
    throw std::runtime_error(fmt::format("cannot make a PNG: {}", image->message));
  }
  file.resize(size);
  return file;
}

}  // namespace cudalabs::datasets
