#include "patch/candidates.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <tuple>

#include "patch/decided_work.h"
#include "patch/macro_definitions.h"
#include "patch/operators/arithmetic_patches.h"
#include "patch/operators/assignment_patches.h"
#include "patch/operators/barrier_patches.h"
#include "patch/operators/bound_patches.h"
#include "patch/operators/byte_count_patches.h"
#include "patch/operators/callee_patches.h"
#include "patch/operators/clamp_patches.h"
#include "patch/operators/comparison_patches.h"
#include "patch/operators/condition_patches.h"
#include "patch/operators/conjunct_patches.h"
#include "patch/operators/connective_patches.h"
#include "patch/operators/counting_patches.h"
#include "patch/operators/declaration_patches.h"
#include "patch/operators/deduced_zero_patches.h"
#include "patch/operators/exchange_patches.h"
#include "patch/operators/fraction_patches.h"
#include "patch/operators/group_count_patches.h"
#include "patch/operators/guard_patches.h"
#include "patch/operators/loop_patches.h"
#include "patch/operators/macro_patches.h"
#include "patch/operators/member_patches.h"
#include "patch/operators/moving_pointer_patches.h"
#include "patch/operators/name_patches.h"
#include "patch/operators/narrow_type_patches.h"
#include "patch/operators/number_patches.h"
#include "patch/operators/object_life_patches.h"
#include "patch/operators/object_patches.h"
#include "patch/operators/order_patches.h"
#include "patch/operators/parenthesis_patches.h"
#include "patch/operators/place_patches.h"
#include "patch/operators/quotient_patches.h"
#include "patch/operators/release_patches.h"
#include "patch/operators/remainder_patches.h"
#include "patch/operators/removal_patches.h"
#include "patch/operators/repeated_name_patches.h"
#include "patch/operators/rounding_patches.h"
#include "patch/operators/sibling_call_patches.h"
#include "patch/operators/start_patches.h"
#include "patch/operators/stride_patches.h"
#include "patch/patched_source.h"
#include "patch/related_functions.h"
#include "patch/token_roles.h"
#include "source/function_text.h"
#include "text/code_text.h"

namespace cudalabs::patch {
namespace {

using Operator = void (*)(const PatchedSource&, std::vector<Patch>&);
constexpr auto kPatchOperators = std::to_array<Operator>(
    {&add_arithmetic,     &add_assignments,   &add_barriers,        &add_bounds,        &add_byte_counts,
     &add_callees,        &add_clamps,        &add_labels,          &add_comparisons,   &add_conditions,
     &add_conjuncts,      &add_connectives,   &add_countings,       &add_declarations,  &add_deduced_zeros,
     &add_exchanges,      &add_fractions,     &add_group_counts,    &add_guards,        &add_loops,
     &add_macros,         &add_members,       &add_moving_pointers, &add_names,         &add_narrow_types,
     &add_numbers,        &add_object_lives,  &add_objects,         &add_orders,        &add_parentheses,
     &add_places,         &add_quotients,     &add_releases,        &add_remainders,    &add_removals,
     &add_repeated_names, &add_other_handles, &add_roundings,       &add_sibling_calls, &add_starts,
     &add_strides});

/// How far a line is from what is known to have to do with the mistake. What it uses is set, or asked for by a
/// condition, elsewhere.
enum Distance : std::size_t { in_line, sets_what_is_used, same_function, elsewhere };

/// Kinds of changes by which a change that is so far away has to be likelier to be tried as early: within the function
/// a likely change comes before an unlikely one that is nearer.
constexpr std::array<std::size_t, 4> kKindsAway{0, 4, 7, 18};

bool compares(const Token& token) {
  return token.is("<") || token.is("<=") || token.is(">") || token.is(">=") || token.is("==") || token.is("!=");
}

bool changes_condition(const Patch& patch) {
  return patch.kind == PatchKind::connective || patch.kind == PatchKind::comparison ||
         patch.kind == PatchKind::condition;
}

/// Where conditions stand that decide about launches, copies and the like.
class WorkConditions {
 public:
  explicit WorkConditions(const PatchedSource& source) : tokens_(source.tokens), work_(source) {}

  bool has(const Patch& patch) const {
    const auto next = std::ranges::upper_bound(tokens_, patch.begin, {}, &Token::begin);
    return next != tokens_.begin() && work_.at(static_cast<std::size_t>(next - tokens_.begin()) - 1).value_or(false);
  }

