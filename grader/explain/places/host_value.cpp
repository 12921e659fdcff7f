#include "explain/places/host_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "source/condition_text.h"
#include "source/function_text.h"
#include "source/loop_text.h"
#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// Of a line with more, nobody would read it; of a program with more launches, copies or lines it is not looked for.
constexpr std::size_t kMostValues = 3, kMostNames = 64, kLinesBefore = 4, kLongestGiven = 48;

/// "height" of "shape.pitch = height;", from behind the name; empty where it is not set there, or too long to show.
std::string set_to(std::string_view rest) {
  const std::size_t sign = past_spaces(rest, 0);
  if (sign >= rest.size() || rest[sign] != '=' || rest.substr(sign).starts_with("==")) return {};
  const std::size_t begin = past_spaces(rest, sign + 1), end = rest.find(';', begin);
  return end == kNowhere || end - begin > kLongestGiven ? std::string() : std::string(rest.substr(begin, end - begin));
}

/// What is set at `setting` is so at `use`, behind it: no `if` and no loop is around the one alone.
bool is_set_for(std::string_view code, std::size_t setting, std::size_t use) {
  const auto parts = [&](const auto& has) { return has(setting) && !has(use); };
  const auto of_condition = [&](const ConditionText& condition) {
    return parts([&](std::size_t place) { return condition.decides_about(place); });
  };
  const auto of_loop = [&](const LoopText& loop) {
    return parts([&](std::size_t place) { return loop.body <= place && place < loop.end; });
  };
  return std::ranges::none_of(conditions_of(code), of_condition) && std::ranges::none_of(loops_of(code), of_loop);
}

/// A kernel's source, and what its launch or a copy hands over.
class Reader {
 public:
  Reader(std::string_view source, const std::string& code, const FunctionBody& kernel)
      : source_(source), code_(code), kernel_(kernel) {}

  /// Of a name of the kernel's that is not a member.
  std::optional<HostValue> value_of(std::string_view name, std::string_view member) const {
    const auto parameter =
        std::ranges::find_if(kernel_.parameters, [&](const std::string& one) { return parameter_name(one) == name; });
    if (parameter == kernel_.parameters.end()) return member.empty() ? of_variable(name) : std::nullopt;
    if (parameter->find_first_of("*&") != std::string::npos) return std::nullopt;
    const auto number = static_cast<std::size_t>(parameter - kernel_.parameters.begin());
    const auto launch = only_call(kernel_.name, true);
    if (!launch || number >= launch->arguments.size()) return std::nullopt;
    const std::string argument(launch->arguments[number]);
    return member.empty() ? of_argument(name, argument, launch->line) : of_member(name, member, argument, *launch);
  }

 private:
  struct Call {
    std::size_t place = 0;
    std::uint32_t line = 0;
    std::vector<std::string_view> arguments;
  };

  /// Nothing where there are several, or too many names to look at.
  std::optional<Call> only_call(std::string_view function, bool launch, std::string_view first = {}) const {
    std::optional<Call> found;
    std::size_t left = kMostNames;
    bool several = false;
    for_each_name(code_, [&](std::size_t at, std::string_view name) {
      if (name != function || left == 0 || --left == 0) return;
      std::size_t open = past_spaces(code_, at + name.size());
      const std::string_view code = code_;
      if (launch) {
        if (code.substr(open).starts_with('<') && !code.substr(open).starts_with("<<<")) {
          const std::size_t past = past_bracket(code, open);
          if (past == kNowhere) return;
          open = past_spaces(code, past);
        }
        if (!code.substr(open).starts_with("<<<")) return;
        const std::size_t end = code.find(">>>", open);
        if (end == kNowhere) return;
        open = past_spaces(code, end + 3);
      }
      const std::size_t end = open < code.size() && code[open] == '(' ? past_bracket(code, open) : kNowhere;
      if (end == kNowhere) return;
      Call call{at, 0, items_of(code.substr(open + 1, end - open - 2))};
      if (!first.empty() && (call.arguments.empty() || call.arguments.front() != first)) return;
      several = several || found.has_value();
      found = std::move(call);
    });
    if (!found || several || left == 0) return std::nullopt;
    found->line = line_at(code_, found->place);
    return found;
  }

