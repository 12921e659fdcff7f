// A variable explains a finding where it overflows in the cases of that finding, and in none that is right.
#include "explain/values/cut_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>

#include "source/case_value.h"
#include "source/loop_text.h"
#include "source/narrow_type.h"
#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// More are not looked at: a text may be made to be long to read.
constexpr std::size_t kMostSettings = 64;

/// A variable of such a type, and what it is given.
struct NarrowSetting {
  Setting where;
  NarrowType type;
  CaseExpression value;
  std::string kernel;      // whose variable it is; empty: of the host
  std::string end;         // of a loop's counter: what it has to reach for the loop to end, as the source has it
  bool guarded = false;    // of a kernel: not every thread may come to it
  bool by_thread = false;  // it is set from the number of the thread or block: never meant to lose anything
};

bool names_thread(std::string_view expression) {
  return expression.find("threadIdx") != std::string_view::npos ||
         expression.find("blockIdx") != std::string_view::npos;
}

/// Behind this beginning of a function's body a statement may be in a branch, or the function at its end.
bool may_be_left_out(std::string_view before) {
  const bool in_block = std::ranges::count(before, '{') != std::ranges::count(before, '}');
  bool returns = false;
  for_each_name(before, [&](std::size_t, std::string_view name) { returns = returns || name == "return"; });
  return in_block || returns;
}

class SettingReader {
 public:
  SettingReader(std::string_view code, std::set<std::string> sizes)
      : code_(code), expressions_(code, std::move(sizes)) {}

  std::vector<NarrowSetting> read() {
    loops_ = loops_of(code_);
    for (auto found = narrow_type_from(code_, 0); found && settings_.size() < kMostSettings && tried_ < kMostSettings;
         found = narrow_type_from(code_, found->end)) {
      if (const FunctionBody* function = expressions_.around(found->begin)) add_declaration(*found, *function);
    }
    for (const FunctionBody& function : expressions_.functions()) {
      for (std::size_t i = 0; i < function.parameters.size() && tried_ < 2 * kMostSettings; ++i)
        add_parameter(i, function);
    }
    return std::move(settings_);
  }

 private:
  void add(std::size_t at, std::string_view name, const NarrowType& type, std::optional<CaseExpression> value,
           const FunctionBody& function, std::string end = {}) {
    if (!value || !rises_with_threads(*value)) return;
    settings_.push_back({setting_at_place(code_, at, name), type, *std::move(value),
                         expressions_.is_kernel(function) ? function.name : std::string(), std::move(end), false,
                         false});
  }

  void add_declaration(const NarrowTypePlace& place, const FunctionBody& function) {
    for (std::size_t at = past_spaces(code_, place.end); at < code_.size() && ++tried_ <= kMostSettings;) {
      const std::string_view name = code_.substr(at, end_of_word(code_, at) - at);
      const std::size_t sign = past_spaces(code_, at + name.size());
      if (name.empty() || sign >= code_.size()) return;
      if (code_[sign] == ',' || code_[sign] == ';') {
        add_later_value(name, place.type, function);
        if (code_[sign] == ';') return;
        at = past_spaces(code_, sign + 1);
        continue;
      }
      if (code_[sign] != '=') return;
      const std::string_view value = value_at(code_, sign + 1);
      add_value(at, name, place.type, value, function);
      const std::size_t end = sign + 1 + value.size();
      if (end >= code_.size() || code_[end] != ',') return;
      at = past_spaces(code_, end + 1);
    }
  }

  void add_value(std::size_t at, std::string_view name, const NarrowType& type, std::string_view value,
                 const FunctionBody& function) {
    const std::uint32_t line = line_at(code_, at);
    const std::size_t known = settings_.size();
    const auto loop = std::ranges::find_if(
        loops_, [&](const LoopText& each) { return each.begin < at && at < each.body && !each.first.empty(); });
    if (loop == loops_.end()) {
      add(at, name, type, expressions_.of(value, line, function), function);
      if (settings_.size() == known) return;
      settings_.back().guarded = may_be_left_out(code_.substr(function.begin + 1, at - function.begin - 1));
      settings_.back().by_thread = names_thread(value) && !settings_.back().guarded;
      return;
    }
    const std::vector<std::string_view> stepped = changed_names(loop->step);
    const bool upwards =
        std::ranges::find(stepped, name) != stepped.end() && loop->step.find("++") != std::string_view::npos;
    const std::string end =
        upwards ? std::string(without_outer_spaces(end_of_counting(loop->condition, name))) : std::string();
    if (!end.empty()) add(at, name, type, expressions_.of(end, line, function), function, end);
  }

