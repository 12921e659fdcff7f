#include "explain/memory/size_question.h"

#include <fmt/format.h>

#include <set>
#include <string>

#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/check/launch_words.h"

namespace cudalabs {
namespace {

bool withdraw(std::string& text) {
  const std::string question = fmt::format(": {}", vgpu::kSizeofQuestion);
  const std::size_t at = text.find(question);
  if (at == std::string::npos) return false;
  text.erase(at, question.size());
  return true;
}

/// In the line, or in what a variable of the line is set to.
bool has_sizeof(std::string_view source, std::uint32_t line) {
  constexpr std::size_t kMostNames = 32;  // a text may be made to be long to read
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return false;
  if (has_name(lines[line - 1], "sizeof")) return true;
  bool found = false;
  std::set<std::string_view> seen;
  for_each_name(lines[line - 1], [&](std::size_t, std::string_view name) {
    if (found || seen.size() == kMostNames || !seen.insert(name).second) return;
    const auto setting = last_setting_of(code, line, name);
    found = setting && has_name(lines[setting->line - 1], "sizeof");
  });
  return found;
}

}  // namespace

void withdraw_size_questions(std::vector<MergedFinding>& findings, std::string_view source) {
  for (MergedFinding& finding : findings) {
    if (finding.id != finding_ids::kGlobalOutOfBounds) continue;
    // The allocation is to blame, or it stands beside the access.
    const bool is_beside = finding.other && finding.other->role == PlaceRole::allocation;
    const std::uint32_t line = is_beside ? finding.other->place.line : finding.where.line;
    if (!has_sizeof(source, line) || !withdraw(is_beside ? finding.other->label : finding.note)) continue;
    if (finding.launch.argument != 0) continue;  // the help knows more
    finding.help = Help::where_to_look(
        "the size is in bytes already: look at how many elements it is computed for, and at the index: an index, and "
        "what is added to a pointer, count elements and not bytes");
  }
}

}  // namespace cudalabs
