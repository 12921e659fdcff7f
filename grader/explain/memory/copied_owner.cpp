// Parameters, arguments and captures are read as text.
#include "explain/memory/copied_owner.h"

#include <fmt/format.h>

#include <algorithm>

#include "source/function_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// A text may be made to be long to read; of a person there are fewer, and shorter ones.
constexpr std::size_t kMostFunctions = 8, kLongestCapture = 200, kLongestParameter = 200;

/// "Buffer(const Buffer&)", "Buffer(Buffer&& other)": what is written of it, even to delete it.
bool says_how_to_copy(std::string_view code, std::string_view type) {
  bool found = false;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    const std::size_t open = past_spaces(code, at + word.size());
    if (found || word != type || open >= code.size() || code[open] != '(') return;
    const std::string_view behind = code.substr(open, kLongestParameter);
    const std::string_view first = behind.substr(0, behind.find_first_of(",)"));
    if (first.find('&') == kNowhere) return;
    found = has_name(first, type);
  });
  return found;
}

/// The list of arguments behind the function's name, if that is a call; past the arguments of a template, or a launch.
std::string_view arguments_behind(std::string_view code, std::size_t at) {
  at = past_spaces(code, at);
  if (code.substr(at).starts_with("<<<")) {
    const std::size_t end = code.find(">>>", at);
    at = end == kNowhere ? code.size() : past_spaces(code, end + 3);
  } else if (code.substr(at).starts_with('<')) {
    at = past_spaces(code, std::min(past_bracket(code, at), code.size()));
  }
  const std::size_t end = at < code.size() && code[at] == '(' ? past_bracket(code, at) : kNowhere;
  return end == kNowhere ? std::string_view() : code.substr(at + 1, end - at - 2);
}

/// Some call gives the parameter of that number a variable, which stays with the caller.
bool gets_variable(std::string_view code, const FunctionBody& function, std::size_t number, std::string_view type) {
  constexpr std::size_t kMostCalls = 32;
  std::size_t calls = 0;
  bool found = false;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (found || word != function.name || ++calls > kMostCalls) return;
    const auto arguments = items_of(arguments_behind(code, at + word.size()));
    found = number < arguments.size() && is_identifier(arguments[number]) && arguments[number] != type;
  });
  return found;
}

/// The last place of the name before the function's body.
std::size_t place_in_head(std::string_view code, const FunctionBody& function, std::string_view name) {
  std::size_t at = code.rfind(name, function.begin);
  const auto is_part = [&](std::size_t place) {
    return (place > 0 && is_word_letter(code[place - 1])) || end_of_word(code, place) != place + name.size();
  };
  while (at != kNowhere && at > 0 && is_part(at)) at = code.rfind(name, at - 1);
  return at;
}

std::optional<CopiedOwner> copied_parameter(std::string_view code, std::string_view type) {
  std::size_t looked_at = 0;
  for (const FunctionBody& function : function_bodies(code)) {
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      const std::string name = parameter_name(function.parameters[i]);
      if (name.empty() || !is_copy_of(function.parameters[i], type)) continue;
      if (++looked_at > kMostFunctions) return std::nullopt;
      const std::size_t place = place_in_head(code, function, name);
      if (place == kNowhere || !gets_variable(code, function, i, type)) continue;
      return CopiedOwner{setting_at_place(code, place, name), function.name};
    }
  }
  return std::nullopt;
}

/// Variables of the type: "x" of "Buffer x(n);" and "Buffer<float> x{n};".
std::vector<std::string_view> variables_of(std::string_view code, std::string_view type) {
  std::vector<std::string_view> names;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (word != type) return;
    std::size_t begin = past_spaces(code, at + word.size());
    if (begin < code.size() && code[begin] == '<')
      begin = past_spaces(code, std::min(past_bracket(code, begin), code.size()));
    const std::string_view name = code.substr(begin, end_of_word(code, begin) - begin);
    const std::size_t behind = past_spaces(code, begin + name.size());
    const bool declared =
        is_identifier(name) && behind < code.size() && std::string_view("({;=").find(code[behind]) != kNowhere;
    if (declared && names.size() < kMostFunctions) names.push_back(name);
  });
  return names;
}

