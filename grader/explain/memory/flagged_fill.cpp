// The name in the launch leads to what made it, that to the condition around its `cudaMemset`.
#include "explain/memory/flagged_fill.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "source/condition_text.h"
#include "source/function_text.h"
#include "source/launch_gates.h"
#include "source/launch_text.h"
#include "source/member_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// A text may be made to be long to read; of a person there are fewer, and shorter ones.
constexpr std::size_t kMostMadeObjects = 16, kMostMakers = 8, kLongestMadeBy = 300, kLongestFlag = 40;

/// "Padded b(n, p, Fill::none)", "float* b = padded(n, p, false)".
struct MadeObject {
  std::string_view name, maker;
  std::size_t place = 0;  // of the name
  std::vector<std::string_view> arguments;
};

/// Past "<float>" behind a name, spaces apart.
std::size_t past_type_arguments(std::string_view code, std::size_t at) {
  at = past_spaces(code, at);
  const std::string_view near = code.substr(0, std::min(code.size(), at + kLongestMadeBy));
  if (at >= near.size() || near[at] != '<') return at;
  const std::size_t end = past_bracket(near, at);
  return end == kNowhere ? at : past_spaces(code, end);
}

/// The one that the maker's name at `at` makes.
std::optional<MadeObject> made_at(std::string_view code, std::size_t at, std::string_view maker) {
  std::size_t open = past_type_arguments(code, at + maker.size());
  std::string_view name = code.substr(std::min(open, code.size()));
  name = name.substr(0, end_of_word(name, 0));
  if (!name.empty()) {
    open = past_spaces(code, open + name.size());
  } else {
    const std::size_t sign = before_spaces(code, at);
    if (sign == kNowhere || code[sign] != '=') return std::nullopt;
    name = word_before(code, sign);
  }
  const std::string_view near = code.substr(0, std::min(code.size(), open + kLongestMadeBy));
  if (!is_identifier(name) || open >= near.size() || (near[open] != '(' && near[open] != '{')) return std::nullopt;
  const std::size_t end = past_bracket(near, open);
  if (end == kNowhere) return std::nullopt;
  return MadeObject{name, maker, static_cast<std::size_t>(name.data() - code.data()),
                    items_of(code.substr(open + 1, end - open - 2))};
}

std::vector<MadeObject> made_by(std::string_view code, std::string_view maker, const FunctionBody& function) {
  std::vector<MadeObject> all;
  std::size_t read = 0;
  for_each_name(code.substr(0, function.end), [&](std::size_t at, std::string_view word) {
    if (at < function.begin || word != maker || ++read > kMostMadeObjects) return;
    if (auto made = made_at(code, at, word)) all.push_back(std::move(*made));
  });
  return read > kMostMadeObjects ? std::vector<MadeObject>() : all;
}

/// What makes the object or pointer of that name, if one line of the function does: a class or a function.
std::string_view maker_of(std::string_view code, const FunctionBody& function, std::string_view name) {
  std::string_view maker;
  std::size_t places = 0;
  for_each_name(code.substr(0, function.end), [&](std::size_t at, std::string_view word) {
    if (at < function.begin || word != name) return;
    const std::size_t next = past_spaces(code, at + word.size());
    if (next >= code.size()) return;
    std::string_view found;
    if (code[next] == '=' && !code.substr(next).starts_with("==")) {
      const std::size_t value = past_spaces(code, next + 1);
      found = code.substr(value, end_of_word(code, value) - value);
    } else if (code[next] == '(' || code[next] == '{') {
      std::size_t end = before_spaces(code, at);
      const std::size_t least = at - std::min(at, kLongestMadeBy);
      if (end != kNowhere && code[end] == '>') {
        while (end > least && code[end] != '<') --end;
      } else {
        end = at;
      }
      found = word_before(code, end);
    }
    if (found.empty()) return;
    maker = found;
    ++places;
  });
  return places == 1 ? maker : std::string_view();
}

/// The definition of a constructor, or of a function, that calls `cudaMemset` once.
struct Maker {
  FunctionBody body;
  std::size_t fill = 0;
};

/// Its body is the last thing of the member.
std::optional<Maker> filling_in(std::string_view code, std::string_view name, const MemberText& member) {
  std::size_t fill = 0, fills = 0;
  for_each_name(code.substr(0, member.end), [&](std::size_t at, std::string_view word) {
    if (at < member.head || !word.starts_with("cudaMemset")) return;
    fill = at;
    ++fills;
  });
  if (fills != 1) return std::nullopt;
  const std::string_view until = code.substr(0, member.end);
  for (std::size_t at = until.find('{', member.head); at < fill; at = until.find('{', at + 1)) {
    if (past_bracket(until, at) != member.end) continue;
    const auto items = items_of(member.parameters);
    return Maker{FunctionBody{std::string(name), {items.begin(), items.end()}, at, member.end}, fill};
  }
  return std::nullopt;
}