 private:
  const std::vector<Token>& tokens_;
  const DecidedWork work_;
};

bool is_setting_sign(const Token& token) {
  return token.is("=") || token.is("++") || token.is("--") || token.is("{") ||
         (token.text.size() > 1 && token.text.back() == '=' && !token.is("==") && !token.is("!=") && !token.is("<=") &&
          !token.is(">="));
}

class Nearness {
 public:
  Nearness(const PatchedSource& source, const Suspects& suspects)
      : code_(source.code),
        lines_(suspects.lines.begin(), suspects.lines.end()),
        functions_(function_bodies(source.code)) {
    std::set<std::string_view> used;
    for (const Token& token : source.tokens) {
      if (token.kind == TokenKind::name && lines_.contains(token.line)) used.insert(token.text);
    }
    for (std::size_t i = 0; i + 1 < source.tokens.size(); ++i) {
      const Token &token = source.tokens[i], &next = source.tokens[i + 1];
      const bool is_made = (next.is("(") || next.is("[")) && i > 0 && source.tokens[i - 1].kind == TokenKind::name;
      if (token.kind != TokenKind::name || !used.contains(token.text)) continue;
      if (is_setting_sign(next) || is_made) setting_lines_.insert(token.line);
      if (compares(next) || (i > 0 && compares(source.tokens[i - 1]))) asking_lines_.insert(token.line);
    }
    for (const MacroDefinition& macro : macro_definitions(source.code)) {
      if (used.contains(macro.name)) setting_lines_.insert(macro.line);
    }
    for (const std::uint32_t line : lines_) {
      const std::size_t place = place_of_line(code_, line, 0);
      for (const FunctionBody& function : functions_) {
        if (function.begin <= place && place < function.end) near_.insert(function.begin);
      }
    }
    for (const FunctionBody& function : functions_) {
      if (suspects.words.find("`" + function.name + "`") != std::string::npos) near_.insert(function.begin);
      if (used.contains(function.name)) called_.insert(function.begin);
    }
  }

  /// Of all functions, and where those begin that have one of the lines, or are named.
  const std::vector<FunctionBody>& functions() const { return functions_; }
  const std::set<std::size_t>& near() const { return near_; }

  Distance of(const Patch& patch) const {
    const std::uint32_t line = line_at(code_, patch.begin);
    if (lines_.contains(line)) return in_line;
    if (setting_lines_.contains(line)) return sets_what_is_used;
    if (changes_condition(patch) && asking_lines_.contains(line)) return sets_what_is_used;
    const bool is_near = std::ranges::any_of(functions_, [&](const FunctionBody& function) {
      const bool has_patch = function.begin <= patch.begin && patch.begin < function.end;
      return has_patch && (near_.contains(function.begin) || called_.contains(function.begin));
    });
    // An index is often computed in a function of its own, and a quotient hardly helps by chance.
    return is_near || patch.kind == PatchKind::quotient ? same_function : elsewhere;
  }

 private:
  std::string_view code_;
  std::set<std::uint32_t> lines_, setting_lines_, asking_lines_;
  std::vector<FunctionBody> functions_;
  std::set<std::size_t> near_;    // beginnings of functions that have one of the lines, or are named
  std::set<std::size_t> called_;  // of those that one of the lines calls
};

}  // namespace

std::vector<Patch> candidates(std::string_view code, const Suspects& suspects, std::size_t most) {
  const PatchedSource source(code);
  std::vector<Patch> all;
  for (const Operator add : kPatchOperators) {
    std::vector<Patch> made;  // of one operator, so that no operator's many leave no room for the others
    add(source, made);
    std::ranges::move(made, std::back_inserter(all));
  }
  const Nearness nearness(source, suspects);
  const RelatedFunctions related(source, nearness.functions(), nearness.near());
  const WorkConditions works(source);
  std::vector<std::tuple<std::size_t, std::size_t, std::size_t>> order;  // rank, place, number
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!related.has(all[i].begin)) continue;
    if (suspects.only_leaks && works.has(all[i])) continue;
    const std::size_t rank = static_cast<std::size_t>(all[i].kind) + kKindsAway[nearness.of(all[i])];
    order.emplace_back(rank, all[i].begin, i);
  }
  std::ranges::sort(order);
  std::vector<Patch> chosen;
  std::set<std::string> texts;
  for (const auto& [rank, place, number] : order) {
    if (chosen.size() == most) break;
    std::string text = applied(code, all[number]);
    if (text != code && texts.insert(std::move(text)).second) chosen.push_back(std::move(all[number]));
  }
  return chosen;
}

}  // namespace cudalabs::patch
