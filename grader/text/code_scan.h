// A source read as text, without comments: names, and which functions are the device's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cudalabs {

/// The place of what a text does not have.
inline constexpr std::size_t kNowhere = std::string_view::npos;

bool is_word_letter(char letter);
bool is_digit(char letter);

std::size_t past_spaces(std::string_view text, std::size_t at);
/// The last place before `at` that is no space; kNowhere: there is none.
std::size_t before_spaces(std::string_view text, std::size_t at);
std::size_t end_of_word(std::string_view text, std::size_t at);
/// The word that ends before `at`, spaces apart; empty: something else does.
std::string_view word_before(std::string_view text, std::size_t at);
/// Without spaces at both ends.
std::string_view without_outer_spaces(std::string_view text);
/// Without any spaces and line ends.
std::string without_blanks(std::string_view text);
/// The statement that has the place, from its first letter up to its semicolon; empty: it is long, or has braces.
std::string_view statement_around(std::string_view code, std::size_t place);
/// What begins at `at`, up to the comma, semicolon or bracket that ends it. What is long is cut off.
std::string_view value_at(std::string_view code, std::size_t at);
/// One name, and nothing else: no number, no member.
bool is_identifier(std::string_view text);
/// It begins with "=", "+=", "<<=" or the like, and not with "==".
bool begins_assignment(std::string_view text);
/// Past the bracket that closes the one at `at`, a round, square or curly one or that of a template; kNowhere: none
/// does.
std::size_t past_bracket(std::string_view text, std::size_t at);
/// "a, f(b, c)" -> "a" and "f(b, c)": split at the commas that are in no brackets, without spaces around; no empty
/// items.
std::vector<std::string_view> items_of(std::string_view list);
/// The name at `at` is that of a member.
bool is_member(std::string_view text, std::size_t at);

/// Past the string that begins at `at`, or past its line where it does not end there; `at`: none begins there.
std::size_t past_string(std::string_view text, std::size_t at);

/// Calls `visit` with the place of each name; not of numbers, not of members, and not of what strings say. `text` does
/// not begin within a string.
template <typename Visit>
void for_each_name(std::string_view text, const Visit& visit) {
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '"') {
      const std::size_t end = past_string(text, at);
      at = end == at ? at + 1 : end;
      continue;
    }
    if (!is_word_letter(text[at])) {
      ++at;
      continue;
    }
    const std::size_t end = end_of_word(text, at);
    if (!is_digit(text[at]) && !is_member(text, at)) visit(at, text.substr(at, end - at));
    at = end;
  }
}

/// Whether one of its names is `wanted`.
bool has_name(std::string_view text, std::string_view wanted);

/// Of each place of `code`.
struct BodyPlace {
  bool device = false;  // in the body of a function of the device
  bool inside = false;  // in braces, but for those of namespaces
};
std::vector<BodyPlace> body_places(std::string_view code);

}  // namespace cudalabs
