// Parameters, arguments and captures are read as text.
#include "explain/memory/copied_owner.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/case_name.h"
#include "explain/memory/destructor_finding.h"
#include "source/function_text.h"
#include "source/lambda_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// A text may be made to be long to read; of a person there are fewer, and shorter ones.
constexpr std::size_t kMostFunctions = 8, kLongestCapture = 200, kLongestParameter = 200, kLongestTemplate = 200;

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

/// Some call gives the parameter of that number a variable that `is_owner` knows, and which stays with the caller.
template <typename IsOwner>
bool gets_variable(std::string_view code, const FunctionBody& function, std::size_t number, const IsOwner& is_owner) {
  constexpr std::size_t kMostCalls = 32;
  std::size_t calls = 0;
  bool found = false;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    if (found || word != function.name || ++calls > kMostCalls) return;
    const auto arguments = items_of(arguments_behind(code, at + word.size()));
    found = number < arguments.size() && is_identifier(arguments[number]) && is_owner(arguments[number]);
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

/// "T" of "template <typename T> bool add(T x)": the names that stand for any type. Empty: it is no template.
std::vector<std::string_view> type_parameters(std::string_view code, const FunctionBody& function) {
  std::vector<std::string_view> names;
  const std::size_t name = place_in_head(code, function, function.name);
  if (name == kNowhere) return names;
  const std::size_t begin = name - std::min(name, kLongestTemplate);
  std::string_view before = code.substr(begin, name - begin);
  const std::size_t ended = before.find_last_of(";{}");
  if (ended != kNowhere) before.remove_prefix(ended + 1);
  if (!has_name(before, "template")) return names;
  for_each_name(before, [&](std::size_t at, std::string_view word) {
    const std::string_view kind = word_before(before, at);
    if (kind == "typename" || kind == "class") names.push_back(word);
  });
  return names;
}

/// The functions of a source, and its lambdas that have a name.
std::vector<FunctionBody> functions_and_lambdas(std::string_view code) {
  std::vector<FunctionBody> functions = function_bodies(code);
  for (FunctionBody& lambda : named_lambdas(code)) functions.push_back(std::move(lambda));
  return functions;
}

/// Finds the parameters that are copies of what a caller has of the type.
class CopiedParameters {
 public:
  CopiedParameters(std::string_view code, std::string_view type)
      : code_(code), type_(type), variables_(variables_of(code, type)) {}

  /// Of the first function that has some.
  std::optional<CopiedOwner> first() {
    for (const FunctionBody& function : functions_and_lambdas(code_)) {
      auto found = of_type(function, type_, {});
      if (!found) found = of_type(function, "auto", "auto");
      if (!found && !variables_.empty()) {
        for (const std::string_view name : type_parameters(code_, function))
          if (!found) found = of_type(function, name, std::string(name));
      }
      if (found) return found;
      if (looked_at_ > kMostFunctions) break;
    }
    return std::nullopt;
  }

 private:
  /// `generic`: the type stands for any, so that a call must give a variable of the type that is looked for.
  std::optional<CopiedOwner> of_type(const FunctionBody& function, std::string_view type, const std::string& generic) {
    const auto is_owner = [&](std::string_view argument) {
      return generic.empty() ? argument != type_ : std::ranges::find(variables_, argument) != variables_.end();
    };
    std::optional<CopiedOwner> found;
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      const std::string name = parameter_name(function.parameters[i]);
      if (name.empty() || name == type || !is_copy_of(function.parameters[i], type)) continue;
      if (++looked_at_ > kMostFunctions) return found;
      const std::size_t place = place_in_head(code_, function, name);
      if (place == kNowhere || !gets_variable(code_, function, i, is_owner)) continue;
      if (found) {
        found->copy.names.push_back(name);
      } else {
        found = CopiedOwner{setting_at_place(code_, place, name), function.name, generic};
      }
    }
    return found;
  }

  std::string_view code_, type_;
  std::vector<std::string_view> variables_;
  std::size_t looked_at_ = 0;
};

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

/// Of several parameters of one function; which of them the finding is about nobody knows, and all are to be changed.
void show_copied_owners_of(MergedFinding& finding, const CopiedOwner& owner, const std::string& type) {
  const bool event = is_of_destroyed_event(finding);
  place_at_second_owner(finding, type, {finding.where.file, owner.copy.line, owner.copy.column});
  finding.message =
      fmt::format("{} are copies of the caller's objects of type `{}`: their destructors {} when `{}` ends",
                  list_names(owner.copy.names), type, event ? "destroy the events" : "free the memory", owner.function);
  finding.help = fmt::format(
      "pass each of them by reference, `const {1}&`; delete the copy constructor, `{0}(const {0}&) = delete`, and the "
      "compiler finds such copies",
      type, owner.generic.empty() ? type : owner.generic);
}

void show_copied_owner(MergedFinding& finding, const CopiedOwner& owner, const std::string& type) {
  if (owner.copy.names.size() > 1) return show_copied_owners_of(finding, owner, type);
  const std::string& name = owner.copy.names.front();
  const std::string copied = owner.function.empty() ? fmt::format("this lambda copies `{}`, a `{}`: ", name, type)
                                                    : fmt::format("`{}` is a copy of the caller's `{}`: ", name, type);
  const std::string ends = owner.function.empty() ? "the copy ends" : fmt::format("`{}` ends", owner.function);
  const std::string frees = is_of_destroyed_event(finding) ? "destroys the event" : "frees the memory";
  place_at_second_owner(finding, type, {finding.where.file, owner.copy.line, owner.copy.column});
  finding.message = fmt::format("{}its destructor {} when {}", copied, frees, ends);
  finding.help =
      fmt::format("{}; delete the copy constructor, `{}(const {}&) = delete`, and the compiler finds such copies",
                  owner.function.empty()
                      ? fmt::format("capture it by reference, `[&{}]`", name)
                      : fmt::format("pass it by reference, `const {}&`", owner.generic.empty() ? type : owner.generic),
                  type, type);
}

}  // namespace

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

std::optional<CopiedOwner> copied_owner(std::string_view code, std::string_view type) {
  if (says_how_to_copy(code, type)) return std::nullopt;
  const auto parameter = CopiedParameters(code, type).first();
  return parameter ? parameter : copied_into_lambda(code, type);
}

void show_copied_owners(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  for_each_freed_by_destructor(findings, source, file,
                               [](MergedFinding& finding, const std::string& code, const std::string& type) {
                                 if (const auto owner = copied_owner(code, type))
                                   show_copied_owner(finding, *owner, type);
                               });
}

}  // namespace cudalabs
