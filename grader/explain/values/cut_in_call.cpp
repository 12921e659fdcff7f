// Declarations of parameters and variables are read as text; what a declaration does not tell is taken for no `float`.
#include "explain/values/cut_in_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "source/function_head.h"
#include "source/function_text.h"
#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "text/enumeration.h"

namespace cudalabs {
namespace {

/// More is not read: a text may be made to be long to read.
constexpr std::size_t kMostFunctionsRead = 64, kMostCalls = 256, kLongestArgument = 200;

bool is_whole_type(std::string_view type) {
  constexpr std::array<std::string_view, 9> kTypes{
      "int", "unsigned", "unsigned int", "long", "long long", "short", "size_t", "std::size_t", "unsigned long long"};
  return std::ranges::find(kTypes, type) != kTypes.end();
}

/// "int" of "const int v" and "int v"; empty: it is given by a pointer or a reference, or is no whole number.
std::string whole_type_of(std::string_view parameter) {
  if (parameter.find_first_of("*&[<") != kNowhere) return {};
  const std::string name = parameter_name(parameter);
  std::string_view type = without_outer_spaces(parameter.substr(0, parameter.find('=')));
  if (name.empty() || !type.ends_with(name)) return {};
  type = without_outer_spaces(type.substr(0, type.size() - name.size()));
  if (type.starts_with("const ")) type = without_outer_spaces(type.substr(std::string_view("const ").size()));
  return is_whole_type(type) ? std::string(type) : std::string();
}

/// What a function declares with a type that is a `float` in the launch.
struct FloatNames {
  std::map<std::string, std::string, std::less<>> values, arrays;  // by name, the type as the text has it
};

using Types = std::set<std::string, std::less<>>;

/// What a type of the text declares behind it: "float x", "const T* in", "T sums[32]".
void add_declared(std::string_view text, const Types& types, FloatNames& names, Types& others) {
  for_each_name(text, [&](std::size_t at, std::string_view word) {
    const bool is_float = types.contains(word);
    if (!is_float && !is_whole_type(word)) return;
    std::size_t next = past_spaces(text, at + word.size());
    bool array = false;
    for (bool more = true; more && next < text.size();) {
      const std::string_view rest = text.substr(next);
      const std::size_t skipped = rest.starts_with('*')              ? 1
                                  : rest.starts_with("__restrict__") ? std::string_view("__restrict__").size()
                                  : rest.starts_with("const ")       ? std::string_view("const ").size()
                                                                     : 0;
      array = array || rest.starts_with('*');
      more = skipped != 0;
      next = past_spaces(text, next + skipped);
    }
    const std::string_view name = text.substr(std::min(next, text.size()), end_of_word(text, next) - next);
    if (!is_identifier(name)) return;
    const std::size_t behind = past_spaces(text, next + name.size());
    array = array || (behind < text.size() && text[behind] == '[');
    if (!is_float) others.emplace(name);
    if (is_float) (array ? names.arrays : names.values).emplace(name, word);
  });
}

FloatNames floats_of(std::string_view code, const FunctionBody& function, const Types& types) {
  FloatNames names;
  Types others;
  for (const std::string& parameter : function.parameters) add_declared(parameter, types, names, others);
  add_declared(code.substr(function.begin, function.end - function.begin), types, names, others);
  // Two variables of one name.
  for (const std::string& name : others) {
    names.values.erase(name);
    names.arrays.erase(name);
  }
  return names;
}

/// "T" of "v * in[i]": the type of a value that is computed from such names; empty: it may be another one.
std::string float_type_of(std::string_view expression, const FloatNames& names) {
  std::string type, plain;
  for (std::size_t at = 0; at < expression.size();) {
    if (expression[at] == '[') {
      const std::size_t end = past_bracket(expression, at);
      if (end == kNowhere) return {};
      plain += "[]";
      at = end;
    } else {
      plain += expression[at++];
    }
  }
  if (plain.size() > kLongestArgument || plain.find_first_of("(<>=!&|?~%") != std::string::npos) return {};
  for_each_name(plain, [&](std::size_t at, std::string_view name) {
    const bool element = plain.compare(at + name.size(), 2, "[]") == 0;
    const auto& known = element ? names.arrays : names.values;
    if (const auto found = known.find(name); found != known.end() && type.empty()) type = found->second;
  });
  return type;
}

struct DeviceFunction {
  FunctionBody body;
  FunctionHead head;
  FloatNames floats;
};

std::vector<DeviceFunction> device_functions(std::string_view code, bool floats) {
  const std::vector<BodyPlace> bodies = body_places(code);
  std::vector<DeviceFunction> found;
  for (FunctionBody& body : function_bodies(code)) {
    if (body.begin + 1 >= bodies.size() || !bodies[body.begin + 1].device) continue;
    if (found.size() == kMostFunctionsRead) return {};
    auto head = head_of(code, body);
    if (!head) continue;
    Types types{"float", "double"};
    if (floats) types.insert(head->type_names.begin(), head->type_names.end());
    FloatNames names = floats_of(code, body, types);
    found.push_back({std::move(body), *std::move(head), std::move(names)});
  }
  return found;
}

/// The parameters that a call gives a `float`, though they are whole numbers.
void add_call(std::string_view code, const DeviceFunction& called, const DeviceFunction& caller, std::size_t open,
              CutInCall& cut) {
  const std::string_view near = code.substr(open, 2 * kLongestArgument);
  const std::size_t end = past_bracket(near, 0);
  const auto arguments = end == kNowhere ? std::vector<std::string_view>() : items_of(near.substr(1, end - 2));
  if (arguments.size() != called.body.parameters.size()) return;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string type = whole_type_of(called.body.parameters[i]);
    const std::string given = type.empty() ? std::string() : float_type_of(arguments[i], caller.floats);
    if (given.empty() || (!cut.type.empty() && cut.type != type)) continue;
    const std::string name = parameter_name(called.body.parameters[i]);
    if (std::ranges::find(cut.parameters, name) == cut.parameters.end()) cut.parameters.push_back(name);
    cut.type = type;
    if (cut.given.empty()) cut.given = given;
    if (cut.call == 0) cut.call = line_at(code, open);
  }
}

/// It returns a whole number that is computed from what it cuts, or from its own variables that are no whole numbers.
bool returns_cut(std::string_view code, const DeviceFunction& function, const CutInCall& cut, std::string& given) {
  if (!is_whole_type(function.head.result) || (!cut.type.empty() && cut.type != function.head.result)) return false;
  FloatNames names = function.floats;
  for (const std::string& parameter : cut.parameters) names.values.emplace(parameter, cut.given);
  const std::string_view body = code.substr(function.body.begin, function.body.end - function.body.begin);
  bool returns = false;
  for_each_name(body, [&](std::size_t at, std::string_view word) {
    if (word != "return" || returns) return;
    const std::size_t begin = at + word.size(), end = body.find(';', begin);
    if (end == kNowhere || end - begin > kLongestArgument) return;
    const std::string type = float_type_of(body.substr(begin, end - begin), names);
    returns = !type.empty();
    if (returns) given = type;
  });
  return returns;
}

std::string help_for(const CutInCall& cut) {
  const std::string what = cut.parameters.empty() ? fmt::format("returns `{}`", cut.type)
                           : cut.returns
                               ? fmt::format("takes and returns `{}`", cut.type)
                               : fmt::format("takes {} as `{}`", enumeration_of_names(cut.parameters), cut.type);
  const std::string where = cut.parameters.empty() ? std::string("its result")
                            : cut.returns ? fmt::format("{} and the result", enumeration_of_names(cut.parameters))
                                          : enumeration_of_names(cut.parameters);
  const bool by_template = cut.given != "float" && cut.given != "double";
  const std::string cure = by_template ? fmt::format(
                                             "make it a template, `template <typename {0}>`, with `{0}` in place of "
                                             "`{1}` for {2}",
                                             cut.given, cut.type, where)
                                       : fmt::format("write `{}` in place of `{}` for {}", cut.given, cut.type, where);
  return fmt::format("`{}` {}, and drops the digits after the decimal point of a `float`: {}", cut.function, what,
                     cure);
}

}  // namespace

