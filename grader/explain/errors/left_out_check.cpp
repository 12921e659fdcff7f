// The text is read as the preprocessor sees it: lines that end with a backslash go on in the next one.
#include "explain/errors/left_out_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// "LAUNCH_OK" of "LAUNCH_OK(name)", the statement behind the one that begins in the line.
std::string_view call_behind(std::string_view code, std::uint32_t line) {
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return {};
  const auto begin = static_cast<std::size_t>(lines[line - 1].data() - code.data());
  const std::size_t end = code.find(';', begin);
  if (end == kNowhere) return {};
  const std::size_t name = past_spaces(code, end + 1), behind = end_of_word(code, name);
  const std::size_t open = past_spaces(code, behind);
  return open < code.size() && code[open] == '(' ? code.substr(name, behind - name) : std::string_view();
}

bool asks_for_error(std::string_view text) {
  return text.find("cudaGetLastError") != kNowhere || text.find("cudaPeekAtLastError") != kNowhere;
}

/// "#ifdef DEBUG", and its line.
struct Condition {
  std::string_view text;
  std::uint32_t line = 0;
};

/// Of the definitions of a macro: under which condition one asks for the error, where another one does not.
class Definitions {
 public:
  Definitions(std::string_view code, std::string_view name) {
    const std::vector<std::string_view> lines = text_lines(code);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string_view directive = directive_in(lines[i]);
      const auto number = static_cast<std::uint32_t>(i + 1);
      if (directive.starts_with("if")) around_.push_back({without_outer_spaces(lines[i]), number});
      if (directive.starts_with("el") && !around_.empty()) around_.back().text = {};  // its opposite: not in words
      if (directive.starts_with("endif") && !around_.empty()) around_.pop_back();
      if (!directive.starts_with("define")) continue;
      const std::size_t first = i;
      while (lines[i].ends_with('\\') && i + 1 < lines.size()) ++i;
      const char* const end = lines[i].data() + lines[i].size();
      note(std::string_view(lines[first].data(), static_cast<std::size_t>(end - lines[first].data())), name);
    }
  }

  std::optional<Condition> of_check() const { return others_ > 0 && checks_ == 1 ? condition_ : std::nullopt; }

 private:
  static std::string_view directive_in(std::string_view line) {
    const std::size_t sign = past_spaces(line, 0);
    return sign < line.size() && line[sign] == '#' ? line.substr(past_spaces(line, sign + 1)) : std::string_view();
  }

  void note(std::string_view definition, std::string_view name) {
    const std::string_view directive = directive_in(definition);
    const std::size_t at = past_spaces(directive, std::string_view("define").size());
    if (directive.substr(at, end_of_word(directive, at) - at) != name) return;
    if (!asks_for_error(definition)) {
      ++others_;
      return;
    }
    ++checks_;
    if (!around_.empty() && !around_.back().text.empty()) condition_ = around_.back();
  }

  std::vector<Condition> around_;
  std::optional<Condition> condition_;
  int checks_ = 0, others_ = 0;
};

}  // namespace

void show_left_out_checks(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  constexpr std::size_t kLongestShown = 60;
  std::string code;
  for (MergedFinding& finding : findings) {
    if (finding.id != finding_ids::kUncheckedLaunch || finding.other || !finding.is_in_file(file)) continue;
    if (code.empty()) code = without_comments(source);
    const std::string_view name = call_behind(code, finding.where.line);
    if (name.empty()) continue;
    const auto condition = Definitions(code, name).of_check();
    if (!condition || condition->text.size() > kLongestShown) continue;
    finding.other = OtherPlace{fmt::format("`{}` asks for the error only under this condition", name),
                               {finding.where.file, condition->line, 0},
                               {},
                               {}};
    finding.help = fmt::format(
        "`{}` does nothing in this build, as `{}` does not hold: let it call `cudaGetLastError()` in every build", name,
        condition->text);
  }
}

}  // namespace cudalabs
