// Nothing in a lab needs 16 bits: where a program has one such variable, and wrong results, it is worth a look.
#include "explain/values/narrow_variable.h"

#include <fmt/format.h>

#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// Nothing, or where a variable of the statement is set.
bool may_be_replaced(const std::optional<OtherPlace>& other) {
  return !other || other->role == PlaceRole::setting;
}

/// The type at the end of which `at` is, and a name, belong to the definition of a function.
bool begins_function(std::string_view code, std::size_t at) {
  const std::size_t name = past_spaces(code, at), open = past_spaces(code, end_of_word(code, name));
  if (open >= code.size() || code[open] != '(') return false;
  const std::size_t end = past_bracket(code, open);
  return end != kNowhere && code.substr(past_spaces(code, end)).starts_with('{');
}

}  // namespace

std::optional<NarrowDeclaration> only_declaration_of_16_bits(std::string_view source) {
  constexpr std::int64_t kValues = 65536;
  const std::string code = without_comments(source);
  std::optional<NarrowDeclaration> found;
  for (auto place = narrow_type_from(code, 0); place; place = narrow_type_from(code, place->end)) {
    if (place->type.values() != kValues) continue;
    if (found) return std::nullopt;
    const Setting where = setting_at_place(code, place->begin, place->type.spelling);
    found = NarrowDeclaration{place->type, where.line, where.column, begins_function(code, place->end)};
  }
  return found;
}

bool show_narrow_variable(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  if (findings.empty()) return false;
  MergedFinding& finding = findings.front();
  if (!finding.is_of_output() || finding.id == finding_ids::kNonfiniteResult || finding.proven || finding.known ||
      !may_be_replaced(finding.other))
    return false;
  if (finding.where.known() && !finding.is_in_file(file)) return false;
  const auto declared = only_declaration_of_16_bits(source);
  if (!declared) return false;
  const NarrowType& type = declared->type;
  const SourcePlace place{finding.where.known() ? finding.where.file : file, declared->line, declared->column};
  if (!finding.where.known()) {
    finding.where = place;
  } else if (finding.where.line != place.line) {
    finding.other =
        OtherPlace{fmt::format("this {} {} to {}", declared->returned ? "returns" : "holds", type.least, type.most),
                   place,
                   {},
                   {}};
  }
  finding.help = fmt::format("line {} has a {} of 16 bits: is {} to {} enough for all of its values? If not, use `int`",
                             declared->line, declared->returned ? "function with a return type" : "variable",
                             type.least, type.most);
  return true;
}

}  // namespace cudalabs
