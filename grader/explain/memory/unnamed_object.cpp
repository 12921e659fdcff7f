// Objects without a name, which end with their statement.
#include "explain/memory/unnamed_object.h"

#include <fmt/format.h>

#include <string>

#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// What stands before the statement that begins at `at` ends another one.
bool is_at_statement(std::string_view body, std::size_t at) {
  const std::size_t last = before_spaces(body, at);
  return last == std::string_view::npos || std::string_view(";{}").find(body[last]) != std::string_view::npos;
}

/// Past the template's arguments, if there are any.
std::size_t past_arguments(std::string_view body, std::size_t at) {
  at = past_spaces(body, at);
  if (at >= body.size() || body[at] != '<') return at;
  const std::size_t end = past_bracket(body, at);
  return end == std::string_view::npos ? body.size() : past_spaces(body, end);
}

}  // namespace

std::optional<Setting> unnamed_object(std::string_view source, std::string_view type, std::uint32_t line) {
  const std::string code = without_comments(source);
  const auto function = function_around_line(code, line);
  if (!function) return std::nullopt;
  const auto before = static_cast<std::size_t>(text_lines(code)[line - 1].data() - code.data());
  if (before < function->begin) return std::nullopt;
  const std::string_view body = std::string_view(code).substr(function->begin, before - function->begin);
  std::size_t last = std::string_view::npos;
  for_each_name(body, [&](std::size_t at, std::string_view word) {
    if (word != type || !is_at_statement(body, at)) return;
    const std::size_t open = past_arguments(body, at + word.size());
    if (open >= body.size() || (body[open] != '(' && body[open] != '{')) return;
    const std::size_t end = past_bracket(body, open);
    if (end != std::string_view::npos && body.substr(past_spaces(body, end)).starts_with(';')) last = at;
  });
  if (last == std::string_view::npos) return std::nullopt;
  return setting_at_place(code, function->begin + last, type);
}

void show_unnamed_object(MergedFinding& finding, std::string_view source) {
  if (finding.id != finding_ids::kUncheckedLaunch || !finding.other || !finding.other->place.known()) return;
  if (finding.other->place.file != finding.where.file) return;
  const std::uint32_t asked = finding.other->place.line;
  const std::string type = destructor_around(source, asked);
  const auto object = type.empty() ? std::nullopt : unnamed_object(source, type, finding.where.line);
  if (!object) return;
  finding.note = fmt::format("`~{}` asks in line {}, and so before the launch{}{}", type, asked,
                             finding.note.empty() ? "" : "\n", finding.note);
  finding.other = OtherPlace{fmt::format("this `{}` has no name: it ends with this statement", type),
                             {finding.where.file, object->line, object->column},
                             {},
                             {}};
  finding.help = fmt::format(
      "give the object a name, such as `{} guard(...)`: then it lives to the end of the block, and its destructor asks "
      "after the launch",
      type);
}

}  // namespace cudalabs
