// Declarations of the device's variables, and the calls that name them, read as text.
#include "explain/memory/symbol_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <utility>

#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

/// A program that has more is not looked at further, and a declaration that is longer not at all.
constexpr std::size_t kMostSymbols = 64, kMostSymbolCopies = 64, kLongestDeclaration = 200;

struct Variable {
  std::string type, extent;  // "int", "3"; empty: no array
};

/// Bytes of a value; 0: not known.
std::uint64_t element_bytes_of(std::string_view type) {
  using Size = std::pair<std::string_view, std::uint64_t>;
  constexpr std::array kSizes{Size{"int", 4},     Size{"unsigned", 4}, Size{"unsigned int", 4}, Size{"float", 4},
                              Size{"double", 8},  Size{"short", 2},    Size{"int32_t", 4},      Size{"uint32_t", 4},
                              Size{"int64_t", 8}, Size{"uint64_t", 8}, Size{"long long", 8},    Size{"size_t", 8}};
  std::string_view plain = type;
  if (plain.starts_with("std::")) plain.remove_prefix(5);
  const auto known = std::ranges::find(kSizes, plain, &Size::first);
  return known == kSizes.end() ? 0 : known->second;
}

bool is_qualifier(std::string_view word) {
  constexpr std::array<std::string_view, 7> kQualifiers{"const",      "static",       "extern",     "volatile",
                                                        "__device__", "__constant__", "__managed__"};
  return std::ranges::find(kQualifiers, word) != kQualifiers.end();
}

/// "__constant__ int weights[3]" of the declaration that begins at `at`, without its value; empty: it is something
/// else.
std::string_view declaration_at(std::string_view code, std::size_t at) {
  const std::string_view rest = code.substr(at, kLongestDeclaration);
  const std::size_t end = rest.find_first_of(";={(");
  return end == kNowhere || rest[end] == '(' ? std::string_view() : rest.substr(0, end);
}

/// Several extents, pointers and several names count as none.
std::optional<std::pair<std::string, Variable>> variable_of(std::string_view declaration) {
  if (declaration.find_first_of("*&,<") != kNowhere) return std::nullopt;
  Variable variable;
  const std::size_t open = declaration.find('[');
  if (open != kNowhere) {
    const std::size_t close = declaration.find(']', open);
    if (close == kNowhere || declaration.find('[', close) != kNowhere) return std::nullopt;
    const std::size_t begin = past_spaces(declaration, open + 1), last = before_spaces(declaration, close);
    if (last < begin || last == open) return std::nullopt;
    variable.extent = declaration.substr(begin, last + 1 - begin);
    declaration = declaration.substr(0, open);
  }
  const std::string_view name = word_before(declaration, declaration.size());
  if (name.empty()) return std::nullopt;
  const std::string_view words = declaration.substr(0, static_cast<std::size_t>(name.data() - declaration.data()));
  for (std::size_t at = past_spaces(words, 0); at < words.size();) {
    const std::size_t end = words.find(' ', at);
    const std::string_view word = words.substr(at, end - at);
    if (!is_qualifier(word)) variable.type.append(variable.type.empty() ? "" : " ").append(word);
    at = end == kNowhere ? words.size() : past_spaces(words, end);
  }
  return std::pair(std::string(name), std::move(variable));
}

/// By name; of names that are declared several times none.
std::map<std::string, Variable, std::less<>> device_variables(std::string_view code) {
  std::map<std::string, Variable, std::less<>> variables;
  std::size_t left = kMostSymbols;
  for_each_name(code, [&](std::size_t at, std::string_view name) {
    if ((name != "__constant__" && name != "__device__") || left == 0) return;
    --left;
    auto variable = variable_of(declaration_at(code, at));
    if (!variable) return;
    const auto [known, is_new] = variables.insert(*variable);
    if (!is_new) known->second = {};
  });
  return variables;
}

std::optional<std::uint64_t> literal(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::optional<SymbolCopy> mistake_in(std::string_view call, const std::vector<std::string_view>& arguments,
                                     const std::map<std::string, Variable, std::less<>>& variables) {
  if (arguments.size() < 3) return std::nullopt;
  const auto variable = variables.find(arguments[0]);
  if (variable == variables.end()) return std::nullopt;
  const std::string& name = variable->first;
  const Variable& is = variable->second;
  const std::uint64_t element = element_bytes_of(is.type);
  if (element == 0) return std::nullopt;
  const bool array = !is.extent.empty();
  const auto found = [&](SymbolCopy::Mistake mistake, std::string_view given) {
    return SymbolCopy{mistake, std::string(call), name, is.type, std::string(given), array, 0};
  };
  if (arguments[2] == (array ? std::string_view(is.extent) : "1"))
    return found(SymbolCopy::Mistake::size, arguments[2]);
  if (!array || arguments.size() < 4) return std::nullopt;
  const auto offset = literal(arguments[3]);
  if (!offset || *offset % element == 0) return std::nullopt;
  return found(SymbolCopy::Mistake::offset, arguments[3]);
}

std::string help_with(const SymbolCopy& copy) {
  if (copy.mistake == SymbolCopy::Mistake::offset) {
    return fmt::format(
        "the offset that `{}` is given is in bytes, and no element of `{}` begins at byte {}: write `{} * sizeof({})`",
        copy.call, copy.symbol, copy.given, copy.given, copy.type);
  }
  return fmt::format("the size that `{0}` is given is in bytes, and `{1}` has {2}: write `sizeof({1})`", copy.call,
                     copy.symbol,
                     copy.array ? fmt::format("`{} * sizeof({})` of them", copy.given, copy.type)
                                : fmt::format("`sizeof({})` of them", copy.type));
}

}  // namespace

std::optional<SymbolCopy> miscounted_copy(std::string_view source) {
  const std::string code = without_comments(source);
  const auto variables = device_variables(code);
  if (variables.empty()) return std::nullopt;
  std::optional<SymbolCopy> found;
  std::size_t left = kMostSymbolCopies;
  for_each_name(code, [&](std::size_t at, std::string_view name) {
    if (found || left == 0 || (name != "cudaMemcpyToSymbol" && name != "cudaMemcpyToSymbolAsync")) return;
    --left;
    const std::size_t open = past_spaces(code, at + name.size());
    const std::size_t end = open < code.size() && code[open] == '(' ? past_bracket(code, open) : kNowhere;
    if (end == kNowhere) return;
    found = mistake_in(name, items_of(std::string_view(code).substr(open + 1, end - open - 2)), variables);
    if (found) found->line = line_at(code, at);
  });
  return found;
}

void show_miscounted_copy(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  if (findings.empty()) return;
  MergedFinding& finding = findings.front();
  if (!finding.is_of_output() || (finding.where.known() && !finding.is_in_file(file))) return;
  const auto copy = miscounted_copy(source);
  if (!copy) return;
  finding.where = {finding.where.known() ? finding.where.file : file, copy->line, 0};
  finding.help = help_with(*copy);
  finding.kernel.clear();
  finding.block.reset();
  finding.thread.reset();
  finding.other.reset();
}

}  // namespace cudalabs
