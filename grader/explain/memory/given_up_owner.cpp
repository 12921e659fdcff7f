#include "explain/memory/given_up_owner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "source/call_text.h"
#include "source/function_text.h"
#include "source/member_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "text/enumeration.h"
#include "text/lower_case.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

constexpr std::string_view kRelease = "release", kTakesMemory = "cudaMalloc";
/// A text may be made to be long to read.
constexpr std::size_t kMostReleases = 64, kMostDefined = 8;

bool frees(std::string_view text) {
  constexpr std::array<std::string_view, 4> kFreeing{"free", "destroy", "reset", "delete"};
  bool found = false;
  for_each_name(text, [&](std::size_t, std::string_view word) {
    const std::string plain = lower(word);
    found = found || std::ranges::any_of(kFreeing, [&](auto each) { return plain.find(each) != std::string::npos; });
  });
  return found;
}

/// Its own `release` only gives the pointer away, or it has none and `std::unique_ptr` does.
bool gives_up_only(std::string_view code) {
  bool gives = has_name(code, "unique_ptr"), other = false;
  std::size_t defined = 0;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    const std::size_t open = past_spaces(code, at + word.size());
    if (word != kRelease || other || open >= code.size() || code[open] != '(') return;
    const auto member = ++defined > kMostDefined ? std::nullopt : member_from(code, open);
    gives = gives || member.has_value();
    other = !member || frees(code.substr(member->head, member->end - member->head));
  });
  return gives && !other;
}

bool leaks_where_none_fails(const MergedFinding& finding, const SubmissionRun& submission_run) {
  return std::ranges::any_of(submission_run.case_runs, [&](const CaseRun& case_run) {
    return finding.is_seen_in(case_run.test.spec.name) && !case_run.test.spec.faults.any() &&
           case_run.observed.end == RunEnd::finished;
  });
}

/// The names in the lines that may say who owns it: those of the allocation, of the call that makes it, and in the
/// allocating function those that get the pointer, "d_a.reset(raw)".
std::set<std::string_view> owners_near(std::string_view code, const MergedFinding& finding) {
  std::set<std::string_view> names;
  const std::vector<std::string_view> lines = text_lines(code);
  const auto add_line = [&](std::uint32_t line) {
    if (line == 0 || line > lines.size()) return;
    for_each_name(lines[line - 1], [&](std::size_t, std::string_view name) { names.insert(name); });
  };
  if (finding.other && finding.other->place.file == finding.where.file) {
    add_line(finding.other->place.line);
    return names;
  }
  add_line(finding.where.line);
  const auto function = function_around_line(code, finding.where.line);
  const std::string pointer = allocated_pointer(code, finding.where.line, kTakesMemory);
  if (!function || !is_identifier(pointer)) return names;
  const std::uint32_t first = line_at(code, function->begin), last = line_at(code, function->end);
  for (std::uint32_t line = first; line <= last && line <= lines.size(); ++line)
    if (has_name(lines[line - 1], pointer)) add_line(line);
  return names;
}

std::string lines_of(std::string_view code, const std::vector<DroppedRelease>& releases) {
  constexpr std::size_t kMostTold = 4;
  std::vector<std::uint32_t> lines;
  for (std::size_t i = 0; i < std::min(releases.size(), kMostTold); ++i) lines.push_back(line_at(code, releases[i].at));
  return enumeration_of_lines(lines);
}

}  // namespace

std::vector<DroppedRelease> dropped_releases(std::string_view code) {
  std::vector<DroppedRelease> found;
  if (!gives_up_only(code)) return found;
  for_each_name(code, [&](std::size_t at, std::string_view name) {
    const std::string_view rest = code.substr(std::min(code.size(), past_spaces(code, at + name.size())));
    if (!rest.starts_with(".release") || found.size() == kMostReleases) return;
    const std::size_t open = past_spaces(rest, std::string_view(".release").size());
    const std::size_t close = open < rest.size() && rest[open] == '(' ? past_spaces(rest, open + 1) : rest.size();
    if (close >= rest.size() || rest[close] != ')') return;
    const std::size_t behind = past_spaces(rest, close + 1), before = before_spaces(code, at);
    const bool begins = before != kNowhere && std::string_view(";{})").find(code[before]) != kNowhere;
    if (begins && behind < rest.size() && rest[behind] == ';') found.push_back({name, at});
  });
  return found;
}

void show_given_up_owners(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                          const SubmissionRun& submission_run) {
  for (MergedFinding& finding : findings) {
    const bool open = finding.id == finding_ids::kMemoryLeak && finding.is_in_file(file) &&
                      (!finding.other || finding.other->role == PlaceRole::unsaid);
    if (!open || !leaks_where_none_fails(finding, submission_run)) continue;
    const std::string code = without_comments(source);
    std::vector<DroppedRelease> releases = dropped_releases(code);
    const std::set<std::string_view> owners =
        releases.empty() ? std::set<std::string_view>() : owners_near(code, finding);
    const auto first =
        std::ranges::find_if(releases, [&](const DroppedRelease& each) { return owners.contains(each.name); });
    if (first == releases.end()) continue;
    const std::string name(first->name);
    const std::uint32_t line = line_at(code, first->at);
    const std::string_view function = defined_around(code, first->at);
    std::erase_if(releases, [&](const DroppedRelease& each) { return defined_around(code, each.at) != function; });
    if (finding.other)
      finding.note.insert(0, fmt::format("it is allocated by the call in line {}\n", finding.other->place.line));
    finding.other = OtherPlace{
        fmt::format("`{}` gives it up here, and nothing frees it", name), {finding.where.file, line, 0}, {}, {}};
    finding.help = fmt::format("leave out `release()` in {}: then the destructor of `{}` frees the memory",
                               lines_of(code, releases), name);
    if (releases.size() > 1) finding.help += ", and so for the others";
  }
}

}  // namespace cudalabs
