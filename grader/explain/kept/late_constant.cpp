// By the branches that were counted, and calls of `cudaMemcpyToSymbol` in the text.
#include "explain/kept/late_constant.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "explain/elements/seen_output.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "text/told_lines.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// A text may be made to be long to read; of a person there are fewer.
constexpr std::size_t kNoMember = std::string_view::npos, kMostVariables = 4, kMostConstantCalls = 32;

/// The variable that is copied: "t" of "t", "&t" and "&host->t".
std::string_view source_name(std::string_view argument) {
  return word_before(argument, argument.size());
}

/// The first line after `begin`, in the same function and before its end, that sets the member of the host's variable.
std::optional<std::size_t> later_setting(std::string_view code, std::size_t begin, std::string_view host,
                                         std::string_view member) {
  const std::size_t end = std::min(code.find("\n}", begin), code.size());
  for (std::size_t at = code.find(host, begin); at < end; at = code.find(host, at + 1)) {
    const std::size_t past = at + host.size();
    if (at == 0 || is_word_letter(code[at - 1]) || end_of_word(code, at) != past) continue;
    std::size_t next = past_spaces(code, past);
    const bool arrow = code.substr(next).starts_with("->");
    if (!arrow && !code.substr(next).starts_with('.')) continue;
    next = past_spaces(code, next + (arrow ? 2 : 1));
    const std::size_t member_end = end_of_word(code, next), sign = past_spaces(code, member_end);
    const bool sets = code.substr(sign).starts_with('=') && !code.substr(sign).starts_with("==");
    if (sets && code.substr(next, member_end - next) == member) return at;
  }
  return std::nullopt;
}

/// No thread went on to what the condition is before in the text: a body, and not a way out of the function.
bool turns_all_away(const vgpu::BranchCount& branch, const std::vector<std::string_view>& lines) {
  if ((branch.next.threads == 0) == (branch.other.threads == 0)) return false;
  const SourcePlace &left = (branch.next.threads == 0 ? branch.next : branch.other).to,
                    &taken = (branch.next.threads == 0 ? branch.other : branch.next).to;
  const auto place = [](const SourcePlace& to) { return std::pair(to.line, to.column); };
  const std::uint32_t line = branch.where.line;
  if (line == 0 || line > lines.size() || left.line < line || place(taken) <= place(left)) return false;
  for (const std::string_view leaves : {"return", "continue", "break", "goto"})
    for (std::size_t i = line - 1; i <= std::min<std::size_t>(line, lines.size() - 1); ++i)
      if (lines[i].find(leaves) != std::string_view::npos) return false;
  return true;
}

/// The only line of a branch at which threads came, and all of them were turned away.
std::optional<std::uint32_t> only_way(const Observation& observed, const std::string& file,
                                      const std::vector<std::string_view>& lines) {
  std::optional<std::uint32_t> found;
  for (const vgpu::BranchCount& branch : observed.branches) {
    if (branch.where.file != file || !turns_all_away(branch, lines)) return std::nullopt;
    if (found && *found != branch.where.line) return std::nullopt;
    found = branch.where.line;
  }
  return found;
}

}  // namespace

std::optional<CopiedMember> copied_member_of(std::string_view source, std::uint32_t line) {
  const std::string text = without_comments(source);
  const std::string_view code = text;
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return std::nullopt;
  std::optional<CopiedMember> found;
  std::set<std::string_view> asked;
  for_each_name(lines[line - 1], [&](std::size_t at, std::string_view variable) {
    const std::string_view rest = lines[line - 1].substr(at + variable.size());
    if (found || !rest.starts_with('.')) return;
    const std::string_view member = rest.substr(1, end_of_word(rest, 1) - 1);
    if (member.empty() || asked.size() >= kMostVariables || !asked.insert(variable).second) return;
    constexpr std::string_view kCall = "cudaMemcpyToSymbol";
    std::size_t calls = 0;
    std::optional<CopiedMember> late;
    for (std::size_t call = code.find(kCall); call != kNoMember; call = code.find(kCall, call + 1)) {
      const std::size_t open = past_spaces(code, end_of_word(code, call));
      if (!code.substr(open).starts_with('(')) continue;  // its name in a message
      const std::size_t close = past_bracket(code, open);
      if (++calls > kMostConstantCalls || close == kNoMember) return;
      const std::vector<std::string_view> arguments = items_of(code.substr(open + 1, close - open - 2));
      if (arguments.size() < 3 || arguments[0] != variable) continue;
      if (late) return;  // which of several copies holds is not known
      const std::string_view host = source_name(arguments[1]);
      late = CopiedMember{fmt::format("{}.{}", variable, member), std::string(variable), line_at(code, call)};
      const auto set = host.empty() ? std::nullopt : later_setting(code, close, host, member);
      if (!set) continue;
      const std::size_t newline = code.rfind('\n', *set);
      late->set = line_at(code, *set);
      late->column = static_cast<std::uint32_t>(*set - (newline == kNoMember ? 0 : newline + 1)) + 1;
    }
    found = late;
  });
  return found;
}

bool show_turned_away(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run) {
  if (finding.id != finding_ids::kUnwrittenOutput || !finding.where.known() || !finding.kernel.empty()) return false;
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  std::optional<std::uint32_t> condition;
  std::string kernel;
  for (const auto& [case_run, comparison] : outputs_seen_in(finding, submission_run)) {
    const Observation& observed = case_run->observed;
    const bool one_kernel = !observed.launches.empty() &&
                            std::ranges::count(observed.launches, observed.launches.front().kernel,
                                               &vgpu::LaunchCounters::kernel) == std::ssize(observed.launches);
    const bool idle = observed.writers.empty() && one_kernel && comparison != nullptr &&
                      comparison->count(Fault::unwritten) == comparison->elements();
    const auto line = idle ? only_way(observed, finding.where.file, lines) : std::nullopt;
    if (!line || (condition && *condition != *line)) return false;
    condition = line;
    kernel = observed.launches.front().kernel;
  }
  if (!condition) return false;
  const auto copied = copied_member_of(source, *condition);
  finding.proven = true;
  const OtherPlace turned{"no thread goes on from here", {finding.where.file, *condition, 0}, {}, {}};
  insert_second_line(finding.note, fmt::format("no thread of `{}` stored anything", kernel));
  if (copied && copied->set != 0) {
    finding.other = turned;
    finding.where = {finding.where.file, copied->set, copied->column};
    finding.help = fmt::format(
        "`{}` was copied to the device in line {}, before this line sets it: the kernel gets the value of before; copy "
        "`{}` after all of its members are set",
        copied->member, copied->copy, copied->variable);
    return true;
  }
  finding.where = turned.place;
  finding.other.reset();
  if (copied) {
    finding.other = OtherPlace{
        fmt::format("`{}` gets its values here", copied->variable), {finding.where.file, copied->copy, 0}, {}, {}};
  }
  finding.help = Help::where_to_look(
      "no thread goes on from this line: look at what it asks for, and where these values come from");
  return true;
}

}  // namespace cudalabs
