#include "check/checks/lab6_late_wait.h"

#include <fmt/format.h>

#include "check/checks/lab6_times.h"
#include "source/end_of_scope.h"
#include "text/code_text.h"

namespace cudalabs::lab6 {

std::string late_wait(const WatchedCall& wait, std::string_view source) {
  const std::string text = fmt::format("`{}`{} waits after the clock was read", wait.name, place(wait));
  const bool in_file = wait.outer.known() && wait.outer.file == wait.where.file;
  const auto order =
      in_file ? clock_that_ends_before(without_comments(source), wait.where.line, wait.outer.line) : std::nullopt;
  if (!order) return text + ": the time holds no wait";
  return text + fmt::format(
                    ": `{}` (line {}) is declared before `{}` (line {}), so it is destroyed after it; exchange "
                    "these two lines",
                    order->late, order->late_line, order->early, order->early_line);
}

}  // namespace cudalabs::lab6
