// Calls of a source's own functions: which parameter an argument is for.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"
#include "patch/token_roles.h"

namespace cudalabs::patch {

struct ArgumentFor {
  std::string_view function, parameter;  // "fetch" and "rows"
};

class OwnCalls {
 public:
  /// The source must outlive it.
  explicit OwnCalls(const PatchedSource& source);

  /// Of the tokens, if they are one argument as a whole; `open` is the bracket around them. Nothing where several
  /// functions have the name, or the parameter has none. Launches are calls, too.
  std::optional<ArgumentFor> argument_for(const TokenRange& tokens, std::size_t open) const;

 private:
  std::size_t called_before(std::size_t open) const;

  const PatchedSource& source_;
  const TokenRoles& roles_;
  std::map<std::string, std::vector<std::string>, std::less<>> parameters_;  // by the function's name
  mutable std::size_t last_open_ = kNoToken;  // whose arguments are known, for they are asked for one after the other
  mutable std::vector<TokenRange> arguments_;
};

}  // namespace cudalabs::patch
