// Memory that a helper allocates for several callers, and that one of them never gives back.
#include "explain/memory/leaking_call.h"

#include <algorithm>
#include <string>
#include <utility>

#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

bool is_called_often(std::string_view code, std::string_view name) {
  int calls = -1;  // the definition looks like one
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (word == name && code.substr(past_spaces(code, at + word.size())).starts_with('(')) ++calls;
  });
  return calls >= 2;
}

}  // namespace

void show_leaking_call(MergedFinding& finding, std::string_view source) {
  const auto call = std::exchange(finding.cause, {});
  const bool elsewhere =
      call && call->place.known() && call->place.file == finding.where.file && call->place.line != finding.where.line;
  if (!elsewhere) return;
  const std::string code = without_comments(source);
  const auto function = function_around_line(code, finding.where.line);
  if (!function || !is_called_often(code, function->name)) return;
  finding.other = OtherPlace{"what this call of `" + function->name + "` allocates is not freed", call->place, {}, {}};
}

}  // namespace cudalabs