  /// Of a variable that is declared first, and set in another line.
  void add_later_value(std::string_view name, const NarrowType& type, const FunctionBody& function) {
    const auto set = expressions_.only_setting(name, function);
    if (set)
      add_value(static_cast<std::size_t>(set->name.data() - code_.data()), set->name, type, set->value, function);
  }

  void add_parameter(std::size_t number, const FunctionBody& function) {
    const std::string& parameter = function.parameters[number];
    const auto type = narrow_type_from(parameter, 0);
    const std::string name = parameter_name(parameter);
    if (!type || name.empty() || parameter.find('*') != std::string::npos || parameter.find('&') != std::string::npos)
      return;
    ++tried_;
    const std::size_t at = code_.rfind(parameter, function.begin);
    if (at == std::string_view::npos) return;
    add(at + parameter.rfind(name), name, type->type, expressions_.of_parameter(number, function), function);
  }

  std::string_view code_;
  CaseExpressions expressions_;
  std::vector<LoopText> loops_;
  std::vector<NarrowSetting> settings_;
  std::size_t tried_ = 0;
};

/// The value that the variable has no room for, in a call with these sizes; of threads the last one's that comes there.
/// Nothing: there is none.
std::optional<std::int64_t> cut_in_call(const NarrowSetting& setting, const datasets::CaseSpec& spec,
                                        const Observation& observed) {
  const auto too_much = [&](std::optional<std::int64_t> value) {
    return value && !setting.type.holds(*value) ? value : std::nullopt;
  };
  if (setting.kernel.empty()) return too_much(value_of(setting.value, spec.parameters, nullptr));
  constexpr std::size_t kMostLaunches = 16;
  const auto& launches = observed.launches;
  for (std::size_t i = 0; i < std::min(launches.size(), kMostLaunches); ++i) {
    if (plain_name(launches[i].kernel) != setting.kernel) continue;
    LaunchedThread last = last_thread(launches[i].config);
    // Of a block that sticks out the first thread has something to do.
    if (setting.guarded) last.thread = {};
    if (const auto value = too_much(value_of(setting.value, spec.parameters, &last))) return value;
  }
  return std::nullopt;
}

/// Likewise, in the case, or in the call that was made before it.
std::optional<std::int64_t> cut_in(const NarrowSetting& setting, const CaseRun& case_run) {
  const auto own = cut_in_call(setting, case_run.test.spec, case_run.observed);
  return own || !case_run.before ? own : cut_in_call(setting, case_run.before->spec, case_run.observed);
}

/// Likewise, in the thread of the finding.
std::optional<std::int64_t> cut_in_thread(const NarrowSetting& setting, const MergedFinding& finding,
                                          const CaseRun& case_run) {
  if (!finding.block || !finding.thread || setting.kernel.empty() || !setting.end.empty()) return std::nullopt;
  for (const vgpu::LaunchCounters& launch : case_run.observed.launches) {
    if (plain_name(launch.kernel) != setting.kernel) continue;
    const LaunchedThread thread{launch.config, *finding.block, *finding.thread};
    const auto value = value_of(setting.value, case_run.test.spec.parameters, &thread);
    return value && !setting.type.holds(*value) ? value : std::nullopt;
  }
  return std::nullopt;
}

/// What may follow from an index, a size or a count that was cut.
bool may_follow(const Finding& finding) {
  using namespace finding_ids;
  constexpr std::array kFaults{kGlobalOutOfBounds, kSharedOutOfBounds, kLocalOutOfBounds, kMisalignedAccess,
                               kResultMismatch,    kNonfiniteResult,   kUnwrittenOutput,  kUninitializedRead,
                               kGlobalRace,        kSharedRace,        kTimedOut,         kInvalidLaunch};
  return finding.severity == Severity::error && std::ranges::find(kFaults, finding.id) != kFaults.end();
}

/// What explains the finding in the case that is told.
struct CutCause {
  const NarrowSetting* setting = nullptr;
  std::optional<std::int64_t> before;  // none: the case is hidden
  bool largest = false;                // other threads, or rounds, have less
};

class CutValues {
 public:
  CutValues(const std::vector<NarrowSetting>& settings, const SubmissionRun& submission_run)
      : settings_(settings), submission_run_(submission_run) {}

