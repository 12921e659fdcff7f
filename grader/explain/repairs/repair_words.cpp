#include "explain/repairs/repair_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <regex>
#include <utility>

#include "explain/repairs/repaired_line.h"
#include "source/compared_text.h"
#include "source/function_text.h"
#include "source/named_constant.h"
#include "source/scope_text.h"
#include "source/structure_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

using vgpu::Mutant;
using vgpu::MutationKind;

// --- Relations

constexpr std::array<std::string_view, 6> kRelations = {"<=", ">=", "==", "!=", "<", ">"};

/// The relation that begins there; empty: none does.
std::string_view relation_at(std::string_view text) {
  if (text.starts_with("<<") || text.starts_with(">>")) return {};
  const auto* const found =
      std::ranges::find_if(kRelations, [&](std::string_view each) { return text.starts_with(each); });
  return found == kRelations.end() ? std::string_view() : *found;
}

/// Where the compiler points to, or the only one of the line.
std::string_view relation_in(const RepairedLine& line) {
  if (const std::string_view there = relation_at(line.from_column()); !there.empty()) return there;
  std::string_view only;
  const std::string_view text = line.text;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text.substr(at).starts_with("<<") || text.substr(at).starts_with(">>") || text.substr(at).starts_with("->")) {
      ++at;
      continue;
    }
    const std::string_view found = relation_at(text.substr(at));
    if (found.empty()) continue;
    if (!only.empty()) return {};
    only = found;
    at += found.size() - 1;
  }
  return only;
}

/// A compiler may have turned the comparison round: what is done to its relation is done to that of the source.
std::string_view other_relation(std::string_view in_source, std::string_view original, std::string_view replacement) {
  const auto index = [](std::string_view relation, const std::array<std::string_view, 6>& names) {
    return static_cast<std::size_t>(std::ranges::find(names, relation) - names.begin());
  };
  constexpr std::array<std::string_view, 6> kPtx = {"le", "ge", "eq", "ne", "lt", "gt"};
  constexpr std::array<std::size_t, 6> kWithoutEquality = {4, 5, 6, 6, 0, 1}, kOpposite = {5, 4, 3, 2, 1, 0},
                                       kTurned = {1, 0, 6, 6, 5, 4};
  const std::size_t from = index(original, kPtx), to = index(replacement, kPtx), own = index(in_source, kRelations);
  if (from == kPtx.size() || to == kPtx.size() || own == kRelations.size()) return {};
  for (const auto& change : {kWithoutEquality, kOpposite, kTurned}) {
    if (change[from] == to) return change[own] < kRelations.size() ? kRelations[change[own]] : std::string_view();
  }
  return {};
}

std::string comparison_words(const Mutant& mutant, const RepairedLine& line) {
  const std::string_view own = relation_in(line);
  const std::string_view other = own.empty() ? own : other_relation(own, mutant.original, mutant.replacement);
  return other.empty() ? std::string() : in_place(other, own);
}

/// PTX compares as the source does, perhaps with the sides exchanged; else it asks for the opposite.
bool asks_as_source(std::string_view in_source, std::string_view in_ptx) {
  constexpr std::array<std::string_view, 6> kPtx = {"le", "ge", "eq", "ne", "lt", "gt"};
  const bool with_equality = in_source == "<=" || in_source == ">=" || in_source == "==";
  const auto own = static_cast<std::size_t>(std::ranges::find(kPtx, in_ptx) - kPtx.begin());
  return (own < 3) == with_equality;
}

/// One that does not count for what stands beside it.
std::string outcome_words(const Mutant& mutant, const RepairedLine& line) {
  const std::string_view own = relation_at(line.from_column());
  if (own.empty()) return {};
  const ComparedText compared = compared_at(line.text, line.column - 1, own.size());
  const bool is_true = (mutant.replacement == "true") == asks_as_source(own, mutant.original);
  // "return a < b && ..."
  const bool more = compared.text.starts_with("return") || compared.text.starts_with("!");
  if (more || compared.sign != (is_true ? "&&" : "||")) return {};
  return fmt::format("without `{}`", compared.text);
}

// --- Numbers and operations

