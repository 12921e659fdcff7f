// Names are replaced by what they stand for, until only numbers, sizes and threads are left.
#include "source/case_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "source/launch_text.h"
#include "source/loop_text.h"
#include "source/narrow_type.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

constexpr int kDeepestName = 8, kMostNamesRead = 24;
constexpr std::size_t kLongestExpression = 1000;
constexpr std::array<std::string_view, 4> kBuiltins{"threadIdx", "blockIdx", "blockDim", "gridDim"};

bool is_builtin(std::string_view name) {
  return std::ranges::find(kBuiltins, name) != kBuiltins.end();
}

/// Calls `word` for each name, with its member if that is a thread's builtin, and `letter` for all else; false as soon
/// as one of them does not take it.
template <typename Word, typename Letter>
bool read_words(std::string_view text, const Word& word, const Letter& letter) {
  for (std::size_t at = 0; at < text.size();) {
    if (!is_word_letter(text[at]) || is_digit(text[at])) {
      // A number keeps its suffix.
      const std::size_t end = is_word_letter(text[at]) ? end_of_word(text, at) : at + 1;
      if (!letter(text.substr(at, end - at))) return false;
      at = end;
      continue;
    }
    std::size_t end = end_of_word(text, at);
    if (is_builtin(text.substr(at, end - at)) && end + 1 < text.size() && text[end] == '.')
      end = end_of_word(text, end + 1);
    if (!word(text.substr(at, end - at), at, end)) return false;
    at = end;
  }
  return true;
}

bool is_arithmetic(std::string_view part) {
  return is_digit(part[0]) || std::string_view(" +-*/%()<>\n").find(part[0]) != kNowhere;
}

/// It is followed by what makes it more than a variable: a call, an element, a member.
bool is_more(std::string_view text, std::size_t end) {
  const std::size_t next = past_spaces(text, end);
  return next < text.size() && std::string_view("([{.:-").find(text[next]) != kNowhere &&
         (text[next] != '-' || text.substr(next).starts_with("->"));
}

std::optional<std::uint32_t> number_of(std::string_view builtin, const LaunchedThread& thread) {
  const std::size_t point = builtin.find('.');
  if (point == kNowhere || point + 2 != builtin.size()) return std::nullopt;
  const auto axis = static_cast<std::size_t>(builtin[point + 1] - 'x');
  if (axis > 2) return std::nullopt;
  const std::string_view name = builtin.substr(0, point);
  if (name == "threadIdx") return thread.thread[axis];
  if (name == "blockIdx") return thread.block[axis];
  return name == "blockDim" ? thread.config.block[axis] : thread.config.grid[axis];
}

/// "4" in the place of "sizeof(float)".
std::string with_sizes_of_types(std::string_view text) {
  struct SizedType {
    std::string_view spelling, bytes;
  };
  constexpr std::array<SizedType, 5> kSizes{{{"sizeof(float)", "4"},
                                             {"sizeof(int)", "4"},
                                             {"sizeof(unsigned)", "4"},
                                             {"sizeof(double)", "8"},
                                             {"sizeof(char)", "1"}}};
  std::string result(text);
  for (const SizedType& type : kSizes) {
    for (std::size_t at = result.find(type.spelling); at != kNowhere; at = result.find(type.spelling))
      result.replace(at, type.spelling.size(), type.bytes);
  }
  return result;
}

/// "(n)" in the place of "static_cast<std::size_t>(n)", and "n" in that of "(size_t)n": 64 bits hold every size.
std::string without_wide_casts(std::string text) {
  constexpr std::array<std::string_view, 8> kWide{"std::size_t", "size_t",       "long long", "unsigned long long",
                                                  "int64_t",     "std::int64_t", "uint64_t",  "std::uint64_t"};
  for (const std::string_view type : kWide) {
    for (const std::string& cast : {fmt::format("static_cast<{}>", type), fmt::format("({})", type)}) {
      for (std::size_t at = text.find(cast); at != kNowhere; at = text.find(cast)) text.erase(at, cast.size());
    }
  }
  return text;
}

/// "t" counts up to the last number before this, "phases" of "t < phases"; empty: that is not known.
std::string_view end_of_counter(const LoopText& loop, std::string_view name) {
  const std::vector<std::string_view> first = changed_names(loop.first), stepped = changed_names(loop.step);
  const bool counts = std::ranges::find(first, name) != first.end() && stepped.size() == 1 && stepped[0] == name &&
                      loop.step.find("++") != kNowhere;
  return counts ? end_of_counting(loop.condition, name) : std::string_view();
}

}  // namespace

/// Replaces the names of one expression, and of those that they lead to.
class CaseExpressionReader {
 public:
  explicit CaseExpressionReader(const CaseExpressions& all) : all_(all) {}

