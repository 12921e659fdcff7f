// Parameters and calls are followed by name, and what is written through them is read as text.
#include "explain/memory/host_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>
#include <utility>

#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "text/told_lines.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// A text may be made to be long to read; of a person there are fewer, and shorter ones.
constexpr std::size_t kMostGivenTo = 16, kLongestWriterCall = 600, kLongestPlace = 200;

/// Functions of the standard library, and the number of the argument, from 0 on, that says where they begin to write.
struct Writer {
  std::string_view name;
  std::size_t argument;
};
constexpr std::array<Writer, 11> kWriters{{{"fill", 0},
                                           {"fill_n", 0},
                                           {"uninitialized_fill", 0},
                                           {"uninitialized_fill_n", 0},
                                           {"iota", 0},
                                           {"generate", 0},
                                           {"memset", 0},
                                           {"memcpy", 0},
                                           {"memmove", 0},
                                           {"copy", 2},
                                           {"copy_n", 2}}};

/// An array that a function of the source gets.
struct Given {
  const FunctionBody* function;
  std::string name;

  bool operator==(const Given&) const = default;
};

/// "float* c" and "std::vector<float>& c", and not "const float* c".
bool may_change(std::string_view parameter) {
  return parameter.find_first_of("*&") != kNowhere && !has_name(parameter, "const");
}

bool means_output(std::string_view name, std::string_view output) {
  return name == output ||
         (name.size() > output.size() && name.ends_with(output) && name[name.size() - output.size() - 1] == '_');
}

/// The arguments of the call whose name ends at `end`; empty: it is none, or long to read.
std::vector<std::string_view> arguments_of_call(std::string_view code, std::size_t end) {
  std::size_t open = past_spaces(code, end);
  if (code.substr(open).starts_with('<') && !code.substr(open).starts_with("<<")) {
    const std::size_t past = past_bracket(code.substr(0, open + kLongestPlace), open);
    open = past == kNowhere ? code.size() : past_spaces(code, past);
  }
  if (open >= code.size() || code[open] != '(') return {};
  const std::size_t past = past_bracket(code.substr(0, open + kLongestWriterCall), open);
  return past == kNowhere ? std::vector<std::string_view>() : items_of(code.substr(open + 1, past - open - 2));
}

/// "c[i] = x", "c[i] += x", "*c = x", "*c++ = x".
bool gets_value_at(std::string_view code, std::size_t at, std::size_t end) {
  std::size_t behind = past_spaces(code, end);
  const std::size_t before = before_spaces(code, at);
  if (behind < code.size() && code[behind] == '[') {
    const std::size_t past = past_bracket(code.substr(0, behind + kLongestPlace), behind);
    return past != kNowhere && begins_assignment(code.substr(past_spaces(code, past)));
  }
  const bool points = before != kNowhere && code[before] == '*' && word_before(code, before).empty();
  if (points && code.substr(behind).starts_with("++")) behind = past_spaces(code, behind + 2);
  return points && begins_assignment(code.substr(behind));
}

class OutputWriters {
 public:
  explicit OutputWriters(std::string_view code) : code_(code) {
    const std::vector<BodyPlace> bodies = body_places(code);
    for_each_name(code, [&](std::size_t at, std::string_view word) {
      const std::string_view kind = word_before(code, at);
      if (kind == "struct" || kind == "class") types_.insert(word);
    });
    for (FunctionBody& function : function_bodies(code)) {
      if (!bodies[std::min(function.begin + 1, code.size() - 1)].device) functions_.push_back(std::move(function));
    }
    for (const FunctionBody& function : functions_) {
      by_name_.emplace(function.name, &function);
      for_each_name(body_of(function), [&](std::size_t, std::string_view word) { called_.insert(word); });
    }
  }

  std::optional<HostOutput> only(std::string_view output) {
    for (const FunctionBody& function : functions_) {
      if (called_.contains(function.name)) continue;
      const std::string name = output_of(function, output);
      if (!name.empty()) add({&function, name});
    }
    for (std::size_t i = 0; i < given_.size() && found_.size() < 2; ++i) look_at(given_[i]);
    if (found_.size() != 1 || escapes_) return std::nullopt;
    HostOutput& only = found_.front();
    only.first = comes_first(root_of_found_);
    return std::move(only);
  }

 private:
  std::string_view body_of(const FunctionBody& function) const {
    return code_.substr(function.begin, function.end - function.begin);
  }

