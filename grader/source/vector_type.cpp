#include "source/vector_type.h"

#include <algorithm>
#include <array>
#include <utility>

namespace cudalabs {

int elements_of_vector(std::string_view type) {
  return bytes_of_vector(type) == 0 ? 0 : type.back() - '0';
}

std::int64_t bytes_of_vector(std::string_view type) {
  using Element = std::pair<std::string_view, std::int64_t>;
  constexpr std::array<Element, 12> kElements{{{"char", 1},
                                               {"uchar", 1},
                                               {"short", 2},
                                               {"ushort", 2},
                                               {"int", 4},
                                               {"uint", 4},
                                               {"float", 4},
                                               {"long", 8},
                                               {"ulong", 8},
                                               {"longlong", 8},
                                               {"ulonglong", 8},
                                               {"double", 8}}};
  if (type.empty() || type.back() < '1' || type.back() > '4') return 0;
  const auto element = std::ranges::find(kElements, type.substr(0, type.size() - 1), &Element::first);
  return element == kElements.end() ? 0 : element->second * (type.back() - '0');
}

}  // namespace cudalabs
