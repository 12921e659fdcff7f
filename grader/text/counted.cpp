#include "text/counted.h"

namespace cudalabs {

std::string counted(std::uint64_t number, std::string_view noun) {
  return counted(number, noun, std::string(noun) + 's');
}

std::string counted(std::uint64_t number, std::string_view one, std::string_view many) {
  return std::to_string(number).append(" ").append(number == 1 ? one : many);
}

}  // namespace cudalabs
