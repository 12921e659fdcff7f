// What each launch stored, held against what is missing or misplaced.
#include "explain/elements/launch_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "check/misplaced_rows.h"
#include "check/origin_place.h"
#include "explain/elements/missing_elements.h"
#include "explain/elements/output_extents.h"
#include "explain/elements/seen_output.h"
#include "source/function_text.h"
#include "source/launch_text.h"
#include "source/rounded_count.h"
#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// What a launch stored: rows, or elements.
struct LaunchPart {
  std::uint64_t launch = 0, threads = 0;
  std::int64_t first = 0, end = 0;
};

/// The parts of an output, in the order of the launches.
struct Parts {
  const CaseRun* case_run = nullptr;
  const Comparison* comparison = nullptr;
  std::vector<LaunchPart> launches;
  bool rows = false;  // each consists of whole rows
  std::uint64_t threads_of_last = 0;
  bool complete = false;  // each launch stored something

  std::string units() const { return rows ? "rows" : "elements"; }
  std::int64_t width() const { return rows ? comparison->grid().columns : 1; }
  /// A later launch stored elements that an earlier one had stored.
  const LaunchPart* overlap() const {
    for (std::size_t i = 1; i < launches.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (launches[i].first < launches[j].end && launches[j].first < launches[i].end) return &launches[i];
    return nullptr;
  }
  std::int64_t end() const {
    std::int64_t last = 0;
    for (const LaunchPart& part : launches) last = std::max(last, part.end);
    return last;
  }
};

std::uint64_t threads_in(const vgpu::LaunchConfig& config) {
  return config.blocks() * config.threads_per_block();
}

std::optional<Parts> parts_of(const CaseRun& case_run, const Comparison& comparison, const MergedFinding& finding) {
  const Observation& observed = case_run.observed;
  if (!observed.outputs_before.empty() || comparison.elements() == 0) return std::nullopt;
  const auto bytes = static_cast<std::int64_t>(datasets::size_in_bytes(comparison.type));
  Parts parts{&case_run, &comparison, {}, comparison.grid().columns > 1 && comparison.grid().rows > 1};
  for (const vgpu::StoreExtent& extent : extents_of(finding.output, observed)) {
    if (extent.kernel != finding.kernel) return std::nullopt;
    const LaunchPart part{extent.launch, extent.threads, static_cast<std::int64_t>(extent.first) / bytes,
                          (static_cast<std::int64_t>(extent.end) + bytes - 1) / bytes};
    const auto known = std::ranges::find(parts.launches, extent.launch, &LaunchPart::launch);
    if (known == parts.launches.end()) {
      parts.launches.push_back(part);
    } else {
      *known = {part.launch, std::max(known->threads, part.threads), std::min(known->first, part.first),
                std::max(known->end, part.end)};
    }
  }
  const auto is_own = [&](const vgpu::LaunchCounters& launch) { return launch.kernel == finding.kernel; };
  const auto launched = std::ranges::count_if(observed.launches, is_own);
  if (launched < std::ssize(parts.launches)) return std::nullopt;
  parts.complete = launched == std::ssize(parts.launches);
  if (launched > 0) {
    const auto last = std::ranges::find_if(observed.launches.rbegin(), observed.launches.rend(), is_own);
    parts.threads_of_last = threads_in(last->config);
  }
  const std::int64_t columns = comparison.grid().columns;
  for (const LaunchPart& part : parts.launches)
    parts.rows = parts.rows && part.first % columns == 0 && part.end % columns == 0;
  for (LaunchPart& part : parts.launches) {
    part.first /= parts.width();
    part.end /= parts.width();
  }
  return parts;
}

/// Elements are missing where no part is, and nowhere else.
bool are_whole(const Parts& parts) {
  std::vector<bool> covered(static_cast<std::size_t>(parts.comparison->elements()));
  for (const LaunchPart& part : parts.launches)
    for (std::int64_t i = part.first * parts.width(); i < std::min(part.end * parts.width(), std::ssize(covered)); ++i)
      covered[static_cast<std::size_t>(i)] = true;
  for (std::size_t i = 0; i < covered.size(); ++i)
    if (covered[i] == (parts.comparison->fault[i] == Fault::unwritten)) return false;
  return true;
}

/// Of all cases in which the finding was seen, and the function was called once; none where that is not known of some.
std::vector<Parts> all_parts(const MergedFinding& finding, const SubmissionRun& submission_run) {
  std::vector<Parts> all;
  for (const auto& [case_run, comparison] : outputs_seen_in(finding, submission_run)) {
    if (!case_run->observed.outputs_before.empty()) continue;  // two calls have stored
    auto parts = comparison == nullptr ? std::nullopt : parts_of(*case_run, *comparison, finding);
    if (!parts) return {};
    all.push_back(std::move(*parts));
  }
  return all;
}

/// The case that the finding speaks of, or else the first that has several launches; null: none has.
const Parts* spoken_of(const std::vector<Parts>& all, const MergedFinding& finding) {
  const Parts* found = nullptr;
  for (const Parts& parts : all) {
    if (parts.launches.size() < 2 || !parts.complete) continue;
    const bool shown = parts.case_run->test.spec.name == finding.shown;
    if (found == nullptr || shown) found = &parts;
    if (shown) break;
  }
  return found;
}

/// The launch that the finding's kernel has in the text, and what the text says of its parameters.
struct HostSide {
  LaunchText launch;
  std::string_view stored;  // the argument for the array that the kernel stores to; empty: not known
};

std::optional<HostSide> host_side_of(std::string_view code, const MergedFinding& finding) {
  const std::string name = plain_name(finding.kernel);
  auto launch = only_launch(code, name);
  if (!launch) return std::nullopt;
  HostSide host{std::move(*launch), {}};
  const std::vector<std::string_view> lines = text_lines(code);
  const auto function = only_function(code, name);
  if (!function || finding.where.line == 0 || finding.where.line > lines.size()) return host;
  const std::string_view store = lines[finding.where.line - 1];
  const std::string_view array = word_before(store, store.find('['));
  for (std::size_t i = 0; i < function->parameters.size() && i < host.launch.arguments.size(); ++i)
    if (parameter_name(function->parameters[i]) == array) host.stored = host.launch.arguments[i];
  return host;
}

/// The last line before the launch that sets what is added to a pointer: "start" of "d_c + start".
std::optional<Setting> beginning_of(std::string_view source, const HostSide& host) {
  const std::size_t plus = host.stored.find('+');
  if (plus == std::string_view::npos) return std::nullopt;
  std::optional<Setting> last;
  for_each_name(host.stored.substr(plus), [&](std::size_t, std::string_view name) {
    auto setting = last_setting_of(source, host.launch.line, name);
    if (setting && (!last || setting->line > last->line)) last = std::move(setting);
  });
  return last;
}

std::string range_text(const Parts& parts, std::int64_t first, std::int64_t end) {
  return end - first == 1 ? fmt::format("{} {}", parts.rows ? "row" : "element", first)
                          : fmt::format("{} {} to {}", parts.units(), first, end - 1);
}

/// The finding stands in a line of the host, and where it stood is the other place.
void blame_host(MergedFinding& finding, std::uint32_t line, std::uint32_t column) {
  finding.other = OtherPlace{std::string(kStoredHere), finding.where, {}, {}};
  finding.where = {finding.where.file, line, column};
  finding.proven = true;
  finding.kernel.clear();
}

bool blame_beginning(MergedFinding& finding, std::string_view source, const HostSide& host, const Parts& parts,
                     const LaunchPart& again) {
  const auto setting = beginning_of(source, host);
  const std::string what =
      parts.case_run->test.spec.hidden
          ? std::string("a launch stores elements that another one has stored before, and none stores what is missing")
          : fmt::format("launch {} of {} stores {}, where an earlier one has stored, and none stores what is missing",
                        &again - parts.launches.data() + 1, parts.launches.size(),
                        range_text(parts, again.first, again.end));
  finding.help = Help::where_to_look(
      fmt::format("{}: look at {} where each launch begins", what,
                  setting ? fmt::format("`{}`, which says", setting->names.front()) : "how the host computes"));
  if (setting) {
    blame_host(finding, setting->line, setting->column);
  } else {
    blame_host(finding, host.launch.line, host.launch.column);
  }
  return true;
}

/// What is missing lies behind all parts.
bool ends_early(const Parts& parts) {
  const auto first = parts.comparison->first(Fault::unwritten);
  return first && first->index >= parts.end() * parts.width();
}

bool blame_length(MergedFinding& finding, std::string_view source, const HostSide& host, const Parts& parts,
                  const SubmissionRun& submission_run) {
  std::vector<std::string_view> expressions = host.launch.arguments;
  expressions.push_back(host.launch.configuration);
  const auto division = division_behind(source, host.launch.line, expressions);
  const bool drops = division && leaves_out_the_missing(*division, finding, submission_run);
  const std::string done = parts.case_run->test.spec.hidden
                               ? "the launches store all of their parts, and no part holds the last " + parts.units()
                               : fmt::format("the {} launches store {}, and the {} after these belong to none",
                                             parts.launches.size(), range_text(parts, 0, parts.end()), parts.units());
  if (drops) {
    finding.help =
        fmt::format("`{}` drops what is left over: {}; let one launch do these as well", division->text, done);
    blame_host(finding, division->where.line, division->where.column);
    return true;
  }
  // Where each thread of the last launch stored, it may have had too few of them.
  if (parts.launches.back().threads >= parts.threads_of_last) return false;
  finding.help = Help::where_to_look(
      fmt::format("{}: look at how many launches there are, and at how much each of them is given", done));
  blame_host(finding, host.launch.line, host.launch.column);
  return true;
}

bool explain_missing_parts(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run) {
  const std::vector<Parts> all = all_parts(finding, submission_run);
  const Parts* shown = spoken_of(all, finding);
  if (shown == nullptr || !std::ranges::all_of(all, are_whole)) return false;
  const std::string code = without_comments(source);
  const auto host = host_side_of(code, finding);
  if (!host) return false;
  if (const LaunchPart* again = shown->overlap()) return blame_beginning(finding, source, *host, *shown, *again);
  return std::ranges::all_of(all, ends_early) && blame_length(finding, source, *host, *shown, submission_run);
}

/// Of a part whose rows hold others' values: the first of these, when the others follow it. `moved`: by row.
std::optional<std::int64_t> read_from(const LaunchPart& part, const std::vector<RowSource>& moved) {
  std::optional<std::int64_t> begin;
  for (std::int64_t row = part.first; row < part.end; ++row) {
    const auto found = std::ranges::lower_bound(moved, row, {}, &RowSource::row);
    if (found == moved.end() || found->row != row) return std::nullopt;
    const std::int64_t first = found->source - (row - part.first);
    if (begin && *begin != first) return std::nullopt;
    begin = first;
  }
  return begin;
}

bool explain_moved_parts(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run) {
  const std::vector<SeenOutput> seen = outputs_seen_in(finding, submission_run);
  const auto shown = std::ranges::find_if(
      seen, [&](const SeenOutput& output) { return output.case_run->test.spec.name == finding.shown; });
  if (shown == seen.end() || shown->comparison == nullptr) return false;
  const auto parts = parts_of(*shown->case_run, *shown->comparison, finding);
  if (!parts || !parts->rows || parts->launches.size() < 2 || !parts->complete || parts->overlap() != nullptr)
    return false;
  const std::vector<RowSource> moved = sources_of_rows(*shown->comparison);
  std::size_t explained = 0;
  const LaunchPart* example = nullptr;
  std::int64_t from = 0;
  for (const LaunchPart& part : parts->launches) {
    const auto begin = read_from(part, moved);
    if (!begin || part.end - part.first < 2) continue;
    explained += static_cast<std::size_t>(part.end - part.first);
    if (example == nullptr) {
      example = &part;
      from = *begin;
    }
  }
  const std::string code = without_comments(source);
  const auto host = host_side_of(code, finding);
  if (example == nullptr || explained != moved.size() || !host) return false;
  const std::string what = shown->case_run->test.spec.hidden
                               ? std::string("launches that do not begin at the first row read from other rows")
                               : fmt::format("the launch that stores {} reads from row {} on",
                                             range_text(*parts, example->first, example->end), from);
  finding.help = Help::where_to_look(fmt::format(
      "{}, and goes on row by row: look at the addresses that a launch gets; each array goes on by as many of its own "
      "elements as the rows before have, also where a pixel is several of them",
      what));
  blame_host(finding, host->launch.line, host->launch.column);
  return true;
}

/// Of a part: how many of its elements are wrong.
std::int64_t wrong_in(const LaunchPart& part, const Parts& parts) {
  const auto& fault = parts.comparison->fault;
  const auto place = [&](std::int64_t unit) {
    return fault.begin() + std::min(unit * parts.width(), std::ssize(fault));
  };
  return std::count(place(part.first), place(part.end), Fault::wrong);
}

/// What the first launch stored is right, and of what each later one stored nearly all is wrong.
bool are_wrong_from_second(const Parts& parts) {
  constexpr std::int64_t kOthers = 10;  // at most one in so many is right by chance
  if (parts.launches.size() < 2 || !parts.complete || parts.overlap() != nullptr) return false;
  std::int64_t wrong = 0;
  for (const LaunchPart& part : parts.launches) {
    const std::int64_t here = wrong_in(part, parts), elements = (part.end - part.first) * parts.width();
    const bool first = &part == parts.launches.data();
    if (first ? here != 0 : here < elements - elements / kOthers) return false;
    wrong += here;
  }
  return wrong + parts.comparison->count(Fault::none) == parts.comparison->elements();
}

bool explain_wrong_parts(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run) {
  const std::vector<Parts> all = all_parts(finding, submission_run);
  const Parts* shown = spoken_of(all, finding);
  if (shown == nullptr || !std::ranges::all_of(all, are_wrong_from_second)) return false;
  const std::string code = without_comments(source);
  const auto host = host_side_of(code, finding);
  if (!host) return false;
  const LaunchPart &first = shown->launches.front(), &second = shown->launches[1];
  const std::string ranges =
      shown->case_run->test.spec.hidden
          ? std::string("the first launch stores is right, and nearly all that is stored after it is wrong")
          : fmt::format("the first launch stores, {}, is right, and {} that the second one stores, {}, is wrong",
                        range_text(*shown, first.first, first.end),
                        wrong_in(second, *shown) == (second.end - second.first) * shown->width() ? "all" : "nearly all",
                        range_text(*shown, second.first, second.end));
  finding.message = fmt::format("`{}` is wrong just in what the second {} of `{}` {}", finding.output,
                                shown->launches.size() == 2 ? "launch" : "and later launches",
                                plain_name(finding.kernel), shown->launches.size() == 2 ? "stores" : "store");
  finding.help = Help::where_to_look(fmt::format(
      "what {}: look at what changes from one launch to the next; each array goes on by as many of its own elements as "
      "the launches before have done, also where a pixel is several of them",
      ranges));
  blame_host(finding, host->launch.line, host->launch.column);
  return true;
}

}  // namespace

bool explain_launch_parts(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run) {
  if (finding.kernel.empty() || finding.right_at_first) return false;
  if (finding.id == finding_ids::kUnwrittenOutput) return explain_missing_parts(finding, source, submission_run);
  if (finding.id != finding_ids::kResultMismatch) return false;
  if (finding.values == ValueKind::misplaced) return explain_moved_parts(finding, source, submission_run);
  const bool open = !finding.values && finding.detector.empty() && !finding.proven;
  return open && explain_wrong_parts(finding, source, submission_run);
}

}  // namespace cudalabs