  const FunctionBody* function_of(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }

  /// The parameter of that name, else the only one that may be changed through a pointer.
  static std::string output_of(const FunctionBody& function, std::string_view output) {
    std::string only;
    std::size_t changed = 0;
    for (const std::string& parameter : function.parameters) {
      const std::string name = parameter_name(parameter);
      if (!may_change(parameter) || name.empty()) continue;
      if (means_output(name, output)) return name;
      only = name;
      ++changed;
    }
    return changed == 1 ? only : std::string();
  }

  void add(Given given, std::size_t reached_from = kNowhere) {
    if (given_.size() >= kMostGivenTo || std::ranges::find(given_, given) != given_.end()) return;
    given_.push_back(std::move(given));
    reached_from_.push_back(reached_from);
  }

  /// Where the root of the calls goes into the function of that number; `place` where it is the root itself.
  std::size_t place_in_root(std::size_t number, std::size_t place) const {
    return reached_from_[number] == kNowhere ? place : reached_from_[number];
  }

  void look_at(const Given& by_reference) {
    const Given given = by_reference;  // the list grows
    const auto number = static_cast<std::size_t>(std::ranges::find(given_, given) - given_.begin());
    const std::size_t begin = given.function->begin;
    const std::string_view body = body_of(*given.function);
    for_each_name(body, [&](std::size_t at, std::string_view word) {
      if (word == given.name) {
        if (gets_value_at(body, at, at + word.size()))
          store(begin + at, given.name, "", place_in_root(number, begin + at));
        escapes_ = escapes_ || is_handed_away(body, at, at + word.size());
        return;
      }
      const FunctionBody* const own = function_of(word);
      const auto writer = std::ranges::find(kWriters, word, &Writer::name);
      if (own == nullptr && writer == kWriters.end()) return;
      const auto arguments = arguments_of_call(body, at + word.size());
      if (own != nullptr) return follow(*own, arguments, given.name, place_in_root(number, begin + at));
      if (writer->argument >= arguments.size() || !is_begin_of(arguments[writer->argument], given.name)) return;
      const bool standard = body.substr(0, at).ends_with("std::");
      const std::size_t place = begin + at - (standard ? std::string_view("std::").size() : 0);
      store(place, given.name, (standard ? "std::" : "") + std::string(word), place_in_root(number, place));
    });
  }

  void follow(const FunctionBody& function, const std::vector<std::string_view>& arguments, std::string_view name,
              std::size_t place) {
    for (std::size_t i = 0; i < std::min(arguments.size(), function.parameters.size()); ++i) {
      if (arguments[i] != name || !may_change(function.parameters[i])) continue;
      const std::string parameter = parameter_name(function.parameters[i]);
      if (!parameter.empty()) add({&function, parameter}, place);
    }
  }

  /// The array goes where its uses are not seen: "p = c", "Session session(a, b, c)".
  bool is_handed_away(std::string_view body, std::size_t at, std::size_t end) const {
    constexpr std::array<std::string_view, 6> kHarmless{"sizeof", "assert", "printf", "fprintf", "if", "while"};
    const std::size_t before = before_spaces(body, at), behind = past_spaces(body, end);
    if (before == kNowhere || behind >= body.size() || std::string_view(",);+}").find(body[behind]) == kNowhere)
      return false;
    if (body[before] == '=' || body[before] == '{') return true;
    if (body[before] != '(' && body[before] != ',') return false;
    const std::size_t from = at - std::min(at, kLongestWriterCall);
    int depth = 0;
    for (std::size_t i = at; i-- > from;) {
      depth += body[i] == ')' ? 1 : body[i] == '(' ? -1 : 0;
      if (body[i] == '{' || body[i] == ';') return true;
      if (depth >= 0) continue;
      const std::string_view name = word_before(body, i);
      const bool known = function_of(name) != nullptr || name.starts_with("cuda") ||
                         std::ranges::find(kWriters, name, &Writer::name) != kWriters.end() ||
                         std::ranges::find(kHarmless, name) != kHarmless.end();
      return !known;
    }
    return true;
  }

  /// "c", "c + n / 2", "&c[0]", "c.begin()".
  static bool is_begin_of(std::string_view argument, std::string_view name) {
    const std::size_t begin = argument.starts_with('&') ? 1 : 0;
    const std::size_t end = end_of_word(argument, begin);
    if (argument.substr(begin, end - begin) != name) return false;
    const std::size_t behind = past_spaces(argument, end);
    return behind >= argument.size() || std::string_view("+[.").find(argument[behind]) != kNowhere;
  }