/// `NAME` of `constexpr int NAME = 16` or `#define NAME 16`, where the line has the name and its value is the number;
/// empty where there is none, or several.
std::string constant_in(const RepairedLine& line, std::string_view number, const std::string& code) {
  static const std::regex kConstant(
      R"((?:\bconst(?:expr)?\b[^=;{}()]*?\b([A-Za-z_]\w*)\s*=\s*(\d+)\s*[;,])|(?:#\s*define\s+([A-Za-z_]\w*)\s+(\d+)\s*$))");
  std::string name;
  for (const std::string_view each : text_lines(code)) {
    const std::string text(each.substr(0, kLongestRepairedLine));
    std::smatch match;
    if (!std::regex_search(text, match, kConstant)) continue;
    const bool is_macro = match[3].matched;
    const std::string found = match[is_macro ? 3 : 1], value = match[is_macro ? 4 : 2];
    if (value != number || (!line.text.empty() && places_of(found, line.text).empty())) continue;
    if (!name.empty()) return {};
    name = found;
  }
  return name;
}

/// What is compared with 0 need not be in the source: `if (ready)`. Where the compiler points to is just before.
bool is_close(std::string_view number, const RepairedLine& line) {
  constexpr std::size_t kClose = 6;
  const std::size_t at = std::string_view(line.text).substr(0, line.column + kClose).rfind(number);
  return line.column != 0 && at != std::string_view::npos && at + 1 >= line.column;
}

std::string constant_words(const Mutant& mutant, const RepairedLine& line, const std::string& code) {
  if (line.text.empty()) return {};
  if (!mutant.original.starts_with('-')) {
    if (mutant.original == "0" && !is_close(mutant.original, line)) return {};
    if (stands_once(mutant.original, line)) return in_place(mutant.replacement, mutant.original);
    const std::string own = constant_in(line, mutant.original, code), other = constant_in({}, mutant.replacement, code);
    if (own.empty()) return {};
    return fmt::format("`{}` in place of {}", other.empty() ? mutant.replacement : other, one_of(own, line));
  }
  // A compiler adds -1 where the source subtracts 1.
  const std::string subtracted = mutant.original.substr(1);
  const bool subtracts = std::regex_search(line.text, std::regex("- *" + subtracted + "\\b"));
  if (!subtracts || !stands_once(subtracted, line)) return {};
  const std::string own = "- " + subtracted;
  if (mutant.replacement == "0") return fmt::format("nothing in place of `{}`", own);
  return in_place(mutant.replacement.starts_with('-') ? "- " + mutant.replacement.substr(1) : "+ " + mutant.replacement,
                  own);
}

std::string_view symbol_of(std::string_view operation) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kSymbols{{{"add", "+"},
                                                                                   {"sub", "-"},
                                                                                   {"mul", "*"},
                                                                                   {"div", "/"},
                                                                                   {"rem", "%"},
                                                                                   {"and", "&"},
                                                                                   {"or", "|"},
                                                                                   {"shl", "<<"},
                                                                                   {"shr", ">>"}}};
  const auto* const found =
      std::ranges::find(kSymbols, operation, &std::pair<std::string_view, std::string_view>::first);
  return found == kSymbols.end() ? std::string_view() : found->second;
}

std::string_view rounding_words(std::string_view rounding) {
  if (rounding == "rzi") return "rounding toward zero, which drops the fraction";
  if (rounding == "rni") return "rounding to the nearest whole number";
  if (rounding == "rmi") return "rounding down";
  return "rounding up";
}

std::string operation_words(const Mutant& mutant, const RepairedLine& line) {
  if (mutant.replacement.starts_with('r') && mutant.replacement.ends_with('i'))
    return std::string(rounding_words(mutant.replacement));
  if (mutant.original == "sub" && mutant.replacement == "sub") return "the two sides of `-` exchanged";
  const std::string_view own = symbol_of(mutant.original), other = symbol_of(mutant.replacement);
  const bool there = !own.empty() && line.from_column().starts_with(own);
  return there && !other.empty() ? in_place(other, own) : std::string();
}

// --- Values

std::string parameter_of(std::string_view source, const std::string& kernel, std::uint32_t number) {
  const auto function = only_function(source, kernel.substr(0, kernel.find_first_of("<(")));
  if (!function || number >= function->parameters.size()) return {};
  return parameter_name(function->parameters[number]);
}

/// Empty where there are several.
std::string only_variable_set(const std::string& text) {
  static const std::regex kSetting(R"(([A-Za-z_]\w*)\s*=(?!=))");
  std::string name;
  for (std::sregex_iterator at(text.begin(), text.end(), kSetting), end; at != end; ++at) {
    if (!name.empty()) return {};
    name = (*at)[1];
  }
  return name;
}

/// What the line sets alone, or alone before the column.
std::string variable_set_at(std::string_view source, const SourcePlace& place) {
  const RepairedLine line = repaired_line(source, place);
  const std::string only = only_variable_set(line.text);
  if (!only.empty() || line.column == 0) return only;
  return only_variable_set(line.text.substr(0, line.column - 1));
}