  CutCause of(const MergedFinding& finding) const {
    std::vector<const NarrowSetting*> usable;
    for (const NarrowSetting& setting : settings_)
      if (is_usable(setting, finding)) usable.push_back(&setting);
    CutCause shown, hidden;
    for (const CaseRun& case_run : submission_run_.case_runs) {
      if (finding.cases.empty() || !finding.is_seen_in(case_run.test.spec.name)) continue;
      const NarrowSetting* cause = nullptr;
      std::optional<std::int64_t> before;
      bool largest = false;
      for (const NarrowSetting* setting : usable) {
        const auto last = cut_in(*setting, case_run), own = cut_in_thread(*setting, finding, case_run);
        if (!last || (cause != nullptr && !own)) continue;
        cause = setting;
        before = own ? own : last;
        largest = setting->value.counted || (!own && names_thread(setting->value.text));
        if (own) break;
      }
      if (cause == nullptr) return {};
      CutCause& kept = case_run.test.spec.hidden ? hidden : shown;
      if (kept.setting == nullptr || case_run.test.spec.name == finding.shown) kept = {cause, before, largest};
    }
    hidden.before.reset();
    return shown.setting != nullptr ? shown : hidden;
  }

 private:
  bool is_usable(const NarrowSetting& setting, const MergedFinding& finding) const {
    if (!setting.kernel.empty() && !finding.kernel.empty() && plain_name(finding.kernel) != setting.kernel)
      return false;
    return setting.by_thread || std::ranges::none_of(submission_run_.case_runs, [&](const CaseRun& case_run) {
             // Where a call was made to fail nothing needs to be computed.
             return case_run.judgement && !case_run.is_wrong() && !case_run.test.spec.faults.any() &&
                    cut_in(setting, case_run);
           });
  }

  const std::vector<NarrowSetting>& settings_;
  const SubmissionRun& submission_run_;
};

std::string with_article(std::string_view type) {
  const bool vowel = type.starts_with("un") || type.starts_with("int");
  return fmt::format("{} `{}`", vowel ? "an" : "a", type);
}

std::string words_for_cut(const CutCause& cause) {
  const NarrowSetting& setting = *cause.setting;
  const NarrowType& type = setting.type;
  const std::string& name = setting.where.names.front();
  std::string what =
      fmt::format("`{}` is {}, which holds {} to {}", name, with_article(type.spelling), type.least, type.most);
  if (!setting.end.empty()) {
    const bool is_number = setting.end.find_first_not_of("0123456789") == std::string::npos;
    what += fmt::format(
        "; it never gets to {}{}: after {} comes {}", is_number ? setting.end : fmt::format("`{}`", setting.end),
        cause.before && !is_number ? fmt::format(", here {}", *cause.before) : std::string(), type.most, type.least);
  } else if (cause.before) {
    what += fmt::format(": in line {} it gets {}{}, which becomes {}", setting.where.line,
                        !cause.largest    ? ""
                        : setting.guarded ? "values such as "
                                          : "up to ",
                        *cause.before, type.wrapped(*cause.before));
  } else {
    what += fmt::format(": in line {} it gets more than that", setting.where.line);
  }
  return fmt::format("{}; declare `{}` as `int`", what, name);
}

}  // namespace

void show_cut_values(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                     const SubmissionRun& submission_run) {
  if (std::ranges::none_of(findings, may_follow)) return;
  const std::string code = without_comments(source);
  std::set<std::string> sizes;
  for (const CaseRun& case_run : submission_run.case_runs)
    for (const auto& [name, size] : case_run.test.spec.parameters) sizes.insert(name);
  const std::vector<NarrowSetting> settings = SettingReader(code, std::move(sizes)).read();
  if (settings.empty()) return;
  const CutValues cuts(settings, submission_run);
  for (MergedFinding& finding : findings) {
    if (!may_follow(finding) || finding.proven || (finding.where.known() && !finding.is_in_file(file))) continue;
    const CutCause cause = cuts.of(finding);
    if (cause.setting == nullptr) continue;
    const Setting& setting = cause.setting->where;
    const SourcePlace place{finding.where.known() ? finding.where.file : file, setting.line, setting.column};
    if (!finding.where.known()) {
      finding.where = place;
    } else if (finding.where.line == place.line) {
      finding.other.reset();
    } else {
      finding.other = OtherPlace{fmt::format("`{}` is too small for its value", setting.names.front()), place, {}, {}};
    }
    finding.help = words_for_cut(cause);
    finding.proven = true;
  }
}

}  // namespace cudalabs
