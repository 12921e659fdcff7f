// What makes the value of a call: the source's own function, or macro, that is called. Read as text.
#pragma once

#include <optional>
#include <string_view>

#include "source/setting_text.h"

namespace cudalabs {

struct CallValue {
  std::string_view name;  // that is called
  std::string_view text;  // what it returns, or becomes; of the source
  Setting where;          // the line that says so

  bool operator==(const CallValue&) const = default;
};

/// Of an expression that is one call, and nothing else: the only `return` of the only function of that name, or the
/// only macro of that name with parameters. Nothing where that is not clear. `code` has no comments.
std::optional<CallValue> value_of_call(std::string_view code, std::string_view expression);

}  // namespace cudalabs
