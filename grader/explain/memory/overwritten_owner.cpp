#include "explain/memory/overwritten_owner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "source/function_text.h"
#include "source/member_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "text/lower_case.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// A text may be made to be long to read.
constexpr std::size_t kLongestBeforeAllocation = 4000, kMostOwners = 8;

/// The only type whose destructor frees the member; empty: there is none, or more than one.
std::string_view owner_of(std::string_view code, std::string_view member) {
  std::string_view found;
  std::set<std::string_view> types;
  for (std::size_t sign = code.find('~'); sign != kNowhere; sign = code.find('~', sign + 1)) {
    const std::size_t begin = past_spaces(code, sign + 1), end = end_of_word(code, begin);
    const std::string_view type = code.substr(begin, end - begin);
    if (!is_identifier(type) || !code.substr(past_spaces(code, end)).starts_with('(')) continue;
    if (!types.insert(type).second) continue;
    if (types.size() > kMostOwners) return {};
    if (!destructor_of(code, type).freed.contains(member)) continue;
    if (!found.empty()) return {};
    found = type;
  }
  return found;
}

/// "data_" of "check(cudaMalloc(reinterpret_cast<void**>(&data_), n))", wherever in the line that is; empty: it is no
/// name, or not known.
std::string_view member_allocated_in(std::string_view code, std::uint32_t line) {
  const std::size_t begin = place_of_line(code, line, 0);
  const std::string_view text =
      begin == kNowhere ? std::string_view() : code.substr(begin, code.find('\n', begin) - begin);
  std::size_t call = kNowhere, calls = 0;
  for_each_name(text, [&](std::size_t at, std::string_view word) {
    if (word != "cudaMalloc" || !text.substr(past_spaces(text, at + word.size())).starts_with('(')) return;
    call = at;
    ++calls;
  });
  const std::size_t sign = calls == 1 ? text.find('&', call) : kNowhere;
  if (sign == kNowhere) return {};
  std::size_t name = past_spaces(text, sign + 1);
  if (text.substr(name).starts_with("this->")) name += std::string_view("this->").size();
  const std::size_t end = end_of_word(text, name), next = past_spaces(text, end);
  return next < text.size() && (text[next] == ',' || text[next] == ')') ? text.substr(name, end - name)
                                                                        : std::string_view();
}

/// A call that may free something, or a way past the allocation, between the function's first brace and the place.
bool may_free_before(std::string_view code, std::size_t place, std::string_view function) {
  constexpr std::array<std::string_view, 7> kFreeing{"free", "reset", "clear", "release", "destroy", "swap", "return"};
  const std::size_t from = place - std::min(place, kLongestBeforeAllocation);
  const std::string_view before = code.substr(from, place - from);
  const std::size_t name = before.rfind(function), open = before.find('{', std::min(name, before.size()));
  if (name == kNowhere || open == kNowhere) return true;
  bool may = false;
  for_each_name(before.substr(open), [&](std::size_t, std::string_view word) {
    const std::string plain = lower(word);
    may = may || std::ranges::any_of(kFreeing, [&](std::string_view each) { return plain.find(each) != kNowhere; });
  });
  return may;
}

/// One of its cases has no call that is made to fail.
bool leaks_where_all_goes_well(const MergedFinding& finding, const SubmissionRun& submission_run) {
  return std::ranges::any_of(submission_run.case_runs, [&](const CaseRun& case_run) {
    return std::ranges::find(finding.cases, case_run.test.spec.name) != finding.cases.end() &&
           !case_run.test.spec.faults.any() && case_run.observed.end == RunEnd::finished;
  });
}

}  // namespace

std::optional<Setting> overwritten_owner(std::string_view code, std::uint32_t allocated) {
  const std::string_view member = member_allocated_in(code, allocated);
  const std::string_view type = is_identifier(member) ? owner_of(code, member) : std::string_view();
  if (type.empty()) return std::nullopt;
  if (auto moved = overwritten_by_move(code, member)) return moved;
  const auto place = static_cast<std::size_t>(member.data() - code.data());
  const std::string_view function = defined_around(code, place);
  const bool again = !function.empty() && function != type && !may_free_before(code, place, function);
  return again ? std::optional(setting_at_place(code, place, member)) : std::nullopt;
}

void show_overwritten_owners(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                             const SubmissionRun& submission_run) {
  std::string code;
  for (MergedFinding& finding : findings) {
    const bool open = finding.id == finding_ids::kMemoryLeak && finding.is_in_file(file) &&
                      (!finding.other || finding.other->role == PlaceRole::freeing);
    if (!open || !leaks_where_all_goes_well(finding, submission_run)) continue;
    if (code.empty()) code = without_comments(source);
    // Not the last one that was allocated there: nothing has overwritten that.
    if (finding.last_of_call) continue;
    const auto lost = overwritten_owner(code, finding.where.line);
    if (!lost) continue;
    const std::string& member = lost->names.front();
    if (lost->line != finding.where.line) {
      finding.other = OtherPlace{fmt::format("`{}` gets another address here", member),
                                 {finding.where.file, lost->line, lost->column},
                                 {},
                                 {}};
    }
    finding.help = fmt::format(
        "line {} gives `{}` another address, and nothing frees the memory that it has: call `cudaFree({})` before that",
        lost->line, member, member);
  }
}

}  // namespace cudalabs