/// "[x, n](" and "[x] {": a list of captures, and no subscript.
bool is_capture(std::string_view code, std::size_t open, std::size_t close) {
  const std::size_t before = before_spaces(code, open), behind = past_spaces(code, close + 1);
  const bool subscript = before != kNowhere &&
                         (is_word_letter(code[before]) || code[before] == ')' || code[before] == ']') &&
                         word_before(code, open) != "return";
  return !subscript && behind < code.size() && (code[behind] == '(' || code[behind] == '{');
}

std::optional<CopiedOwner> copied_into_lambda(std::string_view code, std::string_view type) {
  const std::vector<std::string_view> names = variables_of(code, type);
  if (names.empty()) return std::nullopt;
  for (std::size_t open = code.find('['); open != kNowhere; open = code.find('[', open + 1)) {
    const std::size_t length = code.substr(open, kLongestCapture).find(']');
    if (length == kNowhere || !is_capture(code, open, open + length)) continue;
    for (const std::string_view item : items_of(code.substr(open + 1, length - 1))) {
      if (std::ranges::find(names, item) == names.end()) continue;
      return CopiedOwner{setting_at_place(code, static_cast<std::size_t>(item.data() - code.data()), item), {}};
    }
  }
  return std::nullopt;
}

/// A destructor destroys an event that the copy's has destroyed before.
bool is_of_event(const MergedFinding& finding) {
  return finding.message.find("cudaEventDestroy") != std::string::npos &&
         finding.other->label.find("destroyed") != std::string::npos;
}

/// The type whose destructor freed the memory, or destroyed the event, that the finding is about; empty: it is about
/// something else.
std::string freeing_type(const MergedFinding& finding, std::string_view source) {
  const bool freed = finding.id == finding_ids::kUseAfterFree || finding.id == finding_ids::kInvalidFree ||
                     finding.id == finding_ids::kRuntimeError;
  const bool known = freed && finding.other && finding.other->place.known() &&
                     finding.other->place.file == finding.where.file &&
                     (finding.other->label.find("freed") != std::string::npos || is_of_event(finding));
  return known ? destructor_around(source, finding.other->place.line) : std::string();
}

void show_copied_owner(MergedFinding& finding, const CopiedOwner& owner, const std::string& type) {
  const std::string& name = owner.copy.names.front();
  const std::uint32_t freed = finding.other->place.line;
  finding.note.insert(0, fmt::format("line {}: {}\n", finding.where.line, finding.message));
  const std::string copied = owner.function.empty() ? fmt::format("this lambda copies `{}`, a `{}`: ", name, type)
                                                    : fmt::format("`{}` is a copy of the caller's `{}`: ", name, type);
  const std::string ends = owner.function.empty() ? "the copy ends" : fmt::format("`{}` ends", owner.function);
  const bool of_event = is_of_event(finding);
  finding.message =
      fmt::format("{}its destructor {} when {}", copied, of_event ? "destroys the event" : "frees the memory", ends);
  if (of_event) {
    finding.other = OtherPlace{"the event is destroyed once more here", finding.where, {}, {}};
  } else if (freed == finding.where.line) {
    finding.other->label = "the destructor frees the memory here";
  } else {
    finding.note.insert(0, fmt::format("`~{}` frees it in line {}\n", type, freed));
    finding.other = OtherPlace{"the memory is used here after that", finding.where, {}, {}};
  }
  finding.where = {finding.where.file, owner.copy.line, owner.copy.column};
  finding.kernel.clear();
  finding.block.reset();
  finding.thread.reset();
  finding.count = 1;
  finding.help =
      fmt::format("{}; delete the copy constructor, `{}(const {}&) = delete`, and the compiler finds such copies",
                  owner.function.empty() ? fmt::format("capture it by reference, `[&{}]`", name)
                                         : fmt::format("pass it by reference, `const {}&`", type),
                  type, type);
}

}  // namespace

std::optional<CopiedOwner> copied_owner(std::string_view code, std::string_view type) {
  if (says_how_to_copy(code, type)) return std::nullopt;
  const auto parameter = copied_parameter(code, type);
  return parameter ? parameter : copied_into_lambda(code, type);
}

void show_copied_owners(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  std::string code;
  for (MergedFinding& finding : findings) {
    if (!finding.is_in_file(file)) continue;
    const std::string type = freeing_type(finding, source);
    if (type.empty()) continue;
    if (code.empty()) code = without_comments(source);
    if (const auto owner = copied_owner(code, type)) show_copied_owner(finding, *owner, type);
  }
}

}  // namespace cudalabs