/// `line`: where the name is to stand. What is computed there itself is a part of an expression, and not what the line
/// sets with it, but for loops, whose values come round again.
std::string name_of(std::string_view source, const Mutant& mutant, const std::string& name,
                    std::optional<std::uint32_t> parameter, const SourcePlace& place, const RepairedLine& line) {
  if (parameter) return parameter_of(source, mutant.kernel, *parameter);
  if (!name.empty() || !place.known()) return name;
  const bool is_part = place.line == line.number && !without_outer_spaces(line.text).starts_with("for");
  return is_part ? std::string() : variable_set_at(source, place);
}

std::string own_name(std::string_view source, const Mutant& mutant, const RepairedLine& line) {
  return name_of(source, mutant, mutant.original, mutant.original_parameter, mutant.original_place, line);
}

std::string value_words(std::string_view source, const Mutant& mutant, const RepairedLine& line) {
  const std::string own = own_name(source, mutant, line);
  const std::string other =
      name_of(source, mutant, mutant.replacement, mutant.replacement_parameter, mutant.replacement_place, line);
  const std::string there = one_of(own, line);
  if (there.empty() || other.empty() || own == other) return {};
  // What stands in a register there need not be a variable there.
  if (is_identifier(other) && !is_in_scope(without_comments(source), other, line.number)) return {};
  return fmt::format("`{}` in place of {}", other, there);
}

/// Where the line has one assignment.
std::string accumulation_words(const RepairedLine& line) {
  static const std::regex kAssignment(R"([^=!<>+\-*/%&|^]=[^=])");
  const std::sregex_iterator first(line.text.begin(), line.text.end(), kAssignment), end;
  return first != end && std::next(first) == end ? "`+=` in place of `=`" : std::string();
}

std::string offset_words(std::string_view source, const Mutant& mutant, const RepairedLine& line) {
  const std::string own = own_name(source, mutant, line);
  const std::string there = one_of(own, line);
  return there.empty() ? there : fmt::format("`{} {}` in place of {}", own, mutant.replacement, there);
}

/// What the launch gives may be right by chance where it is the same number in all launches: the number is right.
std::string extent_words(const std::string& name, const std::optional<std::uint32_t>& value) {
  return value ? fmt::format("{} (here `{}`)", *value, name) : fmt::format("`{}`", name);
}

bool is_small_number(std::string_view text) {
  return !text.empty() && text.size() < 10 && std::ranges::all_of(text, is_digit);
}

std::string factor_words(std::string_view source, const Repair& repair, const RepairedLine& line) {
  const Mutant& mutant = repair.mutant;
  const std::string own = own_name(source, mutant, line);
  const std::string there = one_of(own, line);
  const bool number = is_small_number(mutant.replacement);
  if (there.empty() && number) {
    const std::string_view product = product_at(line);
    return product.empty() ? std::string() : in_place(fmt::format("{} * {}", product, mutant.replacement), product);
  }
  const std::string constant =
      number ? constant_worth(without_comments(source), std::stoll(mutant.replacement), line.number) : std::string();
  if (!there.empty() && !constant.empty()) return fmt::format("{} multiplied by `{}`", there, constant);
  if (!there.empty() && number && !factors_beside(own, line).empty())
    return fmt::format("`{} * {}` in place of {}", own, mutant.replacement, there);
  return there.empty()
             ? there
             : fmt::format("{} multiplied by {}", there, extent_words(mutant.replacement, repair.replacement_value));
}

/// Of two words of a structure.
std::string member_words(std::string_view source, const Mutant& mutant) {
  const auto function = only_function(source, mutant.kernel.substr(0, mutant.kernel.find_first_of("<(")));
  const std::uint32_t number = mutant.original_parameter.value_or(0);
  if (!function || number >= function->parameters.size()) return {};
  const std::string& parameter = function->parameters[number];
  const std::string name = parameter_name(parameter);
  std::string_view type = without_outer_spaces(std::string_view(parameter).substr(0, parameter.rfind(name)));
  if (type.starts_with("const ")) type = without_outer_spaces(type.substr(6));
  const std::vector<std::string> members = word_members(source, type);
  const auto member = [&](const std::string& word) {
    const auto found = std::ranges::find_if(
        members, [&, i = std::size_t{0}](const std::string&) mutable { return std::to_string(i++) == word; });
    return found == members.end() ? std::string() : *found;
  };
  const std::string one = member(mutant.original), other = member(mutant.replacement);
  if (one.empty() || other.empty()) return {};
  return fmt::format("`{0}.{1}` and `{0}.{2}` exchanged", name, one, other);
}

