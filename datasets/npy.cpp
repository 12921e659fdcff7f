// The NPY header is text written by programs for programs; what this reader takes is the grammar numpy.save writes.
#include "datasets/npy.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "datasets/array.h"

namespace cudalabs::datasets {
namespace {

static_assert(std::endian::native == std::endian::little, "NPY files are written as memory holds them");

constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);
constexpr std::size_t kPreamble = 10;  // magic, version, and two bytes for the header's length

struct TypeName {
  ElementType type;
  std::string_view name;
};
constexpr std::array kTypeNames = {TypeName{ElementType::f32, "<f4"}, TypeName{ElementType::f64, "<f8"},
                                   TypeName{ElementType::i32, "<i4"}, TypeName{ElementType::u8, "|u1"}};

std::string_view npy_type(ElementType type) {
  for (const TypeName& known : kTypeNames) {
    if (known.type == type) return known.name;
  }
  throw std::invalid_argument("unknown element type");
}

/// A cursor over the header's text; every take_ function skips leading blanks.
class HeaderCursor {
 public:
  explicit HeaderCursor(std::string_view text) : text_(text) {}

  bool take(std::string_view token) {
    skip_blanks();
    if (!text_.starts_with(token)) return false;
    text_.remove_prefix(token.size());
    return true;
  }

  void expect(std::string_view token) {
    if (!take(token)) throw std::invalid_argument(fmt::format("npy header: `{}` expected", token));
  }

  std::string_view take_string() {
    expect("'");
    const std::size_t end = text_.find('\'');
    if (end == std::string_view::npos) throw std::invalid_argument("npy header: a string does not end");
    const std::string_view string = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return string;
  }

  std::optional<std::int64_t> take_integer() {
    skip_blanks();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc{}) return std::nullopt;
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return value;
  }

  bool at_end() {
    skip_blanks();
    return text_.empty();
  }

 private:
  void skip_blanks() { text_.remove_prefix(std::min(text_.find_first_not_of(" \n"), text_.size())); }

  std::string_view text_;
};

ElementType parse_type(std::string_view name) {
  for (const TypeName& known : kTypeNames) {
    if (known.name == name) return known.type;
  }
  throw std::invalid_argument(fmt::format("npy header: type `{}` is not one of ours", name));
}

std::vector<std::int64_t> parse_shape(HeaderCursor& cursor) {
  std::vector<std::int64_t> shape;
  cursor.expect("(");
  while (!cursor.take(")")) {
    const std::optional<std::int64_t> extent = cursor.take_integer();
    if (!extent) throw std::invalid_argument("npy header: an extent is not a number");
    shape.push_back(*extent);
    if (!cursor.take(",")) {
      cursor.expect(")");
      break;
    }
  }
  return shape;
}

void parse_header(std::string_view text, Array& array) {
  HeaderCursor cursor(text);
  bool has_type = false, has_order = false, has_shape = false;
  cursor.expect("{");
  while (!cursor.take("}")) {
    const std::string_view key = cursor.take_string();
    cursor.expect(":");
    if (key == "descr" && !has_type) {
      array.type = parse_type(cursor.take_string());
      has_type = true;
    } else if (key == "fortran_order" && !has_order) {
      if (!cursor.take("False")) throw std::invalid_argument("npy header: only row-major arrays are read");
      has_order = true;
    } else if (key == "shape" && !has_shape) {
      array.shape = parse_shape(cursor);
      has_shape = true;
    } else {
      throw std::invalid_argument(fmt::format("npy header: key `{}` is unknown or repeated", key));
    }
    if (!cursor.take(",")) {
      cursor.expect("}");
      break;
    }
  }
  if (!cursor.at_end()) throw std::invalid_argument("npy header: text after the dictionary");
  if (!has_type || !has_order || !has_shape) throw std::invalid_argument("npy header: a key is missing");
}

}  // namespace

std::string npy_bytes(const Array& array) {
  if (array.data.size() != static_cast<std::size_t>(array.elements()) * size_in_bytes(array.type)) {
    throw std::invalid_argument(fmt::format("array `{}`: the shape and the number of bytes differ", array.name));
  }
  std::string shape;
  for (const std::int64_t extent : array.shape) shape += fmt::format("{}, ", extent);
  if (array.shape.size() == 1) shape.pop_back();              // "(3,)": a tuple of one keeps its comma
  if (array.shape.size() > 1) shape.erase(shape.size() - 2);  // "(2, 3)"
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", npy_type(array.type), shape);
  const std::size_t used = kPreamble + header.size() + 1;  // 1: the newline that ends it
  header.append((64 - used % 64) % 64, ' ');
  header += '\n';
  if (header.size() > 0xffff) throw std::invalid_argument("an array has too many axes for NPY 1.0");

  std::string bytes(kMagic);
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(array.data.data()), array.data.size());
  return bytes;
}

void write_npy(const std::filesystem::path& path, const Array& array) {
  const std::string bytes = npy_bytes(array);
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  if (!stream) throw std::runtime_error(path.string() + ": cannot be written");
}

Array parse_npy(std::span<const std::byte> bytes, std::string name) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.size() < kPreamble || !text.starts_with(kMagic)) throw std::invalid_argument("not an NPY 1.0 file");
  const std::size_t length = static_cast<unsigned char>(text[8]) + 256u * static_cast<unsigned char>(text[9]);
  if (text.size() - kPreamble < length) throw std::invalid_argument("npy header: cut short");
  Array array;
  array.name = std::move(name);
  parse_header(text.substr(kPreamble, length), array);

  const std::span<const std::byte> data = bytes.subspan(kPreamble + length);
  const std::size_t element = size_in_bytes(array.type);
  if (data.size() % element != 0 || static_cast<std::size_t>(array.elements()) != data.size() / element) {
    throw std::invalid_argument(fmt::format("npy data: {} bytes, where the header promises {} elements of {} bytes",
                                            data.size(), array.elements(), element));
  }
  array.data.assign(data.begin(), data.end());
  return array;
}

Array read_npy(const std::filesystem::path& path, std::string name) {
  std::ifstream stream(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (!stream) throw std::runtime_error(path.string() + ": cannot be read");
  try {
    return parse_npy(std::as_bytes(std::span(bytes)), std::move(name));
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(path.string() + ": " + error.what());
  }
}

}  // namespace cudalabs::datasets