std::vector<CutInCall> cuts_in_calls(std::string_view code, bool floats) {
  std::vector<CutInCall> cuts;
  const std::vector<DeviceFunction> functions = device_functions(code, floats);
  std::map<std::string_view, std::size_t> by_name;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    // Several of one name are not told apart.
    const auto [known, fresh] = by_name.emplace(functions[i].body.name, i);
    if (!fresh) known->second = functions.size();
  }
  std::vector<CutInCall> of(functions.size());
  std::size_t calls = 0;
  for (const DeviceFunction& caller : functions) {
    const std::string_view body = code.substr(caller.body.begin, caller.body.end - caller.body.begin);
    for_each_name(body, [&](std::size_t at, std::string_view word) {
      const auto called = by_name.find(word);
      const std::size_t open = past_spaces(body, at + word.size());
      if (called == by_name.end() || called->second == functions.size() || open >= body.size() || body[open] != '(' ||
          ++calls > kMostCalls)
        return;
      add_call(code, functions[called->second], caller, caller.body.begin + open, of[called->second]);
    });
  }
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const auto known = by_name.find(functions[i].body.name);
    if (known->second != i) continue;
    CutInCall& cut = of[i];
    const FunctionHead& head = functions[i].head;
    std::string given;
    cut.returns = returns_cut(code, functions[i], cut, given);
    if (cut.parameters.empty() && !cut.returns) continue;
    cut.function = functions[i].body.name;
    if (cut.type.empty()) cut.type = head.result;
    if (cut.given.empty()) cut.given = given;
    const std::size_t first =
        cut.returns || cut.parameters.empty() ? kNowhere : code.find(cut.type, code.find('(', head.name));
    const Setting place =
        first == kNowhere ? Setting{{}, head.line, head.column} : setting_at_place(code, first, cut.type);
    cut.line = place.line;
    cut.column = place.column;
    cuts.push_back(std::move(cut));
  }
  return cuts;
}

void show_cuts_in_calls(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  std::string code;
  for (MergedFinding& finding : findings) {
    if (finding.values != ValueKind::whole_numbers || finding.proven || finding.known) continue;
    if (finding.where.known() && !finding.is_in_file(file)) continue;
    if (code.empty()) code = without_comments(source);
    const bool floats =
        finding.kernel.find("<float") != std::string::npos || finding.kernel.find("<double") != std::string::npos;
    const std::vector<CutInCall> cuts = cuts_in_calls(code, floats);
    if (cuts.size() != 1) continue;
    const CutInCall& cut = cuts.front();
    const SourcePlace place{finding.where.known() ? finding.where.file : file, cut.line, cut.column};
    if (cut.call != 0) {
      finding.other = OtherPlace{fmt::format("it is given a `{}` here", cut.given), {place.file, cut.call, 0}, {}, {}};
    } else if (finding.where.known() && finding.where.line != cut.line) {
      finding.other = OtherPlace{"the result is stored here", finding.where, {}, {}};
    }
    finding.where = place;
    finding.help = help_for(cut);
    finding.proven = true;
  }
}

}  // namespace cudalabs