  /// One step back, to what a variable of the host is set to.
  HostValue resolved(std::string_view use, std::string given, std::uint32_t line) const {
    if (is_identifier(given)) {
      const auto set = last_setting_of(source_, line, given);
      const std::vector<std::string_view> lines = text_lines(code_);
      if (set && set->line != 0 && set->line <= lines.size() && set->column != 0 &&
          set->column - 1 + given.size() <= lines[set->line - 1].size()) {
        std::string to = set_to(lines[set->line - 1].substr(set->column - 1 + given.size()));
        const std::size_t setting = place_of_line(code_, set->line, set->column);
        if (!to.empty() && is_set_for(code_, setting, place_of_line(code_, line, 0)))
          return {std::string(use), std::move(to), set->line};
      }
    }
    return {std::string(use), std::move(given), line};
  }

  std::optional<HostValue> of_argument(std::string_view name, const std::string& argument, std::uint32_t line) const {
    if (argument.size() > kLongestGiven) return std::nullopt;
    HostValue value = resolved(name, argument, line);
    return value.given == name ? std::nullopt : std::optional(std::move(value));
  }

  std::optional<HostValue> of_member(std::string_view name, std::string_view member, const std::string& argument,
                                     const Call& launch) const {
    const std::string use = fmt::format("{}.{}", name, member);
    if (!is_identifier(argument)) {
      if (argument.size() > kLongestGiven) return std::nullopt;
      return HostValue{std::string(name), argument, launch.line};
    }
    const auto host = function_around_line(code_, launch.line);
    if (!host) return std::nullopt;
    std::optional<HostValue> found;
    std::size_t place = 0, left = kMostNames;
    const std::string_view before = std::string_view(code_).substr(host->begin, launch.place - host->begin);
    for_each_name(before, [&](std::size_t at, std::string_view word) {
      if (word != argument || left == 0 || --left == 0) return;
      const std::size_t dot = at + word.size();
      if (dot >= before.size() || before[dot] != '.') return;
      const std::size_t end = end_of_word(before, dot + 1);
      if (before.substr(dot + 1, end - dot - 1) != member) return;
      std::string to = set_to(before.substr(end));
      if (to.empty()) return;
      found = HostValue{use, std::move(to), 0};
      place = at;
    });
    if (!found || left == 0 || !is_set_for(code_, host->begin + place, launch.place)) return std::nullopt;
    return resolved(use, std::move(found->given), line_at(code_, host->begin + place));
  }

  /// Of a variable of the device that one call copies to.
  std::optional<HostValue> of_variable(std::string_view name) const {
    const auto copy = only_call("cudaMemcpyToSymbol", false, name);
    if (!copy || copy->arguments.size() < 3 || only_call("cudaMemcpyToSymbolAsync", false, name)) return std::nullopt;
    std::string_view from = copy->arguments[1];
    if (!from.starts_with('&')) return std::nullopt;
    from = from.substr(past_spaces(from, 1));
    return is_identifier(from) ? std::optional(resolved(name, std::string(from), copy->line)) : std::nullopt;
  }

  std::string_view source_;
  const std::string& code_;
  const FunctionBody& kernel_;
};

bool has_condition(std::string_view line) {
  return has_name(line, "if") || has_name(line, "for");
}

std::string in_words(const std::vector<HostValue>& values) {
  std::string text = "from the host:";
  for (const HostValue& value : values)
    text += fmt::format("{} `{}` is `{}`", text.ends_with(':') ? "" : ",", value.use, value.given);
  const auto [first, last] = std::ranges::minmax(values, {}, &HostValue::line);
  return text + (first.line == last.line ? fmt::format(" (line {})", first.line)
                                         : fmt::format(" (lines {} to {})", first.line, last.line));
}

