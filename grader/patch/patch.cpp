#include "patch/patch.h"

namespace cudalabs::patch {

std::string applied(std::string_view code, const Patch& patch) {
  std::string text(code.substr(0, patch.begin));
  text += patch.replacement;
  text += code.substr(patch.begin + patch.length);
  return text;
}

}  // namespace cudalabs::patch
