#include "patch/partner_names.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace cudalabs::patch {
namespace {

bool is_upper(char letter) {
  return letter >= 'A' && letter <= 'Z';
}
bool is_lower(char letter) {
  return letter >= 'a' && letter <= 'z';
}

/// "tile" and "width" of "tileWidth", "tile_width" and "TILE_WIDTH"; an end like the "x" of "blockx" is no part.
std::vector<std::string> parts_of(std::string_view name) {
  std::vector<std::string> parts(1);
  for (std::size_t at = 0; at < name.size(); ++at) {
    const char letter = name[at];
    const bool begins = letter == '_' || (at > 0 && is_upper(letter) && is_lower(name[at - 1]));
    if (begins && !parts.back().empty()) parts.emplace_back();
    if (letter != '_') parts.back() += is_upper(letter) ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  return parts;
}

bool are_partners(std::string_view left, std::string_view right) {
  using Pair = std::pair<std::string_view, std::string_view>;
  constexpr std::array<Pair, 13> kPairs{{{"w", "h"},
                                         {"x", "y"},
                                         {"m", "n"},
                                         {"n", "k"},
                                         {"m", "k"},
                                         {"row", "col"},
                                         {"row", "column"},
                                         {"rows", "cols"},
                                         {"rows", "columns"},
                                         {"r", "c"},
                                         {"width", "height"},
                                         {"wide", "high"},
                                         {"horizontal", "vertical"}}};
  return std::ranges::any_of(kPairs, [&](const Pair& pair) {
    return pair == Pair{left, right} || pair == Pair{right, left};
  });
}

/// "bm" and "bn": a short part whose last letter says which one it is.
bool end_in_partners(std::string_view left, std::string_view right) {
  constexpr std::size_t kLongest = 3;
  const std::size_t stem = left.size() - 1;
  return left.size() == right.size() && left.size() > 1 && left.size() <= kLongest &&
         left.substr(0, stem) == right.substr(0, stem) && are_partners(left.substr(stem), right.substr(stem));
}

}  // namespace

bool are_partner_names(std::string_view left, std::string_view right) {
  const std::vector<std::string> first = parts_of(left), second = parts_of(right);
  if (first.size() != second.size()) return false;
  std::size_t different = 0, partners = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] == second[i]) continue;
    ++different;
    partners += are_partners(first[i], second[i]) || end_in_partners(first[i], second[i]) ? 1 : 0;
  }
  return different == 1 && partners == 1;
}

}  // namespace cudalabs::patch
