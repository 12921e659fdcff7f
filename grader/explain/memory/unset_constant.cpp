// Declarations, calls with `Symbol` in their names, and assignments.
#include "explain/memory/unset_constant.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// "weight" of "__constant__ int weight[3];": the only variable of the declaration, without a value.
std::vector<Setting> declared_without_value(std::string_view code) {
  constexpr std::string_view kConstant = "__constant__";
  std::vector<Setting> found;
  for (std::size_t at = code.find(kConstant); at != kNowhere; at = code.find(kConstant, at + 1)) {
    const std::size_t end = code.find(';', at);
    if (end == kNowhere) break;
    const std::string_view declaration = code.substr(at, end - at);
    if (declaration.find_first_of("={(,#") != kNowhere) continue;
    const std::size_t bracket = std::min(declaration.find('['), declaration.size());
    const std::string_view name = word_before(declaration, bracket);
    if (!name.empty() && name != kConstant)
      found.push_back(setting_at_place(code, static_cast<std::size_t>(name.data() - code.data()), name));
  }
  return found;
}

/// Outside of the device's code the name stands in an argument, or its address is taken: it may be copied to there.
bool may_be_copied_to(std::string_view code, std::string_view name, const std::vector<BodyPlace>& bodies) {
  if (code.find("cuModule") != kNowhere || code.find("cuLibrary") != kNowhere) return true;
  bool given = false, in_macro = false;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    const std::size_t line = code.substr(0, at).rfind('\n') + 1, begin = past_spaces(code, line);
    in_macro = in_macro || (code[begin] == '#' && word.find("Symbol") != kNowhere);
    if (word != name || bodies[at].device || !bodies[at].inside) return;
    const std::size_t last = before_spaces(code, at);
    given = given || std::string_view("(,&<").find(code[last]) != kNowhere;
  });
  return given || in_macro;
}

/// The first line of the host's functions that assigns to it, or to an element.
std::optional<Setting> host_assignment(std::string_view code, std::string_view name,
                                       const std::vector<BodyPlace>& bodies) {
  std::optional<Setting> found;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (found || word != name || bodies[at].device || !bodies[at].inside) return;
    std::size_t next = past_spaces(code, at + word.size());
    if (next < code.size() && code[next] == '[') {
      const std::size_t past = past_bracket(code, next);
      next = past == kNowhere ? code.size() : past_spaces(code, past);
    }
    if (code.substr(next).starts_with('=') && !code.substr(next).starts_with("=="))
      found = setting_at_place(code, at, name);
  });
  return found;
}

/// The first line of the function around `line` that has the name.
std::uint32_t read_around(std::string_view code, std::uint32_t line, std::string_view name) {
  for (const FunctionBody& function : function_bodies(code)) {
    if (line < line_at(code, function.begin) || line > line_at(code, function.end)) continue;
    std::uint32_t read = 0;
    for_each_name(code.substr(0, function.end), [&](std::size_t at, std::string_view word) {
      if (read == 0 && at > function.begin && word == name) read = line_at(code, at);
    });
    return read;
  }
  return 0;
}

}  // namespace

std::optional<UnsetConstant> unset_constant(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const std::vector<BodyPlace> bodies = body_places(code);
  for (const Setting& declared : declared_without_value(code)) {
    const std::string& name = declared.names.front();
    const std::uint32_t read = read_around(code, line, name);
    if (read == 0 || may_be_copied_to(code, name, bodies)) continue;
    return UnsetConstant{declared, host_assignment(code, name, bodies), read};
  }
  return std::nullopt;
}

void show_unset_constants(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  for (MergedFinding& finding : findings) {
    if (!finding.is_of_values() || !finding.is_in_file(file)) continue;
    const auto unset = unset_constant(source, finding.where.line);
    if (!unset) continue;
    const std::string& name = unset->declared.names.front();
    const Setting& blamed = unset->assigned ? *unset->assigned : unset->declared;
    finding.other = OtherPlace{fmt::format("`{}` is 0 here", name), {finding.where.file, unset->read, 0}, {}, {}};
    finding.where = {finding.where.file, blamed.line, blamed.column};
    finding.kernel.clear();
    finding.help = fmt::format(
        "{}: copy its values there with `cudaMemcpyToSymbol({}, ...)` before the launch",
        unset->assigned ? fmt::format("the host assigns to a variable of its own; the device's `{}` stays 0", name)
                        : fmt::format("nothing is copied to `{}` on the device, so it stays 0", name),
        name);
  }
}

}  // namespace cudalabs