  std::optional<CaseExpression> whole(std::optional<std::string> text) const {
    return text ? std::optional(CaseExpression{*std::move(text), counted_}) : std::nullopt;
  }

  std::optional<std::string> read(std::string_view source_text, std::uint32_t line, const FunctionBody& function) {
    const std::string text = without_wide_casts(with_sizes_of_types(source_text.substr(0, kLongestExpression)));
    if (++depth_ > kDeepestName) return std::nullopt;
    std::string result;
    const bool read = read_words(
        text,
        [&](std::string_view name, std::size_t, std::size_t end) {
          const auto value =
              ++names_ > kMostNamesRead || is_more(text, end) ? std::nullopt : word(name, line, function);
          if (value) result += *value;
          return value && result.size() <= kLongestExpression;
        },
        [&](std::string_view part) {
          result += part;
          return is_arithmetic(part);
        });
    --depth_;
    return read && !result.empty() ? std::optional(std::move(result)) : std::nullopt;
  }

  std::optional<std::string> parameter(std::size_t number, const FunctionBody& function) {
    const std::string name = parameter_name(function.parameters[number]);
    if (name.empty() || all_.changed_.at(function.begin).contains(name)) return std::nullopt;
    if (!all_.is_kernel(function)) {
      if (!is_callers(function)) return argument_of_calls(number, function);
      return all_.sizes_.contains(name) ? std::optional(name) : std::nullopt;
    }
    const auto launch = only_launch(all_.code_, function.name);
    if (!launch || number >= launch->arguments.size()) return std::nullopt;
    const std::string_view argument = launch->arguments[number];
    const FunctionBody* host = all_.around(static_cast<std::size_t>(argument.data() - all_.code_.data()));
    return host == nullptr ? std::nullopt : bracketed(read(argument, launch->line, *host));
  }

 private:
  static std::optional<std::string> bracketed(std::optional<std::string> value) {
    return value ? std::optional(fmt::format("({})", *value)) : std::nullopt;
  }

  std::optional<std::string> word(std::string_view name, std::uint32_t line, const FunctionBody& function) {
    if (is_builtin(name.substr(0, name.find('.'))))
      return all_.is_kernel(function) ? std::optional(std::string(name)) : std::nullopt;
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      if (parameter_name(function.parameters[i]) != name) continue;
      return narrow_type_from(function.parameters[i], 0) ? std::nullopt : parameter(i, function);
    }
    const auto set = all_.numbers_.setting_of(name, line);
    if (!set && name == "warpSize") return "32";
    if (!set) return counter(name, line, function);
    return is_declared_narrow(*set) ? std::nullopt : bracketed(read(set->value, set->line, function));
  }

  /// What all calls of a function of the host give for the parameter.
  std::optional<std::string> argument_of_calls(std::size_t number, const FunctionBody& function) {
    constexpr std::size_t kMostCallsRead = 4;
    std::optional<std::string> given;
    const std::vector<std::size_t>& calls = all_.calls_.at(function.name);
    if (calls.size() > kMostCallsRead) return std::nullopt;
    for (const std::size_t at : calls) {
      const FunctionBody* const caller = all_.around(at);
      if (caller == nullptr) continue;  // the definition
      const std::size_t open = all_.code_.find('(', at), end = past_bracket(all_.code_, open);
      if (caller->begin == function.begin || end == kNowhere) return std::nullopt;
      const std::vector<std::string_view> arguments = items_of(all_.code_.substr(open + 1, end - open - 2));
      if (number >= arguments.size()) return std::nullopt;
      auto value = bracketed(read(arguments[number], line_at(all_.code_, at), *caller));
      if (!value || (given && given != value)) return std::nullopt;
      given = std::move(value);
    }
    return given;
  }

  /// The last value of the counter of the only loop around the line that has it.
  std::optional<std::string> counter(std::string_view name, std::uint32_t line, const FunctionBody& function) {
    const std::string_view text = all_.lines_[line - 1];
    const auto begin = static_cast<std::size_t>(text.data() - all_.code_.data());
    const LoopText* found = nullptr;
    for (const LoopText& loop : all_.loops_) {
      const bool around = loop.begin < begin && begin + text.size() <= loop.end;
      if (!around || end_of_counter(loop, name).empty()) continue;
      if (found != nullptr) return std::nullopt;
      found = &loop;
    }
    if (found == nullptr || narrow_type_from(found->first, 0)) return std::nullopt;
    counted_ = true;
    const auto end = read(end_of_counter(*found, name), found->line, function);
    return end ? std::optional(fmt::format("({} - 1)", *end)) : std::nullopt;
  }

  /// In the line, before the name.
  bool is_declared_narrow(const SourceNumbers::Place& set) const {
    const std::string_view line = all_.lines_[set.line - 1];
    return narrow_type_from(line.substr(0, set.column), 0).has_value();
  }

  /// Nothing in the source calls it: its caller is the one who gives the sizes.
  bool is_callers(const FunctionBody& function) const { return all_.calls_.at(function.name).size() == 1; }

  const CaseExpressions& all_;
  int depth_ = 0, names_ = 0;
  bool counted_ = false;
};