  void store(std::size_t place, const std::string& name, std::string by, std::size_t in_root) {
    if (found_.empty()) root_of_found_ = in_root;
    if (found_.size() < 2) found_.push_back({setting_at_place(code_, place, name), std::move(by), false});
  }

  /// No call of the runtime comes before the place in the function that it is in, itself or by functions of the source.
  bool comes_first(std::size_t place) const {
    const auto root = std::ranges::find_if(
        functions_, [&](const FunctionBody& function) { return function.begin <= place && place < function.end; });
    if (root == functions_.end()) return false;
    const std::string_view before = code_.substr(root->begin, place - root->begin);
    std::set<std::string_view> seen;
    return is_silent(before, seen);
  }

  bool is_silent(std::string_view text, std::set<std::string_view>& seen) const {
    if (text.find("<<<") != kNowhere || text.find("cuda") != kNowhere || seen.size() > kMostGivenTo) return false;
    bool silent = true;
    for_each_name(text, [&](std::size_t at, std::string_view word) {
      // A constructor may allocate.
      silent = silent && !types_.contains(word);
      if (!silent || !text.substr(past_spaces(text, at + word.size())).starts_with('(')) return;
      const FunctionBody* const own = function_of(word);
      if (own != nullptr && seen.insert(word).second) silent = is_silent(body_of(*own), seen);
    });
    return silent;
  }

  std::string_view code_;
  std::vector<FunctionBody> functions_;  // of the host
  std::unordered_map<std::string_view, const FunctionBody*> by_name_;
  std::set<std::string_view> called_, types_;
  std::vector<Given> given_;
  std::vector<std::size_t> reached_from_;  // of each, the place in its root; kNowhere: it is one
  std::vector<HostOutput> found_;
  bool escapes_ = false;  // some use of the array is not seen
  std::size_t root_of_found_ = 0;
};

/// Nothing but the host's own code can have written there in this case.
bool is_written_by_host(const CaseRun& case_run, const std::string& output) {
  const Observation& observed = case_run.observed;
  const auto& on_device = observed.on_device;
  if (observed.has_managed || !observed.copies.empty() || !observed.early_copies.empty() ||
      !observed.launches.empty() || std::ranges::find(on_device, output) != on_device.end() || !case_run.judgement)
    return false;
  return std::ranges::any_of(case_run.judgement->comparisons, [&](const Comparison& comparison) {
    return comparison.name == output && comparison.count(Fault::touched) > 0;
  });
}

void show_host_output(MergedFinding& finding, const HostOutput& written, const std::string& file) {
  const std::string& name = written.where.names.front();
  replace_rest(finding.message, kAlthoughFailed, kAlthoughFailed);
  finding.message += written.by.empty() ? fmt::format(": the host stores to `{}` here", name)
                                        : fmt::format(": `{}` writes to `{}` here, on the host", written.by, name);
  finding.where = {file, written.where.line, written.where.column};
  finding.kernel.clear();
  finding.failed_call.clear();
  finding.other.reset();
  finding.help = fmt::format(
      "{}: take it out; when a call fails, `{}` must stay as it was, so nothing but the copy of the result may write "
      "to it, after every other call has succeeded",
      written.first ? "this comes before it is known whether the calls of the runtime succeed"
                    : "this does not depend on the success of every call",
      finding.output);
}

}  // namespace

std::optional<HostOutput> only_host_output(std::string_view code, std::string_view output) {
  return code.empty() || output.empty() ? std::nullopt : OutputWriters(code).only(output);
}

void show_host_outputs(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                       const SubmissionRun& submission_run) {
  std::string code;
  for (MergedFinding& finding : findings) {
    if (!finding.after_failure || finding.output.empty()) continue;
    const bool by_host = std::ranges::any_of(submission_run.case_runs, [&](const CaseRun& case_run) {
      return finding.is_seen_in(case_run.test.spec.name) && is_written_by_host(case_run, finding.output);
    });
    if (!by_host) continue;
    if (code.empty()) code = without_comments(source);
    if (const auto written = only_host_output(code, finding.output)) show_host_output(finding, *written, file);
  }
}

}  // namespace cudalabs
