// Precedence: the operators of a macro's value against those around its name.
#include "explain/macros/macro_expansion.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "explain/macros/macro_call.h"
#include "source/operator_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

struct Macro {
  std::string_view name, value;
  Setting definition;
  Operators operators = {};
};

bool is_directive(std::string_view line) {
  return line.substr(past_spaces(line, 0)).starts_with('#');
}

/// Those without parameters that are defined once.
std::vector<Macro> macros_of(const std::vector<std::string_view>& lines) {
  std::vector<Macro> macros;
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t word = past_spaces(lines[i], std::min(lines[i].size(), past_spaces(lines[i], 0) + 1));
    constexpr std::string_view kDefine = "define";
    if (!is_directive(lines[i]) || !lines[i].substr(word).starts_with(kDefine)) continue;
    const std::size_t at = past_spaces(lines[i], word + kDefine.size()), end = end_of_word(lines[i], at);
    Macro macro{lines[i].substr(at, end - at), without_outer_spaces(lines[i].substr(end)), {}};
    macro.operators = operators_of(macro.value);
    names.push_back(macro.name);
    if (lines[i].substr(end).starts_with('(') || !macro.operators.arithmetic || !macro.operators.any()) continue;
    macro.definition = {
        {std::string(macro.name)}, static_cast<std::uint32_t>(i) + 1, static_cast<std::uint32_t>(at) + 1};
    macros.push_back(std::move(macro));
  }
  std::erase_if(macros, [&](const Macro& macro) { return std::ranges::count(names, macro.name) > 1; });
  return macros;
}

std::optional<MisreadMacro> misread_in(std::string_view line, std::size_t number, const std::vector<Macro>& macros) {
  std::optional<MisreadMacro> found;
  for_each_name(line, [&](std::size_t at, std::string_view name) {
    const auto macro = std::ranges::find(macros, name, &Macro::name);
    if (found || macro == macros.end()) return;
    // "a - TILE", and not "-TILE", "(*TILE)"
    const auto [left, right] = splitting_signs(line, at, at + name.size(), macro->operators);
    if (left.empty() && right.empty()) return;
    found = MisreadMacro{std::string(macro->value), fmt::format("{}{}{}", left, name, right),
                         fmt::format("{}{}{}", left, macro->value, right), macro->definition,
                         static_cast<std::uint32_t>(number) + 1};
  });
  return found;
}

/// Where several lines store to an output, one with a macro that is misread is to blame before the others.
void place_at_misread_store(MergedFinding& finding, std::string_view source, const std::string& file) {
  if (finding.where.known()) return;
  const SourcePlace none = finding.where;
  for (const vgpu::ArrayWriter& store : finding.stores) {
    finding.where = store.where;
    const bool misread =
        finding.is_in_file(file) && (misread_macro(source, store.where.line) || misread_call(source, store.where.line));
    if (misread) finding.kernel = store.kernel;
    if (misread) return;
  }
  finding.where = none;
}

}  // namespace

std::optional<MisreadMacro> misread_macro(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  const std::vector<Macro> macros = macros_of(lines);
  for (std::size_t i = 0; i < lines.size() && !macros.empty(); ++i) {
    if ((line != 0 && i + 1 != line) || is_directive(lines[i])) continue;
    if (auto found = misread_in(lines[i], i, macros)) return found;
  }
  return std::nullopt;
}

std::string help_with(const MisreadMacro& macro) {
  return fmt::format(
      "the compiler reads `{}` where line {} has `{}`: put the value of the macro in parentheses, `#define {} ({})`",
      macro.read_as, macro.line, macro.written, macro.definition.names.front(), macro.value);
}

void show_misread_macros(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  for (MergedFinding& finding : findings) {
    place_at_misread_store(finding, source, file);
    if (!finding.where.known() || !finding.is_in_file(file)) continue;
    const bool beside =
        finding.other && finding.other->place.known() && finding.other->place.file == finding.where.file;
    auto macro = misread_macro(source, finding.where.line);
    if (!macro && beside) macro = misread_macro(source, finding.other->place.line);
    if (!macro && show_misread_call(finding, source)) continue;
    if (!macro || macro->definition.line == finding.where.line) continue;
    const Setting& definition = macro->definition;
    finding.other = OtherPlace{fmt::format("the value of `{}` has no parentheses around it", definition.names.front()),
                               {finding.where.file, definition.line, definition.column},
                               {},
                               {}};
    finding.help = help_with(*macro);
  }
}

}  // namespace cudalabs
