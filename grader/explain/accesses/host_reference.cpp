// The structures that a kernel gets are found by the types of its parameters, also by names that `using` gives them.
#include "explain/accesses/host_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "source/function_text.h"
#include "source/reference_member.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// What "using FloatCanvas = Canvas<float, float>;" gives another name, for all names of `types`.
std::set<std::string, std::less<>> with_meanings(std::string_view code, std::set<std::string, std::less<>> types) {
  constexpr std::size_t kLongestAlias = 200;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (word != "using") return;
    const std::string_view near = code.substr(at, kLongestAlias);
    const std::size_t sign = near.find('='), end = near.find(';');
    if (sign == kNowhere || end == kNowhere || end < sign) return;
    if (!types.contains(word_before(near, sign))) return;
    for_each_name(near.substr(sign, end - sign), [&](std::size_t, std::string_view name) { types.emplace(name); });
  });
  return types;
}

/// The references that the kernel gets, in their order.
std::vector<HostReference> references_given(std::string_view code, std::string_view source, std::string_view kernel) {
  const auto function = only_function(source, kernel);
  if (!function) return {};
  std::vector<HostReference> found;
  std::set<std::string, std::less<>> types;
  const std::string_view head = text_lines(code)[function->line - 1];
  std::size_t at = static_cast<std::size_t>(head.data() - code.data()) + function->column - 1;
  for (const std::string& parameter : function->parameters) {
    at = code.find(parameter, at);
    if (at == kNowhere) return {};
    const std::size_t sign = parameter.find('&');
    const std::string name = parameter_name(parameter);
    if (sign == kNowhere && parameter.find('*') == kNowhere) {
      for_each_name(parameter, [&](std::size_t, std::string_view word) { types.emplace(word); });
    } else if (sign != kNowhere && !name.empty() && parameter.find_first_of("([<") == kNowhere &&
               parameter.find("&&") == kNowhere) {
      found.push_back({setting_at_place(code, at + parameter.rfind(name), name),
                       type_of_copy(std::string_view(parameter).substr(0, sign)), false});
    }
    at += parameter.size();
  }
  types = with_meanings(code, std::move(types));
  for (const ReferenceMember& member : reference_members(code)) {
    if (types.contains(member.structure))
      found.push_back({setting_at_place(code, member.place, member.name), member.type, true});
  }
  return found;
}

/// Calls `visit` with each name of the line, members too.
template <typename Visit>
void for_each_word(std::string_view line, const Visit& visit) {
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = is_word_letter(line[at]) ? end_of_word(line, at) : at;
    if (end > at) visit(at, line.substr(at, end - at));
    at = std::max(end, at + 1);
  }
}

void place_at_reference(MergedFinding& finding, const HostReference& reference) {
  const std::string& name = reference.declared.names.front();
  const std::string& access = finding.access.what;
  finding.message = fmt::format("{} of host memory through the reference `{}`", access, name);
  finding.other = OtherPlace{fmt::format("{} here", access), finding.where, finding.block, finding.thread};
  finding.block.reset();
  finding.thread.reset();
  finding.where = {finding.where.file, reference.declared.line, reference.declared.column};
  finding.help = fmt::format(
      "a reference holds the address of a variable, here of a variable of the host, and a kernel cannot use that: {}, "
      "`{} {}` in place of the reference",
      reference.member ? "let the structure hold a copy" : "take the value itself", reference.type, name);
}

}  // namespace

std::optional<HostReference> host_reference(std::string_view source, std::string_view kernel, std::uint32_t line,
                                            std::uint32_t column) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  constexpr std::size_t kLongestLineRead = 500;
  if (line == 0 || line > lines.size() || lines[line - 1].size() > kLongestLineRead) return std::nullopt;
  if (code.find('&') == kNowhere) return std::nullopt;
  const std::vector<HostReference> given = references_given(code, source, kernel);
  std::optional<HostReference> found;
  bool behind = false;  // of the column
  for_each_word(lines[line - 1], [&](std::size_t at, std::string_view name) {
    const auto reference =
        std::ranges::find_if(given, [&](const HostReference& known) { return known.declared.names.front() == name; });
    if (behind || reference == given.end()) return;
    behind = at + 1 >= column;
    if (behind || !found) found = *reference;
  });
  return found;
}

void show_host_references(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  for (MergedFinding& finding : findings) {
    if (finding.id != finding_ids::kHostPointerDereference || !finding.is_in_file(file)) continue;
    const auto reference = host_reference(source, plain_name(finding.kernel), finding.where.line, finding.where.column);
    if (reference) place_at_reference(finding, *reference);
  }
}

}  // namespace cudalabs