CaseExpressions::CaseExpressions(std::string_view code, std::set<std::string> sizes)
    : code_(code),
      sizes_(std::move(sizes)),
      numbers_(code),
      lines_(text_lines(code)),
      functions_(function_bodies(code)),
      loops_(loops_of(code)) {
  const std::vector<BodyPlace> bodies = body_places(code);
  for (const FunctionBody& function : functions_) {
    const auto changed = changed_names(code.substr(function.begin, function.end - function.begin));
    changed_[function.begin] = {changed.begin(), changed.end()};
    if (function.begin + 1 < bodies.size() && bodies[function.begin + 1].device) kernels_.insert(function.begin);
  }
  constexpr std::size_t kMostLoops = 1000;  // a text may be made to be long to read
  if (loops_.size() > kMostLoops) loops_.clear();
  for_each_name(code, [&](std::size_t at, std::string_view name) {
    if (code.substr(past_spaces(code, at + name.size())).starts_with('(')) calls_[name].push_back(at);
  });
}

std::optional<CaseExpression> CaseExpressions::of(std::string_view expression, std::uint32_t line,
                                                  const FunctionBody& function) const {
  CaseExpressionReader reader(*this);
  auto text = reader.read(expression, line, function);
  return reader.whole(std::move(text));
}

std::optional<CaseExpression> CaseExpressions::of_parameter(std::size_t number, const FunctionBody& function) const {
  CaseExpressionReader reader(*this);
  auto text = reader.parameter(number, function);
  return reader.whole(std::move(text));
}

std::optional<SourceNumbers::Place> CaseExpressions::only_setting(std::string_view name,
                                                                  const FunctionBody& function) const {
  auto set = numbers_.setting_of(name, line_at(code_, function.end - 1));
  if (!set) return std::nullopt;
  const auto place = static_cast<std::size_t>(set->name.data() - code_.data());
  return function.begin < place && place < function.end ? set : std::nullopt;
}

bool CaseExpressions::is_kernel(const FunctionBody& function) const {
  return kernels_.contains(function.begin);
}

const FunctionBody* CaseExpressions::around(std::size_t place) const {
  return function_at(functions_, place);
}

LaunchedThread last_thread(const vgpu::LaunchConfig& config) {
  LaunchedThread last{config};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    last.block[axis] = config.grid[axis] - 1;
    last.thread[axis] = config.block[axis] - 1;
  }
  return last;
}

bool rises_with_threads(const CaseExpression& expression) {
  // Of each bracket around a place: whether it names a thread, and whether it takes something away.
  struct Bracket {
    bool thread = false, takes_away = false;
  };
  std::vector<Bracket> open(1);
  bool rises = true;
  const auto close = [&](bool into_outer) {
    rises = rises && !(open.back().thread && open.back().takes_away);
    const bool thread = open.back().thread;
    open.pop_back();
    if (into_outer && !open.empty()) open.back().thread |= thread;
  };
  read_words(
      expression.text,
      [&](std::string_view name, std::size_t, std::size_t) {
        open.back().thread |= name.starts_with("threadIdx") || name.starts_with("blockIdx");
        return true;
      },
      [&](std::string_view part) {
        if (part[0] == '(') open.emplace_back();
        if (part[0] == ')') close(true);
        if (!open.empty()) open.back().takes_away |= std::string_view("-/%<>").find(part[0]) != kNowhere;
        return !open.empty();
      });
  if (open.size() != 1) return false;
  close(false);
  return rises;
}

std::optional<std::int64_t> value_of(const CaseExpression& expression, const std::map<std::string, std::int64_t>& sizes,
                                     const LaunchedThread* thread) {
  std::string numbers;
  const bool known = read_words(
      expression.text,
      [&](std::string_view name, std::size_t, std::size_t) {
        const auto size = sizes.find(std::string(name));
        if (size != sizes.end()) {
          numbers += fmt::format("{}", size->second);
          return true;
        }
        const auto number = thread == nullptr ? std::nullopt : number_of(name, *thread);
        if (number) numbers += fmt::format("{}", *number);
        return number.has_value();
      },
      [&](std::string_view part) {
        numbers += part;
        return true;
      });
  return known ? SourceNumbers("").value(numbers, 0, nullptr) : std::nullopt;
}

}  // namespace cudalabs