std::optional<Maker> filling_maker(std::string_view code, std::string_view name) {
  std::optional<Maker> found;
  std::size_t read = 0;
  bool several = false;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    const std::size_t open = past_spaces(code, at + word.size());
    if (word != name || open >= code.size() || code[open] != '(' || (at > 0 && code[at - 1] == '~')) return;
    if (++read > kMostMakers) return;
    const auto member = member_from(code, open);
    if (!member || member->deleted) return;
    auto maker = filling_in(code, word, *member);
    several = several || (maker && found);
    if (maker) found = std::move(maker);
  });
  return several || read > kMostMakers ? std::nullopt : found;
}

/// What a condition wants of a parameter.
struct WantedFlag {
  std::size_t parameter = 0;
  std::string value;
  std::uint32_t line = 0;
};

bool is_constant(std::string_view text) {
  return !text.empty() && text.size() <= kLongestFlag &&
         std::ranges::all_of(text, [](char letter) { return is_word_letter(letter) || letter == ':'; });
}

/// "fill == Fill::zeros", "zero", "!raw", where the part must hold, or must not.
std::optional<WantedFlag> wanted_by(std::string_view part, bool holds, const FunctionBody& maker) {
  part = without_outer_spaces(part);
  std::string_view name = part, value = "true";
  bool wants = holds;
  if (const std::size_t sign = part.find("=="); sign != kNowhere) {
    name = without_outer_spaces(part.substr(0, sign));
    value = without_outer_spaces(part.substr(sign + 2));
  } else if (const std::size_t other = part.find("!="); other != kNowhere) {
    name = without_outer_spaces(part.substr(0, other));
    value = without_outer_spaces(part.substr(other + 2));
    wants = !holds;
  } else {
    if (part.starts_with('!')) {
      name = without_outer_spaces(part.substr(1));
      wants = !holds;
    }
    value = wants ? "true" : "false";
    wants = true;
  }
  if (!wants || !is_constant(value)) return std::nullopt;
  for (std::size_t i = 0; i < maker.parameters.size(); ++i) {
    const std::string_view parameter = maker.parameters[i];
    if (name.empty() || parameter_name(parameter) != name) continue;
    // A number, or a pointer, that is asked for is no flag.
    const bool flag =
        part.find('=') != kNowhere || parameter.starts_with("bool ") || parameter.starts_with("const bool ");
    return flag ? std::optional(WantedFlag{i, std::string(value), 0}) : std::nullopt;
  }
  return std::nullopt;
}

/// All that keeps the call from being made, as far as it is an argument; in the order of the text.
std::vector<WantedFlag> flags_before(std::string_view code, const Maker& maker) {
  std::vector<WantedFlag> flags;
  const LaunchGates gates = gates_before(code, maker.body, maker.fill);
  if (!gates.clear) return flags;
  for (const LaunchGate& gate : gates.gates) {
    if (gate.is_loop || gate.asked.size() != 1) continue;
    const AskedCondition& asked = gate.asked.front();
    const bool holds = asked.wanted == (gate.jump_line == 0);
    for (const std::string_view part : parts_of_condition(asked.shown, holds ? "&&" : "||")) {
      if (auto flag = wanted_by(part, holds, maker.body)) {
        flag->line = asked.line;
        flags.push_back(*flag);
      }
    }
  }
  return flags;
}

/// What the object is made with for the parameter; empty: nothing is known to be.
std::string given_for(const MadeObject& made, const FunctionBody& maker, std::size_t parameter) {
  if (parameter < made.arguments.size()) {
    const std::string_view argument = made.arguments[parameter];
    return is_constant(argument) ? std::string(argument) : std::string();
  }
  const std::string& text = maker.parameters[parameter];
  const std::size_t sign = text.find('=');
  const std::string_view value =
      sign == std::string::npos ? std::string_view() : without_outer_spaces(std::string_view(text).substr(sign + 1));
  return is_constant(value) ? std::string(value) : std::string();
}