bool is_of_kernel_line(const MergedFinding& finding) {
  return finding.id == finding_ids::kGlobalOutOfBounds || finding.id == finding_ids::kUnwrittenOutput ||
         finding.id == finding_ids::kResultMismatch;
}

/// Its size is a variable that is set with `sizeof`.
bool has_size_in_bytes(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  if (line == 0 || line > lines.size()) return false;
  std::size_t left = kMostValues * 4;
  bool found = false;
  for_each_name(lines[line - 1], [&](std::size_t, std::string_view name) {
    if (found || left == 0 || name == "cudaMalloc") return;
    --left;
    const auto set = last_setting_of(source, line, name);
    found = name == "sizeof" || (set && lines[set->line - 1].find("sizeof") != kNowhere);
  });
  return found;
}

/// "4 bytes allocated, 16 needed": the allocation is right, and the kernel's bound is not.
void blame_bound(MergedFinding& finding, const std::vector<HostValue>& values) {
  const OtherPlace access = *finding.other;
  const SourcePlace allocation = finding.where;
  finding.where = access.place;
  finding.block = access.block;
  finding.thread = access.thread;
  finding.other =
      OtherPlace{"the allocation, whose size is in bytes already", allocation, {}, {}, PlaceRole::allocation};
  finding.note = in_words(values);
  finding.help =
      "the kernel goes on after the end of the array: compare what the host gives it with the number of elements, for "
      "an index counts elements and not bytes";
}

}  // namespace

std::vector<HostValue> host_values_of(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const auto kernel = function_around_line(code, line);
  if (!kernel) return {};
  const std::vector<BodyPlace> places = body_places(code);
  if (kernel->begin + 1 >= places.size() || !places[kernel->begin + 1].device) return {};
  const std::vector<std::string_view> lines = text_lines(code);
  const std::uint32_t begin =
      std::max<std::uint32_t>(line_at(code, kernel->begin), line > kLinesBefore ? line - kLinesBefore : 1);
  const Reader reader(source, code, *kernel);
  std::vector<HostValue> values;
  std::vector<std::string> known;
  for (std::uint32_t at = begin; at <= line; ++at) {
    const std::string_view text = lines[at - 1];
    if (at != line && !has_condition(text)) continue;
    for_each_name(text, [&](std::size_t place, std::string_view name) {
      if (known.size() > 4 * kMostValues) return;
      const std::size_t dot = place + name.size();
      const bool has_member = dot < text.size() && text[dot] == '.';
      const std::string_view member =
          has_member ? text.substr(dot + 1, end_of_word(text, dot + 1) - dot - 1) : std::string_view();
      const std::string use = has_member ? fmt::format("{}.{}", name, member) : std::string(name);
      if (std::ranges::find(known, use) != known.end()) return;
      known.push_back(use);
      auto value = reader.value_of(name, member);
      if (value && std::ranges::find(values, *value) == values.end()) values.push_back(*std::move(value));
    });
  }
  if (values.size() > kMostValues) values.clear();
  return values;
}

void show_host_values(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  if (findings.empty() || !is_of_kernel_line(findings.front()) || !findings.front().is_in_file(file)) return;
  MergedFinding& finding = findings.front();
  const bool of_allocation = finding.id == finding_ids::kGlobalOutOfBounds && finding.kernel.empty() && finding.other;
  if (of_allocation &&
      (finding.other->place.file != finding.where.file || !has_size_in_bytes(source, finding.where.line)))
    return;
  const std::vector<HostValue> values =
      host_values_of(source, of_allocation ? finding.other->place.line : finding.where.line);
  if (values.empty()) return;
  if (of_allocation) return blame_bound(finding, values);
  finding.note = finding.note.empty() ? in_words(values) : in_words(values) + "\n" + finding.note;
}

}  // namespace cudalabs
