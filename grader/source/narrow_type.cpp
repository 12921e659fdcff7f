#include "source/narrow_type.h"

#include <array>

#include "text/code_scan.h"

namespace cudalabs {
namespace {

/// Longer spellings come before those that they end with.
constexpr std::array<NarrowType, 22> kNarrow{{{"unsigned short int", 0, 65535},
                                              {"unsigned short", 0, 65535},
                                              {"short unsigned int", 0, 65535},
                                              {"short unsigned", 0, 65535},
                                              {"uint16_t", 0, 65535},
                                              {"uint_least16_t", 0, 65535},
                                              {"ushort", 0, 65535},
                                              {"unsigned char", 0, 255},
                                              {"uint8_t", 0, 255},
                                              {"uint_least8_t", 0, 255},
                                              {"uint_fast8_t", 0, 255},
                                              {"uchar", 0, 255},
                                              {"signed char", -128, 127},
                                              {"int16_t", -32768, 32767},
                                              {"int_least16_t", -32768, 32767},
                                              {"signed short", -32768, 32767},
                                              {"short int", -32768, 32767},
                                              {"short", -32768, 32767},
                                              {"int8_t", -128, 127},
                                              {"int_least8_t", -128, 127},
                                              {"int_fast8_t", -128, 127},
                                              {"char", -128, 127}}};

bool stands_at(std::string_view text, std::size_t at, std::string_view word) {
  const std::size_t end = at + word.size();
  return text.substr(at).starts_with(word) && (end >= text.size() || !is_word_letter(text[end]));
}

}  // namespace

std::int64_t NarrowType::wrapped(std::int64_t value) const {
  const std::int64_t rest = (value - least) % values();
  return least + (rest < 0 ? rest + values() : rest);
}

std::optional<NarrowTypePlace> narrow_type_at(std::string_view text, std::size_t at) {
  for (const NarrowType& type : kNarrow)
    if (stands_at(text, at, type.spelling)) return NarrowTypePlace{type, at, at + type.spelling.size()};
  return std::nullopt;
}

std::optional<NarrowTypePlace> narrow_type_from(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (!is_word_letter(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = end_of_word(text, at);
    if (const auto found = narrow_type_at(text, at)) {
      end = found->end;
      const std::size_t name = past_spaces(text, end);
      const bool declares = name > end && name < text.size() && is_word_letter(text[name]) && !is_digit(text[name]);
      if (declares) return found;
    }
    at = end;
  }
  return std::nullopt;
}

}  // namespace cudalabs