std::string argument_words(std::string_view source, const Mutant& mutant) {
  if (mutant.original_parameter == mutant.replacement_parameter) return member_words(source, mutant);
  const std::string own = parameter_of(source, mutant.kernel, mutant.original_parameter.value_or(0)),
                    other = parameter_of(source, mutant.kernel, mutant.replacement_parameter.value_or(0));
  if (own.empty() || other.empty()) return {};
  if (!mutant.replacement.empty()) return fmt::format("the arguments for `{}` and `{}` exchanged", own, other);
  return fmt::format("the argument for `{}` also given for `{}`", other, own);
}

/// "threadIdx.y * blockDim.x": what a number along an axis is usually multiplied by. Whatever the extents of a launch,
/// these make one number of several, or count on from the blocks before.
bool is_usual_factor(const Mutant& mutant, const RepairedLine& line) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kUsual{{{"threadIdx.y", "blockDim.x"},
                                                                                 {"blockIdx.y", "gridDim.x"},
                                                                                 {"blockIdx.x", "blockDim.x"},
                                                                                 {"blockIdx.y", "blockDim.y"}}};
  const std::vector<std::string> beside = factors_beside(mutant.original, line);
  return std::ranges::any_of(kUsual, [&](const auto& usual) {
    const auto& [number, factor] = usual;
    return factor == mutant.replacement && std::ranges::find(beside, number) != beside.end();
  });
}

/// The extent of an axis that the program does not use is 1: it helps as a number, and not as what it stands for.
std::string builtin_words(std::string_view source, const Repair& repair, const RepairedLine& line) {
  const Mutant& mutant = repair.mutant;
  if (!stands_once(mutant.original, line)) return {};
  const std::string_view name = mutant.replacement;
  const bool is_extent = name.starts_with("blockDim.") || name.starts_with("gridDim.");
  const std::string axis(name.substr(name.find('.') + 1));
  const std::string code = without_comments(source);
  const bool is_used =
      code.find("threadIdx." + axis) != std::string::npos || code.find("blockIdx." + axis) != std::string::npos;
  if (is_usual_factor(mutant, line)) return in_place(mutant.replacement, mutant.original);
  if (is_used && repair.replacement_value) {
    return fmt::format("{} in place of `{}`{}", extent_words(mutant.replacement, repair.replacement_value),
                       mutant.original,
                       repair.original_value ? fmt::format(" (here {})", *repair.original_value) : std::string());
  }
  if (!is_extent || is_used) return in_place(mutant.replacement, mutant.original);
  return fmt::format("another number, such as 1, in place of `{}`", mutant.original);
}

}  // namespace

std::string words_of(const Repair& repair, std::string_view source) {
  const Mutant& mutant = repair.mutant;
  const RepairedLine line = repaired_line(source, repair.where);
  switch (mutant.change) {
    case Mutant::Change::grid:
      return fmt::format("a grid of {} blocks in place of {}", mutant.replacement, mutant.original);
    case Mutant::Change::block:
      return fmt::format("blocks of {} threads in place of {}", mutant.replacement, mutant.original);
    case Mutant::Change::argument:
      return argument_words(source, mutant);
    case Mutant::Change::input:
      return {};
    case Mutant::Change::code:
      break;
  }
  switch (mutant.kind) {
    case MutationKind::comparison:
      return comparison_words(mutant, line);
    case MutationKind::condition:
      return mutant.original.empty() ? "the opposite condition" : comparison_words(mutant, line);
    case MutationKind::outcome:
      return outcome_words(mutant, line);
    case MutationKind::constant:
      return constant_words(mutant, line, without_comments(source));
    case MutationKind::builtin:
      return builtin_words(source, repair, line);
    case MutationKind::operation:
      return operation_words(mutant, line);
    case MutationKind::accumulate:
      return accumulation_words(line);
    case MutationKind::offset:
      return offset_words(source, mutant, line);
    case MutationKind::factor:
      return factor_words(source, repair, line);
    case MutationKind::parameter:
    case MutationKind::value:
      return value_words(source, mutant, line);
  }
  return {};
}

bool multiplies_product(const Repair& repair, std::string_view source) {
  const Mutant& mutant = repair.mutant;
  if (mutant.kind != MutationKind::factor || !is_small_number(mutant.replacement)) return false;
  const RepairedLine line = repaired_line(source, repair.where);
  const std::string own = own_name(source, mutant, line);
  return !factors_beside(own, line).empty() &&
         constant_worth(without_comments(source), std::stoll(mutant.replacement), line.number).empty();
}

}  // namespace cudalabs
