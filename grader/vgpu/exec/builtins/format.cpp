// What device-side printf writes. Conversions are done by the C library one at a time, with a specification that was
// taken apart and put together again, so that a format from the device can name nothing else.
#include "vgpu/exec/builtins/format.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace cudalabs::vgpu::exec {

namespace {

constexpr std::size_t kLongestString = 1 << 16;
constexpr int kWidest = 4096;  // of a field

std::optional<std::string> read_string(std::uint64_t address, const ReadBytes& read) {
  std::string text;
  for (char c = 0; text.size() < kLongestString; text += c) {
    if (!read(address + text.size(), &c, 1)) return std::nullopt;
    if (c == 0) return text;
  }
  return text;
}

// The arguments, one after the other at their natural alignment.
class Arguments {
 public:
  Arguments(std::uint64_t address, const ReadBytes& read) : address_(address), read_(read) {}

  template <class T>
  std::optional<T> next() {
    offset_ = (offset_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value{};
    if (!read_(address_ + offset_, &value, sizeof value)) return std::nullopt;
    offset_ += sizeof value;
    return value;
  }

 private:
  std::uint64_t address_;
  std::uint64_t offset_ = 0;
  const ReadBytes& read_;
};

struct Specification {
  std::string flags;
  std::optional<int> width, precision;
  std::string length;
  char conversion = 0;
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Parses what follows '%'; `*` takes its number from the arguments. nullopt: not a specification.
std::optional<Specification> parse(std::string_view text, std::size_t& at, Arguments& arguments) {
  Specification spec;
  while (at < text.size() && std::string_view("-+ #0").find(text[at]) != std::string_view::npos)
    spec.flags += text[at++];
  const auto number = [&]() -> std::optional<int> {
    if (at < text.size() && text[at] == '*') {
      ++at;
      return arguments.next<std::int32_t>();
    }
    if (at >= text.size() || !is_digit(text[at])) return std::nullopt;
    int value = 0;
    for (; at < text.size() && is_digit(text[at]); ++at) value = std::min(kWidest, value * 10 + (text[at] - '0'));
    return value;
  };
  spec.width = number();
  if (spec.width && *spec.width < 0) {
    spec.flags += '-';
    spec.width = -*spec.width;
  }
  if (spec.width) spec.width = std::min(*spec.width, kWidest);
  if (at < text.size() && text[at] == '.') {
    ++at;
    spec.precision = number().value_or(0);
    if (*spec.precision < 0) spec.precision.reset();
    if (spec.precision) spec.precision = std::min(*spec.precision, kWidest);
  }
  while (at < text.size() && std::string_view("hljztL").find(text[at]) != std::string_view::npos)
    spec.length += text[at++];
  if (at >= text.size()) return std::nullopt;
  spec.conversion = text[at++];
  return spec;
}

template <class T>
void print(std::string& out, const Specification& spec, std::string_view length, T value) {
  std::string format = "%";
  format += spec.flags;
  if (spec.width) format += std::to_string(*spec.width);
  if (spec.precision) format.append(".").append(std::to_string(*spec.precision));
  format += length;
  format += spec.conversion;
  std::array<char, 256> small;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const int needed = std::snprintf(small.data(), small.size(), format.c_str(), value);
  if (needed < 0) return;
  if (static_cast<std::size_t>(needed) < small.size()) {
    out.append(small.data(), static_cast<std::size_t>(needed));
    return;
  }
  std::string large(static_cast<std::size_t>(needed) + 1, '\0');
  std::snprintf(large.data(), large.size(), format.c_str(), value);
#pragma GCC diagnostic pop
  out.append(large.data(), static_cast<std::size_t>(needed));
}

bool is_long(const Specification& spec) {
  return spec.length.find_first_of("ljzt") != std::string::npos;  // long is 64 bits wide on the device too
}

// Formats one argument; false when it cannot be read or the conversion is unknown.
bool convert(std::string& out, const Specification& spec, Arguments& arguments, const ReadBytes& read) {
  switch (spec.conversion) {
    case 'd':
    case 'i':
      if (is_long(spec)) {
        const auto value = arguments.next<std::int64_t>();
        if (value) print(out, spec, "ll", static_cast<long long>(*value));
        return value.has_value();
      } else {
        const auto value = arguments.next<std::int32_t>();
        const int narrow = !value                ? 0
                           : spec.length == "hh" ? static_cast<signed char>(*value)
                           : spec.length == "h"  ? static_cast<short>(*value)
                                                 : *value;
        if (value) print(out, spec, "", narrow);
        return value.has_value();
      }
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      if (is_long(spec)) {
        const auto value = arguments.next<std::uint64_t>();
        if (value) print(out, spec, "ll", static_cast<unsigned long long>(*value));
        return value.has_value();
      } else {
        const auto value = arguments.next<std::uint32_t>();
        const unsigned narrow = !value                ? 0
                                : spec.length == "hh" ? static_cast<unsigned char>(*value)
                                : spec.length == "h"  ? static_cast<unsigned short>(*value)
                                                      : *value;
        if (value) print(out, spec, "", narrow);
        return value.has_value();
      }
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A': {
      const auto value = arguments.next<double>();
      if (value) print(out, spec, "", *value);
      return value.has_value();
    }
    case 'c': {
      const auto value = arguments.next<std::int32_t>();
      if (value) print(out, spec, "", static_cast<int>(*value));
      return value.has_value();
    }
    case 'p': {
      const auto value = arguments.next<std::uint64_t>();
      if (value) print(out, spec, "", reinterpret_cast<void*>(*value));
      return value.has_value();
    }
    case 's': {
      const auto value = arguments.next<std::uint64_t>();
      if (!value) return false;
      const std::string text = *value == 0 ? "(null)" : read_string(*value, read).value_or("(unreadable)");
      print(out, spec, "", text.c_str());
      return true;
    }
    default:
      return false;
  }
}

}  // namespace

std::int32_t format_text(std::string& out, std::uint64_t format, std::uint64_t arguments, const ReadBytes& read) {
  const std::optional<std::string> text = read_string(format, read);
  if (!text) return -1;
  Arguments list(arguments, read);
  std::int32_t converted = 0;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t percent = text->find('%', at);
    out.append(*text, at, percent == std::string::npos ? std::string::npos : percent - at);
    if (percent == std::string::npos) break;
    at = percent + 1;
    if (at < text->size() && (*text)[at] == '%') {
      out += '%';
      ++at;
      continue;
    }
    const std::optional<Specification> spec = parse(*text, at, list);
    if (!spec || !convert(out, *spec, list, read)) {
      out.append(*text, percent, at - percent);  // as it stands
      continue;
    }
    ++converted;
  }
  return converted;
}

}  // namespace cudalabs::vgpu::exec
