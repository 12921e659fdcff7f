// The last condition of the kernel on the way to the line that threads came to and none passed.
#include "check/idle_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// Threads came to the branch, and none of them went on to the side that is on the way to the store.
bool turns_all_away(const vgpu::BranchCount& branch, const SourcePlace& store) {
  const bool before = branch.where.file == store.file && branch.where.line <= store.line;
  if (!before || (branch.next.threads == 0) == (branch.other.threads == 0)) return false;
  const SourcePlace& to = branch.next.threads == 0 ? branch.next.to : branch.other.to;
  return to.file == store.file && to.line >= branch.where.line && to.line <= store.line;
}

/// After the line `begin`.
std::optional<SourcePlace> deciding_condition(const MergedFinding& finding, std::uint32_t begin,
                                              const SubmissionRun& submission_run) {
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (!case_run.judgement || !finding.is_seen_in(case_run.test.spec.name)) continue;
    std::optional<SourcePlace> last;
    for (const vgpu::BranchCount& branch : case_run.observed.branches) {
      if (branch.where.line <= begin || !turns_all_away(branch, finding.where)) continue;
      if (!last || branch.where.line > last->line) last = branch.where;
    }
    if (last) return last;
  }
  return std::nullopt;
}

/// Where the only variable of the text is set that something but the thread's number sets before, in the same function.
std::optional<Setting> only_setting_before(std::string_view source, std::string_view text, std::uint32_t line) {
  const std::vector<std::string_view> lines = text_lines(source);
  std::optional<Setting> found;
  bool several = false;
  for_each_name(text, [&](std::size_t, std::string_view name) {
    auto setting = last_setting_of(source, line, name);
    // The number of the thread is no cause.
    if (setting && lines[setting->line - 1].find("threadIdx") != std::string_view::npos) return;
    if (!setting || (found && found->names == setting->names)) return;
    several = several || found;
    found = std::move(setting);
  });
  return several ? std::nullopt : found;
}

/// The atomic function whose result the condition depends on, in its line or in the one that sets its variable.
std::string_view atomic_before(const std::vector<std::string_view>& lines, std::string_view source,
                               std::uint32_t line) {
  constexpr std::array<std::string_view, 4> kCounts{"atomicAdd", "atomicInc", "atomicSub", "atomicDec"};
  for (int step = 0; step < 3 && line > 0 && line <= lines.size(); ++step) {
    const std::string_view text = lines[line - 1];
    for (const std::string_view name : kCounts)
      if (text.find(name) != std::string_view::npos) return name;
    const auto setting = only_setting_before(source, text, line);
    if (!setting) break;
    line = setting->line;
  }
  return {};
}

}  // namespace

void name_idle_store(Mismatch& mismatch, const std::vector<vgpu::ArrayWriter>& stores) {
  Finding& finding = mismatch.finding;
  const bool whole = finding.count == static_cast<std::uint64_t>(mismatch.elements);
  if (mismatch.fault != Fault::unwritten || !whole || finding.where.known()) return;
  const auto is_own = [&](const vgpu::ArrayWriter& store) { return store.array == mismatch.output; };
  const auto store = std::ranges::find_if(stores, is_own);
  if (store == stores.end()) return;
  const bool others = std::any_of(store, stores.end(), [&](const vgpu::ArrayWriter& other) {
    return is_own(other) && (other.where.file != store->where.file || other.where.line != store->where.line);
  });
  if (others) return;
  finding.where = store->where;
  finding.kernel = store->kernel;
  finding.note += fmt::format("\nno thread came to line {}, which stores to `{}`", store->where.line, mismatch.output);
  finding.help = "no thread comes to this line: look at the conditions on the way to it";
  mismatch.reach = Reach::never;
}

void show_deciding_condition(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  const auto condition = deciding_condition(finding, end_of_function_before(lines, finding.where.line), submission_run);
  if (!condition || condition->line > lines.size()) return;
  // Of a store in the same line, what it stores is no part of the condition.
  const std::string_view text = lines[condition->line - 1];
  const std::size_t open = text.find("if"), begin = open == std::string_view::npos ? open : text.find('(', open);
  const std::size_t end = begin == std::string_view::npos ? begin : past_bracket(text, begin);
  const std::string_view asked = end == std::string_view::npos ? std::string_view() : text.substr(begin, end - begin);
  const auto setting = only_setting_before(source, asked, condition->line);
  if (setting) {
    finding.other =
        OtherPlace{fmt::format("with the `{}` from here, none passes line {}", setting->names.front(), condition->line),
                   {finding.where.file, setting->line, setting->column},
                   {},
                   {}};
  } else if (condition->line != finding.where.line) {
    finding.other = OtherPlace{"no thread goes on from here to that line", *condition, {}, {}};
  }
  finding.help =
      fmt::format("no thread that comes to the condition in line {} goes on to line {}: look at what it asks for",
                  condition->line, finding.where.line);
  const std::string_view atomic = atomic_before(lines, source, setting ? setting->line : condition->line);
  if (!atomic.empty()) finding.help += fmt::format("; `{}` returns the value that was there before the call", atomic);
}

}  // namespace cudalabs