/// Another constant of the same kind: `false` for `true`, "Fill::none" for "Fill::zeros"; a variable may be anything.
bool is_other_constant(std::string_view given, std::string_view wanted) {
  if (given.empty() || given == wanted) return false;
  if (wanted == "true" || wanted == "false") return given == "true" || given == "false";
  const std::size_t scope = wanted.rfind(':');
  return scope != kNowhere && given.substr(0, given.rfind(':') + 1) == wanted.substr(0, scope + 1);
}

/// "b" of "b.data()": the only name.
std::string_view only_name(std::string_view argument) {
  std::string_view only;
  std::size_t names = 0;
  for_each_name(argument, [&](std::size_t, std::string_view name) {
    only = name;
    ++names;
  });
  return names == 1 ? only : std::string_view();
}

/// The parameter of the kernel whose element is read in that place; nothing: another name stands there.
std::optional<std::size_t> parameter_read(std::string_view code, const MergedFinding& finding) {
  const auto kernel = function_around_line(code, finding.where.line);
  const std::size_t at = place_of_line(code, finding.where.line, finding.where.column);
  if (!kernel || at == kNowhere || finding.where.column == 0 || kernel->name != plain_name(finding.kernel))
    return std::nullopt;
  const std::string_view name = code.substr(at, end_of_word(code, at) - at);
  for (std::size_t i = 0; i < kernel->parameters.size(); ++i)
    if (!name.empty() && parameter_name(kernel->parameters[i]) == name) return i;
  return std::nullopt;
}

void show_flagged_fill(MergedFinding& finding, const FlaggedFill& fill) {
  const std::string& name = fill.made.names.front();
  finding.other = OtherPlace{"the kernel reads there what nothing has written", finding.where, finding.block,
                             finding.thread, PlaceRole::access};
  finding.where = {finding.where.file, fill.made.line, fill.made.column};
  finding.block.reset();
  finding.thread.reset();
  const std::string sibling = fill.filled.empty() ? std::string() : fmt::format(", as `{}` is", fill.filled);
  finding.help = fmt::format(
      "nothing clears the memory of `{}`: `{}` calls `cudaMemset` only where line {} finds `{}`, and {}; if what is "
      "not written is to be zeros, make `{}` with `{}`{}",
      name, fill.maker, fill.asked, fill.wanted,
      fill.omitted ? fmt::format("`{}` is what it gets if nothing is said", fill.given)
                   : fmt::format("here it gets `{}`", fill.given),
      name, fill.wanted, sibling);
}

}  // namespace

std::optional<FlaggedFill> flagged_fill(std::string_view code, std::uint32_t launch, std::size_t parameter) {
  const auto call = launch_in_line(code, launch);
  const auto function = function_around_line(code, launch);
  if (!call || !function || parameter >= call->arguments.size() || has_conditional_parts(code)) return std::nullopt;
  const std::string_view object = only_name(call->arguments[parameter]);
  const std::string_view name = object.empty() ? object : maker_of(code, *function, object);
  const auto maker = name.empty() ? std::nullopt : filling_maker(code, name);
  if (!maker) return std::nullopt;
  const std::vector<MadeObject> all = made_by(code, name, *function);
  const auto is_object = [&](const MadeObject& made) { return made.name == object; };
  const auto made = std::ranges::find_if(all, is_object);
  if (made == all.end() || std::ranges::count_if(all, is_object) != 1) return std::nullopt;
  for (const WantedFlag& flag : flags_before(code, *maker)) {
    const std::string given = given_for(*made, maker->body, flag.parameter);
    if (!is_other_constant(given, flag.value)) continue;
    const auto filled = std::ranges::find_if(
        all, [&](const MadeObject& each) { return given_for(each, maker->body, flag.parameter) == flag.value; });
    return FlaggedFill{setting_at_place(code, made->place, made->name),
                       std::string(name),
                       given,
                       flag.value,
                       flag.line,
                       filled == all.end() ? std::string() : std::string(filled->name),
                       flag.parameter >= made->arguments.size()};
  }
  return std::nullopt;
}

void show_flagged_fills(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  std::string code;
  for (MergedFinding& finding : findings) {
    const bool open = finding.id == finding_ids::kUninitializedRead && finding.launch.where.known() &&
                      finding.launch.where.file == finding.where.file && !finding.access.by_host;
    if (!open || !finding.is_in_file(file)) continue;
    if (code.empty()) code = without_comments(source);
    const auto parameter = parameter_read(code, finding);
    const auto fill = parameter ? flagged_fill(code, finding.launch.where.line, *parameter) : std::nullopt;
    if (fill) show_flagged_fill(finding, *fill);
  }
}

}  // namespace cudalabs
